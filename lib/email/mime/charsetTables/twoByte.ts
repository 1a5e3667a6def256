import { fromUnits, REPLACEMENT, type CharsetDecoder } from './charsetDecoder';
import hkscs from './hkscs.json';

/** UTF-16 code units by two bytes: one, or a first one in the upper half and a second one in the lower; 0 for none. */
type PairTable = Uint32Array;

/** A charset of one or two bytes a character, in EUC-JP also three (Encoding Standard, 11 to 14). */
interface TwoByteCharset {
	/** Code units by a single byte; `LEAD` if more bytes follow. */
	single: Uint16Array;
	pairs: PairTable;
	/** The characters behind the byte 0x8F (JIS X 0212). */
	triples?: PairTable;
}

const range = (first: number, last: number): number[] =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** A noncharacter of Unicode. */
const LEAD = 0xffff;

const FIRST_LEAD = 0x80;
const LAST_LEAD = 0xfe;
const FIRST_TRAIL = 0x40;
const LAST_TRAIL = 0xfe;

/** Leads of EUC-JP. */
const KATAKANA = 0x8e;
const TRIPLE = 0x8f;
const FIRST_EUC = 0xa1;
const LAST_OF_JIS_X_0212 = 0xed;

const FIRST_KATAKANA = 0xff61;
const KATAKANA_BYTES = range(0xa1, 0xdf);
const katakanaOf = (byte: number): number => FIRST_KATAKANA + byte - 0xa1;

const CHARSETS = {
	big5: charsetOfBig5,
	'euc-jp': charsetOfEucJp,
	'euc-kr': charsetOfEucKr,
	shift_jis: charsetOfShiftJis,
} satisfies Record<string, () => TwoByteCharset>;

type TwoByteName = keyof typeof CHARSETS;

/** Making a table takes some ten milliseconds, so it is made when a charset is first needed. */
const made = new Map<TwoByteName, TwoByteCharset>();

export function isTwoByte(encoding: string): encoding is TwoByteName {
	return Object.hasOwn(CHARSETS, encoding);
}

/**
 * Decodes as the Encoding Standard says. Node.js does not: it reads no extension of Windows-949 and no HKSCS, and what is no
 * character as another one.
 */
export class TwoByteDecoder implements CharsetDecoder {
	private readonly charset: TwoByteCharset;

	/** The beginning of a character that was cut off. */
	private rest: Uint8Array = new Uint8Array();

	constructor(readonly encoding: TwoByteName) {
		const charset = made.get(encoding) ?? CHARSETS[encoding]();
		made.set(encoding, charset);
		this.charset = charset;
	}

	decode(bytes: Uint8Array, { stream = false }: { stream?: boolean } = {}): string {
		const { single } = this.charset;
		const all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
		const units = new Uint16Array(all.length);
		let length = 0;
		let at = 0;
		while (at < all.length) {
			const unit = single[all[at] as number] as number;
			if (unit !== LEAD) {
				units[length++] = unit;
				at++;
				continue;
			}
			const size = this.sizeAt(all, at);
			if (at + size > all.length) break;
			const pair = this.unitsAt(all, at, size);
			at += size;
			if (pair > 0xffff) units[length++] = pair >>> 16;
			if (pair > 0) {
				units[length++] = pair & 0xffff;
				continue;
			}
			units[length++] = REPLACEMENT.charCodeAt(0);
			// An ASCII character after a wrong byte means itself.
			if ((all[at - 1] as number) < FIRST_LEAD) at--;
		}
		this.rest = stream ? all.slice(at) : new Uint8Array();
		if (!stream && at < all.length) units[length++] = REPLACEMENT.charCodeAt(0);
		return fromUnits(units.subarray(0, length));
	}

	/** The number of bytes of a character that begins with a lead, or more than there are. */
	private sizeAt(bytes: Uint8Array, at: number): number {
		if (this.charset.triples === undefined || bytes[at] !== TRIPLE) return 2;
		return (bytes[at + 1] ?? LAST_TRAIL) >= FIRST_EUC ? 3 : 2;
	}

	private unitsAt(bytes: Uint8Array, at: number, size: number): number {
		const { pairs, triples } = this.charset;
		const table = size === 3 && triples !== undefined ? triples : pairs;
		return table[
			pairIndex(bytes[at + size - 2] as number, bytes[at + size - 1] as number)
		] as number;
	}
}

/** The place of two bytes in a table. */
function pairIndex(lead: number, trail: number): number {
	return ((lead - FIRST_LEAD) << 8) | trail;
}

function emptyTable(): PairTable {
	return new Uint32Array((LAST_LEAD + 2 - FIRST_LEAD) << 8);
}

function isAnyLead(byte: number): boolean {
	return byte > FIRST_LEAD && byte <= LAST_LEAD;
}

/** @param isLead whether a byte from 128 on begins a character; others stand for none */
function singlesWith(isLead: (byte: number) => boolean): Uint16Array {
	return Uint16Array.from({ length: 256 }, (_, byte) => {
		if (byte < FIRST_LEAD) return byte;
		return isLead(byte) ? LEAD : REPLACEMENT.charCodeAt(0);
	});
}

/** Whether a text is one character that people see. */
const SEEN = /^[^\0-\x9f\ud800-\uf8ff\ufffd]$/;

/**
 * The characters of two bytes as far as Node.js knows them. A line break between them keeps a wrong one from changing the next.
 *
 * @param prefix bytes in front of each
 */
function pairsOfNode(encoding: string, prefix: readonly number[] = []): PairTable {
	const bytes: number[] = [];
	const places: number[] = [];
	for (let lead = FIRST_LEAD + 1; lead <= LAST_LEAD; lead++) {
		for (let trail = FIRST_TRAIL; trail <= LAST_TRAIL; trail++) {
			places.push(pairIndex(lead, trail));
			bytes.push(...prefix, lead, trail, 0x0a);
		}
	}
	const lines = new TextDecoder(encoding).decode(Uint8Array.from(bytes)).split('\n');
	const table = emptyTable();
	for (const [index, place] of places.entries()) {
		const text = lines[index] ?? '';
		if (SEEN.test(text)) table[place] = text.charCodeAt(0);
	}
	return table;
}

const SYLLABLES = range('가'.charCodeAt(0), '힣'.charCodeAt(0));

/** The trails of the extension of Windows-949, below the last lead that has all of them and from there on. */
const MORE_TRAILS = [...range(0x41, 0x5a), ...range(0x61, 0x7a), ...range(0x81, 0xfe)];
const FEWER_TRAILS = MORE_TRAILS.filter((trail) => trail < FIRST_EUC);
const LAST_WITH_MORE = 0xa0;

/** KS X 1001 with the extension of Windows-949: the other syllables of Unicode, in its order. */
function charsetOfEucKr(): TwoByteCharset {
	const pairs = pairsOfNode('euc-kr');
	pairs[pairIndex(0xa2, 0xe6)] = '€'.charCodeAt(0);
	pairs[pairIndex(0xa2, 0xe7)] = '®'.charCodeAt(0);
	const known = new Set(pairs);
	const added = SYLLABLES.filter((syllable) => !known.has(syllable)).values();
	for (let lead = 0x81; lead <= LAST_LEAD; lead++) {
		const trails = lead <= LAST_WITH_MORE ? MORE_TRAILS : FEWER_TRAILS;
		for (const trail of trails) {
			const { value: syllable, done } = added.next();
			if (done === true) return { single: singlesWith(isAnyLead), pairs };
			pairs[pairIndex(lead, trail)] = syllable;
		}
	}
	return { single: singlesWith(isAnyLead), pairs };
}

const TRAILS_OF_BIG5 = [...range(0x40, 0x7e), ...range(0xa1, 0xfe)];

/** Two characters each (Encoding Standard, 12.1.1). */
const COMBINED: ReadonlyArray<[trail: number, text: string]> = [
	[0x62, '\u00ca\u0304'],
	[0x64, '\u00ca\u030c'],
	[0xa3, '\u00ea\u0304'],
	[0xa5, '\u00ea\u030c'],
];
const LEAD_OF_COMBINED = 0x88;

function charsetOfBig5(): TwoByteCharset {
	const pairs = pairsOfNode('big5');
	for (const [place, text] of hkscsCharacters()) pairs[place] = unitsOf(text);
	for (const [trail, text] of COMBINED) pairs[pairIndex(LEAD_OF_COMBINED, trail)] = unitsOf(text);
	return { single: singlesWith(isAnyLead), pairs };
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * The characters of Big5 that Node.js lacks: the Hong Kong Supplementary Character Set, and what ETEN added. Six bits of each code
 * point are a digit of base64 in each of three texts: the highest ones in the order of index-big5.txt of the Encoding Standard,
 * with `-` for no character, the others in the order of the highest ones. The package compresses them to 10 KB, but the characters
 * themselves only to 13.
 */
function* hkscsCharacters(): Generator<[place: number, text: string]> {
	const digit = (text: string, index: number): number => BASE64.indexOf(text.charAt(index));
	const characters = hkscs.ranges
		.flatMap(([first = 0, last = 0]) => range(first, last))
		.map((pointer, index) => ({ pointer, high: digit(hkscs.high, index) }))
		.filter(({ high }) => high >= 0)
		.sort((one, other) => one.high - other.high);
	for (const [index, { pointer, high }] of characters.entries()) {
		const code = (high << 12) | (digit(hkscs.middle, index) << 6) | digit(hkscs.low, index);
		const lead = 0x81 + Math.floor(pointer / TRAILS_OF_BIG5.length);
		const trail = TRAILS_OF_BIG5[pointer % TRAILS_OF_BIG5.length] as number;
		yield [pairIndex(lead, trail), String.fromCodePoint(code)];
	}
}

/** One or two code units as in a table. */
function unitsOf(text: string): number {
	const [first = 0, second] = Array.from(text.split(''), (unit) => unit.charCodeAt(0));
	return second === undefined ? first : ((first << 16) | second) >>> 0;
}

function charsetOfEucJp(): TwoByteCharset {
	const pairs = pairsOfNode('euc-jp');
	for (let trail = FIRST_TRAIL; trail <= LAST_TRAIL; trail++) {
		pairs[pairIndex(TRIPLE, trail)] = 0;
		pairs[pairIndex(KATAKANA, trail)] = 0;
	}
	for (const byte of KATAKANA_BYTES) pairs[pairIndex(KATAKANA, byte)] = katakanaOf(byte);
	const single = singlesWith((byte) => {
		return byte === KATAKANA || byte === TRIPLE || (byte >= FIRST_EUC && byte <= LAST_LEAD);
	});
	const triples = pairsOfNode('euc-jp', [TRIPLE]);
	// Node.js also has characters that IBM added.
	triples.fill(0, pairIndex(LAST_OF_JIS_X_0212, LAST_TRAIL) + 1);
	return { single, pairs, triples };
}

const TRAILS_OF_SHIFT_JIS = [...range(0x40, 0x7e), ...range(0x80, 0xfc)];

function charsetOfShiftJis(): TwoByteCharset {
	const pairs = pairsOfNode('shift_jis');
	// Characters for private use.
	let code = 0xe000;
	for (let lead = 0xf0; lead <= 0xf9; lead++) {
		for (const trail of TRAILS_OF_SHIFT_JIS) {
			pairs[pairIndex(lead, trail)] = code;
			code++;
		}
	}
	const single = singlesWith(
		(byte) => (byte > 0x80 && byte < 0xa0) || (byte >= 0xe0 && byte <= 0xfc),
	);
	single[0x80] = 0x80;
	for (const byte of KATAKANA_BYTES) single[byte] = katakanaOf(byte);
	return { single, pairs };
}
