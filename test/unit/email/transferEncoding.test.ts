import fc from 'fast-check';

import { decodeBody } from '../../../nodes/EmailIdentity/email/transferEncoding';

const bytes = fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array));

/** Every byte that is not a letter or digit escaped, in lines of 40 characters. */
function quotedPrintable(content: Buffer): string {
	const characters = Array.from(content, (byte) => {
		const character = String.fromCharCode(byte);
		return /[a-z0-9]/i.test(character)
			? character
			: `=${byte.toString(16).padStart(2, '0').toUpperCase()}`;
	});
	return characters
		.map((character, index) => (index % 40 === 39 ? `${character}=\r\n` : character))
		.join('');
}

test('base64 in lines of any length gives the same bytes', () => {
	fc.assert(
		fc.property(
			bytes,
			fc.integer({ min: 1, max: 90 }),
			fc.constantFrom('\r\n', '\n'),
			(content, width, lineEnd) => {
				const text = (
					content.toString('base64').match(new RegExp(`.{1,${width}}`, 'g')) ?? []
				).join(lineEnd);
				expect(decodeBody(text, 'base64').equals(content)).toBe(true);
			},
		),
	);
});

test.each([
	['Zmlyc3Q=\r\nc2Vjb25k', 'firstsecond'],
	['Zmlyc3Q=c2Vjb25kIQ==dGhpcmQ', 'firstsecond!third'],
	['SGVs-bG8=', 'Hello'],
	['SGVs_bG8=', 'Hello'],
	['SG*Vs\r\n b-G_8=', 'Hello'],
	['SGVsbG8_', 'Hello'],
	['SGVsbG8=_A', 'Hello'],
	['\u4e00-SGVsbG8=', 'Hello'],
])('base64 %j is %j, as mail programs read it', (text, expected) => {
	expect(decodeBody(text, 'base64').toString()).toBe(expected);
});

test('quoted-printable gives the bytes that were encoded', () => {
	fc.assert(
		fc.property(bytes, (content) => {
			const text = quotedPrintable(content);
			expect(decodeBody(text, 'quoted-printable').equals(content)).toBe(true);
		}),
	);
});

test.each([
	['soft=\r\nbreak', 'softbreak'],
	['soft= \t\nbreak', 'softbreak'],
	['at the end=', 'at the end'],
	['=3d=3D', '=='],
	['100=% sure', '100=% sure'],
	['=4', '=4'],
	['hard\r\nbreak\n', 'hard\r\nbreak\n'],
	['ü=C3=BC', 'üü'],
])('quoted-printable %j is %j', (text, expected) => {
	expect(decodeBody(text, 'quoted-printable').toString()).toBe(expected);
});

test('unencoded text is UTF-8, as it came over the wire', () => {
	expect(decodeBody('a\r\nü\u{1f600}', 'none')).toEqual(Buffer.from('a\r\nü\u{1f600}'));
});
