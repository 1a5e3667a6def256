import { createHash } from 'node:crypto';

import { decoderFor, decodeWith } from '../../../../../lib/email/mime/decoders';
import encodings from './encodings.json';

/**
 * For each encoding of the Encoding Standard (encodings.json and the indexes of https://encoding.spec.whatwg.org, as the npm
 * package @exodus/bytes 1.16.0 has them; Chromium 156 gives the same, except for five characters that it gets wrong): its labels,
 * and the beginning of the SHA-256 hash of the text, in UTF-16, that `everyCharacter` makes.
 */
const ENCODINGS = Object.entries(encodings).map(([encoding, { digest, labels }]) => ({
	encoding,
	digest,
	labels: labels.split(' '),
}));

/** All combinations of bytes from these ranges, each on a line. */
function addLines(bytes: number[], prefix: readonly number[], ...ranges: Array<[number, number]>) {
	const [range, ...others] = ranges;
	if (range === undefined) {
		bytes.push(...prefix, 0x0a);
		return;
	}
	const [first, last] = range;
	for (let byte = first; byte <= last; byte++) addLines(bytes, [...prefix, byte], ...others);
}

const ALL: [number, number] = [0, 0xff];
const LEADS: [number, number] = [0x81, 0xfe];
const DIGITS: [number, number] = [0x30, 0x39];
const EUC: [number, number] = [0xa1, 0xfe];
const ASCII: [number, number] = [0x21, 0x7e];

/** Single bytes, and two of which the first is no ASCII. */
function pairs(): number[] {
	const bytes: number[] = [];
	addLines(bytes, [], ALL);
	addLines(bytes, [], [0x80, 0xff], ALL);
	return bytes;
}

/** Characters between an escape sequence and the one of ASCII. */
function addEscaped(bytes: number[], escape: string, ...ranges: Array<[number, number]>) {
	const lines: number[] = [];
	addLines(lines, [], ...ranges);
	for (let start = 0; start < lines.length; start += ranges.length + 1) {
		bytes.push(...Buffer.from(`\x1b${escape}`), ...lines.slice(start, start + ranges.length));
		bytes.push(...Buffer.from('\x1b(B\n'));
	}
}

/** The bytes of each character, and of much that is none. */
function everyCharacter(encoding: string): Buffer {
	const bytes = pairs();
	if (encoding === 'euc-jp') addLines(bytes, [0x8f], EUC, EUC);
	if (encoding === 'gb18030' || encoding === 'gbk') {
		addLines(bytes, [], LEADS, DIGITS, LEADS, DIGITS);
	}
	if (encoding === 'iso-2022-jp') {
		for (const set of ['(B', '(J', '(I']) addEscaped(bytes, set, ASCII);
		for (const set of ['$@', '$B']) addEscaped(bytes, set, ASCII, ASCII);
	}
	return Buffer.from(bytes);
}

const SAMPLE = Buffer.from(pairs());

const decode = (label: string, bytes: Buffer) => {
	const decoder = decoderFor(label);
	return decoder === undefined ? undefined : decodeWith(decoder, bytes);
};

test.each(ENCODINGS)(
	'every character of $encoding is that of the Encoding Standard, by each label',
	({ encoding, digest, labels }) => {
		const text = decode(encoding, everyCharacter(encoding)) ?? '';
		expect(createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, 32)).toBe(digest);
		const sample = decode(encoding, SAMPLE);
		const others = labels.filter((label) => decode(label, SAMPLE) !== sample);
		expect(others).toEqual([]);
	},
);

/** Of ISO-8859, the one that was never finished is missing. */
const PARTS_OF_ISO_8859 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16];

test.each<[number, string]>([
	...PARTS_OF_ISO_8859.map((part) => [28_590 + part, `iso-8859-${part}`] as [number, string]),
	[874, 'windows-874'],
	[932, 'shift_jis'],
	[936, 'gbk'],
	[949, 'euc-kr'],
	[950, 'big5'],
	[1200, 'utf-16le'],
	[1201, 'utf-16be'],
	[10_000, 'macintosh'],
	[20_866, 'koi8-r'],
	[21_866, 'koi8-u'],
	[38_598, 'iso-8859-8'],
	[50_220, 'iso-2022-jp'],
	[50_222, 'iso-2022-jp'],
	[51_932, 'euc-jp'],
	[51_949, 'euc-kr'],
	[54_936, 'gb18030'],
	[65_001, 'utf-8'],
])('code page %i of Microsoft is %s', (codePage, encoding) => {
	expect(decode(`cp${codePage}`, SAMPLE)).toBe(decode(encoding, SAMPLE) ?? 'a text');
});

test('a name that is none is not taken for one that it resembles', () => {
	const names = [
		'utf-7',
		'utf-88',
		'iso-8859',
		'iso-8859-99',
		'l0',
		'x-',
		'?',
		'big6',
		'cp1',
		'constructor',
	];
	expect(names.filter((name) => decoderFor(name) !== undefined)).toEqual([]);
});
