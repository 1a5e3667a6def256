const path = require('node:path');

/**
 * esbuild plugin: leaves out of the MIME library how it writes the sender and subject of a forwarded message into the text
 * of the email that brings it. It is never asked to: forwarded messages stay files (`forceRfc822Attachments`).
 */
exports.forwardedStayFiles = {
	name: 'forwarded-stay-files',
	setup(build) {
		build.onLoad(
			{ filter: /postal-mime[\\/]dist[\\/]esm[\\/]text-format\.js$/ },
			({ path: file, suffix }) => {
				if (suffix === '?whole') return undefined;
				return {
					contents: `
						export * from './text-format.js?whole';
						export const formatTextHeader = () => '';
						export const formatHtmlHeader = formatTextHeader;
					`,
					resolveDir: path.dirname(file),
				};
			},
		);
	},
};
