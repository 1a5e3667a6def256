import { attribute, writeTnef } from '../../support/tnef';
import { emailOf, emailOfParts, toFamilies, type Hostile } from '../support/family';

const BASE64 = 4 / 3;

/** A winmail.dat of about this size in the email, with copies of these bytes in it. */
function winmail(size: number, piece: Buffer): Hostile[] {
	const start = writeTnef([]);
	const copies = Math.ceil(size / BASE64 / piece.length);
	const stream = Buffer.concat([start, ...Array.from({ length: copies }, () => piece)]);
	const type = 'application/ms-tnef; name=winmail.dat';
	return [{ rawEmail: emailOf(type, stream.toString('base64'), 'base64') }];
}

const file = writeTnef([
	{ title: 'a.png', content: Buffer.from('x'), properties: [[0x3712, 'a']] },
]);
const attributesOfFile = file.subarray(writeTnef([]).length);
const named = Buffer.alloc(12);

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
	'winmail.dat: properties': (size) =>
		winmail(
			size,
			attribute(
				2,
				0x9005,
				Buffer.concat([Buffer.alloc(4, 255), ...Array.from({ length: 900 }, () => named)]),
			),
		),
	'winmail.dat: one after another': manyStreams,
});
