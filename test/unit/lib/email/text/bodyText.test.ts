import { readEmail } from '../../../../support/reading';
import { readCorpus } from '../../../guarantees/support/corpus';

const answer = { removeQuotedText: true };

const flowed = (lines: string[], parameters = '') =>
	[
		'From: a@example.com',
		'Subject: Re: Hi',
		`Content-Type: text/plain; charset=utf-8; format=flowed${parameters}`,
		'',
		...lines,
	].join('\r\n');

describe('format=flowed (RFC 3676)', () => {
	test.each<[string, string[], string[]]>([
		['lines that go on', ['one ', 'two ', 'three'], ['one two three']],
		['blanks that were put before lines', [' one ', ' two', '  three'], ['one two', ' three']],
		[
			'an answer below a quotation',
			['> Tuesday? ', 'Yes, at ten.'],
			['> Tuesday? ', 'Yes, at ten.'],
		],
		['an empty quoted line', ['> ', '> Hello'], ['> ', '> Hello']],
		['a quotation that goes on', ['> one ', '> two ', '>three'], ['> one two three']],
		['a quotation in a quotation', ['>> one ', '>> two ', '> three'], ['>> one two ', '> three']],
		['an empty line below a quotation', ['> one ', '', 'two'], ['> one ', '', 'two']],
		['a signature', ['one ', 'two', '-- ', 'Ada'], ['one two', '-- ', 'Ada']],
		['a signature below a line that goes on', ['one ', '-- ', 'Ada'], ['one ', '-- ', 'Ada']],
		['a quoted signature', ['> one ', '> -- ', '> Ada'], ['> one ', '> -- ', '> Ada']],
	])('%s', async (_name, lines, expected) => {
		const { email } = await readEmail(flowed(lines));
		expect(email.text).toBe(expected.join('\n'));
	});

	test('blanks that a server put in where it cut lines are removed', async () => {
		const rawEmail = flowed(['> won ', '> der ', 'ful ', 'ly'], '; delsp=yes');
		const { email } = await readEmail(rawEmail);
		expect(email.text).toBe('> wonder\nfully');
	});

	test('an answer below a quoted line is new', async () => {
		const { email } = await readEmail(flowed(['> Tuesday? ', 'Yes, at ten.']), undefined, answer);
		expect(email.text).toBe('Yes, at ten.');
	});
});

test('a blank text beside HTML does not count, also if a footer follows', async () => {
	const { email } = await readEmail(readCorpus('alternative-blank-text.eml'));
	expect(email.text?.split(/\n+/)).toEqual(['The question.', '_'.repeat(47), 'List mailing list']);
});

test('text without a charset that is no UTF-8 is Windows-1252', async () => {
	const { email } = await readEmail(readCorpus('charset-missing.eml'));
	expect(email.text).toBe('Café € 5');
});

test('several texts in base64 get no blank line between them', async () => {
	const part = (text: string) =>
		`--b\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64')}\r\n`;
	const rawEmail = `From: a@b.c\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part('One')}${part('Two')}--b--`;
	expect((await readEmail(rawEmail)).email.text).toBe('One\nTwo');
});

test('a text beside HTML that is too long to be read as HTML follows the text of the HTML as it was written', async () => {
	const long = 'a < b & c\n'.repeat(100_001).trimEnd();
	const html = 'Content-Type: text/html\r\n\r\n<p>Log &amp; more</p>';
	const parts = [`\r\n${long}`, html].map((part) => `--b\r\n${part}\r\n`);
	const rawEmail = `From: a@b.c\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--`;
	const { email } = await readEmail(rawEmail);
	expect(email.text).toBe(`Log & more\n\n${long}`);
	expect(email.html).toContain('a &lt; b &amp; c\n');
	expect(email.html).toContain('<p>Log &amp; more</p>');
});
