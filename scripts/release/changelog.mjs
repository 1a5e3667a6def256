/**
 * Finds a version's section in a changelog (keepachangelog.com).
 *
 * @param {string} changelog the whole file
 * @param {string} version such as `1.2.3`
 * @returns {string} the text below the version's heading, empty when there is none
 */
export function releaseNotes(changelog, version) {
	const sections = changelog.split(/^## /m).slice(1);
	const section = sections.find((text) => text.startsWith(`[${version}]`)) ?? '';
	const [, ...lines] = section.split('\n');
	const links = lines.findIndex((line) => /^\[[^\]]+\]: /.test(line));
	return lines
		.slice(0, links === -1 ? undefined : links)
		.join('\n')
		.trim();
}
