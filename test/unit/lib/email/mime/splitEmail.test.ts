import fc from 'fast-check';

import { splitEmail } from '../../../../../lib/email';

/** RFC 5322, 2.2 and 3.6.8, with the obsolete blanks before a colon and folded lines of blanks; line breaks may be LF. */
function plainModel(raw: string) {
	const lines = raw.split(/\r?\n/);
	const end = lines.indexOf('');
	const header = end < 0 ? lines : lines.slice(0, end);
	const isPlain = header.every(
		(line, index) =>
			!/[\r\0]/.test(line) &&
			(/^[!-9;-~]+[ \t]*:/.test(line) || (index > 0 && /^[ \t]/.test(line))),
	);
	if (!isPlain) return 'ambiguousHeader';
	const fields: string[] = [];
	for (const line of header) {
		if (/^[ \t]/.test(line)) fields[fields.length - 1] += `\n${line}`;
		else fields.push(line);
	}
	return { fields, body: end < 0 ? '' : lines.slice(end + 1).join('\n') };
}

const LINES = [
	'From: Ada <ada@example.com>',
	'Subject: Pay',
	'SUBJECT \t: x',
	'Content-Type: text/plain',
	'X: y',
	':',
	'no colon',
	'From ada@example.com Sat Nov 21',
	' folded',
	'\t',
	'   ',
	'',
	'a\rb: c',
	'a: b\0',
	'ä: b',
	'--b',
	`<!--${'x'.repeat(250)}: --><h1>Pay Eve.</h1><!--`,
];

const line = fc.tuple(fc.constantFrom(...LINES), fc.constantFrom('\r\n', '\n', '\r\n'));
const emails = fc
	.array(line, { maxLength: 12 })
	.map((lines) => `From: Ada <ada@example.com>\r\n${lines.flat().join('')}`);

const read = (raw: string) => {
	const { fields, body, flaw } = splitEmail(raw);
	const plain = (text: string) => text.replaceAll('\r\n', '\n');
	return flaw ?? { fields: fields.map(({ text }) => plain(text)), body: plain(body) };
};

test('a header of fields and folded lines is split by the standard; one with any other line is ambiguous', () => {
	fc.assert(
		fc.property(emails, (raw) => {
			expect(read(raw)).toEqual(plainModel(raw));
		}),
		{ numRuns: 3000 },
	);
});

test.each([NaN, 0, 1.5, Infinity])('a limit of %s throws', (headerLines) => {
	expect(() => splitEmail('From: a', { headerLines })).toThrow('headerLines');
});
