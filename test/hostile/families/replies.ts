import { around, email, familiesOf, fill, made, numbered } from '../support/family';
import type { Family, Hostile, Piece, Rows } from '../support/family';

/** A reply, so that its quoted text is removed; the beginning is the author's own text. */
function answer(body: string, subject = 'Re: Hello'): Hostile {
	const headers = [
		`Subject: ${subject}`,
		'In-Reply-To: <one@example.com>',
		'Content-Type: text/plain; charset=utf-8',
		'Content-Transfer-Encoding: 8bit',
	];
	return { rawEmail: email(headers, `Yes.\r\n${body}`) };
}

const TEXTS: Rows = [
	['quoted lines', '> x\n'],
	['marks of quoting in one line', '>'],
	['deep marks of quoting', numbered((index) => `${'>'.repeat(index % 300)} x\n`)],
	['quoted lines and others', '> x\n\ny\n\n'],
	['words above nothing', 'On Sat, Nov 21, 2026 at 10:02 AM Ada <ada@example.com> wrote:\n'],
	['words above quoted lines', 'On 21/11/2026 10:02, Ada wrote:\n> x\n'],
	['words that begin, in lines', 'On Sat, Nov 21, 2026 at 10:02 AM Ada Lovelace\n'],
	[
		'words in four lines',
		`\nOn Sat, Nov 21, 2026 10:02 ${'a'.repeat(40)}\n${'b'.repeat(40)}\n${'c'.repeat(40)} <a@b\nwrote:\n`,
	],
	['first lines of headers', 'From: x\n'],
	['headers that go on', `From: x\n${'y\n'.repeat(24)}`],
	['headers about something else', 'From: x\nSent: y\nTo: z\nSubject: another matter\n\nx\n\n'],
	['lines of dashes', '-----\n'],
	['lines of underscores and links', `${'_'.repeat(47)}\nhttps://x.example\n`],
	['signatures', '--\nx\n'],
	['lines of apps', 'Sent from my iPhone\n'],
	['words that point below', 'see below '],
	['empty lines', '\n'],
	['folded words without an end', `On 21/11/2026 10:02 ${'1'.repeat(200)}\nx\ny:\n`],
	['ends of words', 'Ada <ada@example.com>\n21. Nov.\nwrote:\n'],
	['months', (size) => fill(size, `${'1'.repeat(900)} x.\ny:\n`)],
	['numbers below dashes', around('--\nAda\n', '1 ')],
	['combining marks', around('o', '\u0301')],
	['folds at a bracket', `${'<'.repeat(300)}${'a@'.repeat(300)}\n> wrote:\n`],
	['words of forwards', '-- forwarded\n'],
];

const SUBJECTS: Array<[name: string, subject: Piece]> = [
	['prefixes', 'Re: '],
	['tags', '[x] '],
	['tags that never end', '['],
	['a prefix of blanks', around('Re', ' ', ':')],
	['numbers of a prefix', around('Re[', '1', ':')],
];

// More than that is refused as a header.
const MAX_SUBJECT = 60_000;

export const REPLY_FAMILIES: Family[] = [
	...familiesOf('replies', TEXTS, (text) => [
		answer(`\n${text}`),
		// Its prefix counts more than the email that it answers.
		answer(`\n${text}`, 'Fwd: Hello'),
	]),
	...SUBJECTS.map(([name, subject]) => ({
		name: `subjects of replies: ${name}`,
		make: (size: number) => [answer('> x', made(subject, Math.min(size, MAX_SUBJECT)))],
	})),
];
