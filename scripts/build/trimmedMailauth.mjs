/**
 * What `mailauth` requires and its check of DKIM signatures, as we use it, never calls: the DNS, HTTPS, streams, images of brands.
 * n8n allows a node none of Node's modules but `crypto`, and a megabyte would be shipped for nothing. Beside each what
 * stands for it.
 */
const NOT_CALLED = {
	'node:buffer': 'module.exports = { Buffer };',
	'node:dns': 'module.exports = { promises: {} };',
	'node:https': 'module.exports = {};',
	// Emails are handed over in pieces, not streamed.
	'node:stream': 'class Stream {} module.exports = { Transform: Stream, Writable: Stream };',
	'../arc': 'module.exports = { getARChain: () => false };',
	'../package': 'module.exports = {};',
	// Called for one thing: whether a key is base64.
	joi: `const validate = (text) => (/^[A-Za-z0-9+/]*={0,2}$/.test(text) ? {} : { error: new Error('No base64') });
		module.exports = { string: () => ({ base64: () => ({ validate }) }) };`,
	libmime: 'module.exports = {};',
	'nodemailer/lib/addressparser': 'module.exports = () => [];',
	// It has a version of its own; alignment is ours to judge.
	tldts: 'module.exports = {};',
};

const OF_MAILAUTH = /^.*[\\/]node_modules[\\/]mailauth[\\/]/;

const FOLDER = 'not-called/';

/** A plugin for rolldown. Whoever calls what is not there gets an error, and `test/unit/package` sees it. */
export const trimmedMailauth = {
	name: 'trimmed-mailauth',
	resolveId(name, importer = '') {
		const folder = OF_MAILAUTH.exec(importer)?.[0];
		if (folder === undefined || !Object.hasOwn(NOT_CALLED, name)) return null;
		return `${folder}${FOLDER}${encodeURIComponent(name)}.cjs`;
	},
	load(file) {
		const folder = OF_MAILAUTH.exec(file)?.[0];
		if (folder === undefined || !file.startsWith(FOLDER, folder.length)) return null;
		const name = decodeURIComponent(file.slice(folder.length + FOLDER.length, -'.cjs'.length));
		return { code: NOT_CALLED[name] };
	},
	/** Of its own, the function that reads emails from streams has a timer, which a node may not so much as name. */
	transform(code, file) {
		const isOfMailauth = OF_MAILAUTH.test(file) && code.includes('setImmediate(');
		return isOfMailauth ? { code: code.replaceAll('setImmediate(', 'notCalled(') } : null;
	},
};
