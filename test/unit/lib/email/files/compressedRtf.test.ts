import * as fc from 'fast-check';

import { decompressRtf } from '../../../../../lib/email/files/compressedRtf';
import { newPace } from '../../../../support/reading';
import { compressedRtf, storedRtf } from '../../../../support/tnef';

const decompress = async (stored: Buffer) =>
	(await decompressRtf(stored, newPace()))?.toString('latin1');

/** The example of MS-OXRTFCP, 4.1.1, without the header. */
const SIMPLE = Buffer.from(
	'03000a007263706731323542320af32068656c0900206277' + '05b06c647d0a800fa0',
	'hex',
);

test('a text is decompressed, as in the example of its definition', async () => {
	expect(await decompress(compressedRtf(SIMPLE, 43))).toBe(
		'{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
	);
});

test('a reference may go on with what it writes', async () => {
	// A letter, and 17 characters from its place in the dictionary.
	const repeating = Buffer.from([0b10, 0x58, 0x0c, 0xff]);
	expect(await decompress(compressedRtf(repeating, 18))).toBe('X'.repeat(18));
});

test('a reference reaches almost 4,096 characters back, and counts on behind the end of the dictionary', async () => {
	const letters = Array.from({ length: 5000 }, (_, index) => 0x20 + (index % 93));
	const groups = Array.from({ length: 625 }, (_, group) => [
		0,
		...letters.slice(group * 8, group * 8 + 8),
	]);
	// The 4,000 characters above, and the 207 before all others.
	const place = (207 + 5000 - 4000) & 0xfff;
	const content = Buffer.from([...groups.flat(), 1, place >> 4, ((place & 0xf) << 4) | 8]);
	const text = await decompress(compressedRtf(content, 5010));
	expect(text?.slice(5000)).toBe(Buffer.from(letters.slice(1000, 1010)).toString());
});

test('the stated length ends the text, but no length makes it longer than its content allows', async () => {
	expect(await decompress(compressedRtf(SIMPLE, 5))).toBe('{\\rtf');
	const stored = compressedRtf(SIMPLE, 4_000_000);
	expect((await decompress(stored))?.length).toBe(43);
});

test('a text that is not compressed is as it is', async () => {
	expect(await decompress(storedRtf('{\\rtf1 Hello}'))).toBe('{\\rtf1 Hello}');
});

test('another kind, a short header and a text that is too long are not read', async () => {
	const unknown = storedRtf('{\\rtf1}');
	unknown.write('ABCD', 8);
	for (const stored of [unknown, Buffer.alloc(15), compressedRtf(SIMPLE, 5_000_001)]) {
		expect(await decompress(stored)).toBeUndefined();
	}
});

test('no bytes make it fail, or longer than stated', async () => {
	await fc.assert(
		fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.nat(1000), async (bytes, length) => {
			const text = await decompress(compressedRtf(Buffer.from(bytes), length));
			expect(text?.length).toBeLessThanOrEqual(length);
		}),
	);
});
