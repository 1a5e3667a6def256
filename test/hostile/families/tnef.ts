import { attribute, compressedRtf, storedRtf, writeTnef } from '../../support/tnef';
import { emailOf, emailOfParts, toFamilies, type Hostile } from '../support/family';

const BASE64 = 4 / 3;

/** Of compressed RTF. */
const LENGTH_OF_DICTIONARY = 207;
const LONGEST_REFERENCE = 17;

/** A winmail.dat of about this size in the email: a file, and copies of these bytes behind it. */
function winmail(size: number, piece: Buffer): Hostile[] {
	const start = writeTnef([]);
	const repeated = Buffer.alloc(Math.floor(size / BASE64 / piece.length) * piece.length, piece);
	const stream = Buffer.concat([start, attributesOfFile, repeated]);
	return emailWith(stream);
}

const OF_FILE = 0x00069005;
const OF_MESSAGE = 0x00069003;

/** One attribute: the count of its properties, and copies of these bytes. */
function properties(size: number, piece: Buffer, id = OF_FILE): Hostile[] {
	const bytes = Buffer.concat([Buffer.alloc(4, 255), Buffer.alloc(size / BASE64, piece)]);
	return emailWith(Buffer.concat([writeTnef([]), attributesOfFile, attribute(2, id, bytes)]));
}

function rtf(stored: Buffer): Hostile[] {
	return emailWith(writeTnef([], '', 932, [[0x1009, stored]]));
}

/** RTF that is eight times as long as its bytes: the same again and again. */
function growing(size: number, piece: string): Hostile[] {
	const repeated = piece.repeat(Math.ceil(LONGEST_REFERENCE / piece.length));
	const blanks = ' '.repeat(8 - ((repeated.length + 6) % 8));
	const start = Buffer.from(`{\\rtf1${blanks}${repeated}`, 'latin1');
	const groups: Buffer[] = [];
	for (let at = 0; at < start.length; at += 8) {
		groups.push(Buffer.from([0, ...start.subarray(at, at + 8)]));
	}
	let { length } = start;
	while (groups.length * LONGEST_REFERENCE < size / BASE64) {
		const group = Buffer.alloc(LONGEST_REFERENCE, 255);
		for (let at = 1; at < group.length; at += 2) {
			const place = (LENGTH_OF_DICTIONARY + length - repeated.length) & 0xfff;
			group.writeUInt16BE((place << 4) | (LONGEST_REFERENCE - 2), at);
			length += LONGEST_REFERENCE;
		}
		groups.push(group);
	}
	return rtf(compressedRtf(Buffer.concat(groups), Math.min(length, 5_000_000)));
}

function emailWith(stream: Buffer): Hostile[] {
	const type = 'application/ms-tnef; name=winmail.dat';
	return [{ rawEmail: emailOf(type, stream.toString('base64'), 'base64') }];
}

const file = writeTnef([
	{ title: 'a.png', content: Buffer.from('x'), properties: [[0x3712, 'a']] },
]);
const attributesOfFile = file.subarray(writeTnef([]).length);

/** Text properties of three kinds: without a value, named, and with values without an end. */
const EMPTY = Buffer.from([0x1f, 0, 0x07, 0x37, 1, 0, 0, 0, 0, 0, 0, 0]);
const NAMED = Buffer.concat([Buffer.from([3, 0, 0, 0x80]), Buffer.alloc(28)]);
const MANY_VALUES = Buffer.from([0x1f, 0x10, 0x07, 0x37, 255, 255, 255, 0, 0, 0, 0, 0]);

/** A picture and a text that shows it, with many files in many winmail.dat. */
function manyStreams(size: number): Hostile[] {
	const stream = file.toString('base64');
	const headers = ['Content-Type: application/ms-tnef', 'Content-Transfer-Encoding: base64'];
	const html = ['Content-Type: text/html', '', '<img src="cid:a">'.repeat(Math.ceil(size / 40))];
	const count = Math.ceil(size / 2 / stream.length);
	const parts = Array.from({ length: count }, () => [...headers, '', stream]);
	return [{ rawEmail: emailOfParts('multipart/mixed', html, ...parts) }];
}

/** Files that Outlook packs together. */
export const TNEF_FAMILIES = toFamilies({
	'winmail.dat: files': (size) => winmail(size, attributesOfFile),
	'winmail.dat: empty attributes': (size) => winmail(size, attribute(2, 0, Buffer.alloc(0))),
	'winmail.dat: titles of one file': (size) =>
		winmail(size, attribute(2, 0x8010, Buffer.from('name.pdf'))),
	'winmail.dat: empty properties': (size) => properties(size, EMPTY),
	'winmail.dat: named properties': (size) => properties(size, NAMED),
	'winmail.dat: values of one property': (size) =>
		properties(size, Buffer.concat([MANY_VALUES, Buffer.alloc(1_000_000)])),
	'winmail.dat: text in a code page': (size) =>
		emailWith(writeTnef([], 'caf\xe9 \r\n\x85'.repeat(size / BASE64 / 8), 932)),
	'winmail.dat: properties of the message': (size) => properties(size, EMPTY, OF_MESSAGE),
	'winmail.dat: RTF that grows': (size) => growing(size, '{\\rtf1'),
	'winmail.dat: letters between blanks in RTF': (size) => growing(size, '\xe9\\~'),
	'winmail.dat: groups in RTF': (size) => rtf(storedRtf(`{\\rtf1${'{'.repeat(size / BASE64)}`)),
	'winmail.dat: characters in RTF': (size) =>
		rtf(storedRtf(`{\\rtf1\\ansicpg932${"\\u1?\\'e9\\'e9".repeat(size / BASE64 / 13)}`)),
	'winmail.dat: one after another': manyStreams,
});
