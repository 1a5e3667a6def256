import type { ReadEmailOptions } from '../../../../lib/email';
import { readEmail } from '../../../support/reading';

const emailOf = (type: string, body: string) =>
	[
		'From: a@example.com',
		'Subject: Re: Chairs',
		'In-Reply-To: <one@example.com>',
		`Content-Type: ${type}`,
		'',
		body,
	].join('\r\n');

const PLAIN = emailOf(
	'text/plain',
	'Twelve,   please. \r\n\r\nOn Sat, Nov 21, 2026 at 10:02 AM Bob <bob@example.com> wrote:\r\n> How *many*?\r\n> Bob\r\n',
);

const HTML = emailOf(
	'text/html',
	'<p><b>Twelve</b>, please.</p><div class="gmail_quote"><div class="gmail_attr">On Sat, Nov 21, 2026 at 10:02 AM Bob &lt;bob@example.com&gt; wrote:</div><blockquote><p>How <i>many</i>?</p></blockquote></div>',
);

const shown = async (rawEmail: string, options: Partial<ReadEmailOptions>, limits = {}) => {
	const { email } = await readEmail(rawEmail, undefined, options, limits);
	const { text, removedText } = email;
	return { text, removedText };
};

const NEW = { removeQuotedText: true };
const WROTE = 'On Sat, Nov 21, 2026 at 10:02 AM Bob <bob@example.com> wrote:';

test('a quotation that is removed is in removedText, as plain text or in Markdown', async () => {
	expect(await shown(PLAIN, NEW)).toEqual({
		text: 'Twelve,   please.',
		removedText: `${WROTE}\n> How *many*?\n> Bob`,
	});
	expect(await shown(HTML, NEW)).toEqual({
		text: 'Twelve, please.',
		removedText: `${WROTE}\n\n> How many?`,
	});
	expect(await shown(HTML, { ...NEW, textFormat: 'markdown' })).toEqual({
		text: '**Twelve**, please.',
		removedText: `On Sat, Nov 21, 2026 at 10:02 AM Bob \\<bob@example.com> wrote:\n\n> How *many*?`,
	});
});

test('without Remove Quoted Text, the text is whole and there is no removedText', async () => {
	const plain = await shown(PLAIN, {});
	expect(plain).toEqual({
		text: `Twelve,   please. \n\n${WROTE}\n> How *many*?\n> Bob`,
		removedText: undefined,
	});
	const { text, removedText } = await shown(HTML, { textFormat: 'markdown' });
	expect(text).toMatch(/^\*\*Twelve\*\*, please\..*\n\n> .*How \*many\*\?$/s);
	expect(removedText).toBeUndefined();
});

test('removedText is null if nothing is removed, and the text stays as it is written', async () => {
	const written = '  Two\r\n    columns  here\r\n\r\n\r\nBye';
	const expected = { text: '  Two\n    columns  here\n\n\nBye', removedText: null };
	expect(await shown(emailOf('text/plain', written), NEW)).toEqual(expected);
	const bold = emailOf('text/html', '<p><b>Bold</b></p>');
	const inMarkdown = { ...NEW, textFormat: 'markdown' as const };
	expect(await shown(bold, inMarkdown)).toEqual({ text: '**Bold**', removedText: null });
	const empty = emailOf('text/plain', '');
	expect(await shown(empty, inMarkdown)).toEqual({ text: null, removedText: null });
});

test('blank lines around the text, and around what is removed, are left out', async () => {
	const below = emailOf('text/plain', `\r\n\r\n${WROTE}\r\n> How many?\r\n\r\n\r\nTwelve.\r\n`);
	expect(await shown(below, NEW)).toEqual({
		text: 'Twelve.',
		removedText: `${WROTE}\n> How many?`,
	});
	const { text } = await shown(emailOf('text/plain', '\r\n\r\nHello'), { textFormat: 'markdown' });
	expect(text).toBe('Hello');
});

test('a text that is too long stays whole, also for Remove Quoted Text and Markdown', async () => {
	const limits = { replyLines: 2 };
	const { text, removedText } = await shown(PLAIN, NEW, limits);
	expect(text).toContain('> Bob');
	expect(removedText).toBeNull();
	const inMarkdown = await shown(PLAIN, { textFormat: 'markdown' }, limits);
	expect(inMarkdown).toEqual({ text, removedText: undefined });
	const long = emailOf('text/plain', '*new*\r\n'.repeat(50_001));
	for (const options of [{}, NEW]) {
		const shownLong = await shown(long, { ...options, textFormat: 'markdown' });
		expect(shownLong.text).toBe('*new*\n'.repeat(50_001).trimEnd());
	}
});

test('options that have their effect give no warning', async () => {
	for (const options of [NEW, { ...NEW, textFormat: 'markdown' }, { textFormat: 'markdown' }]) {
		const given = options as Partial<ReadEmailOptions>;
		for (const rawEmail of [PLAIN, HTML]) {
			const { email } = await readEmail(rawEmail, undefined, given);
			expect(email).not.toHaveProperty('warning');
		}
	}
});

test('above a quotation that is too long for Markdown, the text is plain, too', async () => {
	const quotation = '> 2 * 2\r\n'.repeat(60_000);
	const long = emailOf('text/plain', `Say *twelve*.\r\n\r\n${WROTE}\r\n${quotation}`);
	const options = { ...NEW, textFormat: 'markdown' as const };
	const { email } = await readEmail(long, undefined, options);
	expect(email.text).toBe('Say *twelve*.');
	expect(email.removedText).toContain('> 2 * 2\n> 2 * 2');
	expect(email.warning).toMatch(/too long for Markdown/);
});
