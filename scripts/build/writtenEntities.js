const { pathToFileURL } = require('node:url');

const { pack, unpack } = require('./entityTable');

/** Letters, punctuation, currencies and signs such as ™: Latin to Cyrillic, U+2000 and what follows it. */
const WRITTEN = [
	[0x0000, 0x045f],
	[0x2000, 0x206f],
	[0x20a0, 0x20cf],
	[0x2100, 0x214f],
];

/** Arrows, operators and shapes, which have up to ten names each; people know the short ones. */
const DRAWN = [
	[0x2190, 0x21d4],
	[0x2200, 0x22c5],
	[0x2308, 0x230b],
	[0x25ca, 0x25ca],
	[0x2660, 0x2666],
	[0x27e8, 0x27e9],
];

const LONGEST_SHORT_NAME = 6;

/**
 * esbuild plugin: leaves out of the MIME library the half of HTML's 2,231 named characters that nobody
 * writes emails with (mathematical alphabets, operators by their fifth name). They are more than half of
 * the library's weight. Every name of HTML 4 stays; one that was left out stays as written in the text.
 */
exports.writtenEntities = {
	name: 'written-entities',
	setup(build) {
		build.onLoad(
			{ filter: /postal-mime[\\/]dist[\\/]esm[\\/]html-entities\.js$/ },
			async (file) => {
				const { htmlEntities } = await import(pathToFileURL(file.path).href);
				const text = JSON.stringify(pack(keepWritten(htmlEntities)));
				return { contents: `${unpack}\nexport const htmlEntities = unpack(${text});` };
			},
		);
	},
};

/** Of named characters, those that emails are written with. */
function keepWritten(entities) {
	return Object.fromEntries(Object.entries(entities).filter(isWritten));
}

exports.keepWritten = keepWritten;

function isWritten([name, character]) {
	if (character.length > 1) return false;
	const letters = name.replace(/[&;]/g, '').length;
	return isIn(WRITTEN, character) || (isIn(DRAWN, character) && letters <= LONGEST_SHORT_NAME);
}

function isIn(ranges, character) {
	const code = character.charCodeAt(0);
	return ranges.some(([first, last]) => first <= code && code <= last);
}
