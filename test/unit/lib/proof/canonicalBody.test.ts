import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { splitEmail } from '../../../../lib/email';
import { CanonicalBody, type Canonicalization } from '../../../../lib/proof/canonicalBody';
import { corpusFiles, readCorpus } from '../../guarantees/support/corpus';

/** More of them with `npm test -- all`. */
const LONG_BODIES = Number(process.env.LONG_BODIES ?? 20);

const pause = async () => {};

/** The body by the letter of RFC 6376, 3.4.3 and 3.4.4, with these blanks within its lines. */
function byTheLetter(body: string, inLine: (line: string) => string): string {
	const lines = body.split(/\r?\n/).map(inLine);
	while (lines.at(-1) === '') lines.pop();
	return lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`;
}

const withoutBlanksAtEnd = (line: string) => line.replace(/(?<![ \t])[ \t]+$/, '');

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');

const FORMS: Record<Canonicalization, (body: string) => string> = {
	relaxed: (body) => byTheLetter(body, (line) => withoutBlanksAtEnd(line).replace(/[ \t]+/g, ' ')),
	simple: (body) => byTheLetter(body, (line) => line) || '\r\n',
};

/** Reads a body before and after it was hashed, because what is known of the hashed text is used again. */
async function expectForms(body: string) {
	const expected = byTheLetter(body, withoutBlanksAtEnd);
	const canonical = new CanonicalBody(body, pause);
	expect((await canonical.asSigned()) === expected).toBe(true);
	for (const way of ['simple', 'relaxed'] as const) {
		const text = FORMS[way](body);
		expect(await canonical.hash(way)).toBe(hashOf(text));
		expect(await canonical.length(way)).toBe(Buffer.byteLength(text));
	}
	expect((await canonical.asSigned()) === expected).toBe(true);
}

test('the bodies of real emails are read and hashed by the letter of the standard', async () => {
	for (const file of corpusFiles) {
		const { body } = splitEmail(readCorpus(file));
		await expectForms(body);
		await expectForms(body.replace(/\r?\n/g, '\r\n'));
	}
});

/** Around the length of a piece, so that each kind of text is cut at each place. */
const LENGTHS = [1, 1, 2, 3, 100, 131_070, 131_071, 131_072, 131_073, 300_000];
const TEXTS = ['\r\n', '\n', '\r', ' ', '\t', ' \t', 'a', 'a ', 'é', '😀', '\u00a0', 'a b\r\n'];

const longBodies = fc
	.array(fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...LENGTHS)), { maxLength: 12 })
	.map((list) => list.map(([text, length]) => text.repeat(length)).join(''));

test('long bodies of any shape are read and hashed by the letter of the standard', async () => {
	await fc.assert(fc.asyncProperty(longBodies, expectForms), { numRuns: LONG_BODIES });
});

test.each([
	['blanks within a line', `a${' '.repeat(600_000)}b`],
	['blanks at the end of a line', `a${'\t'.repeat(600_000)}\r\nb`],
	['empty lines', `${'\n'.repeat(600_000)}b`],
])('a body with very many %s is read with pauses', async (_what, body) => {
	let pauses = 0;
	const canonical = new CanonicalBody(body, async () => {
		pauses++;
	});
	await canonical.asSigned();
	expect(pauses).toBeGreaterThan(0);
});
