import {
	rawEmailProblem,
	withoutMailboxLine,
} from '../../../../nodes/EmailIdentity/operations/message/rawEmailProblem';

const EMAIL = 'From: a@example.org\r\nSubject: Hi\r\n\r\nHello\r\n';
const LINE = 'From a@example.org Sat Nov 21 10:00:00 2026';

const problemOf = (text: string) => rawEmailProblem(Buffer.from(text))?.message;

test('an email of 50 MB is read, and a larger one is refused with both sizes', () => {
	const bytes = Buffer.alloc(53_400_000, EMAIL);
	expect(rawEmailProblem(bytes.subarray(0, 50_000_000))).toBeUndefined();
	expect(rawEmailProblem(bytes)).toEqual({
		message: 'The email is too large to parse',
		description: expect.stringMatching(/\b53 MB.*\b50 MB/) as string,
	});
});

test.each([
	['an email', EMAIL],
	['blank lines in front', `\r\n\n${EMAIL}`],
	['one email of a mailbox file', `${LINE}\n${EMAIL}`],
	['one whose lines end with CRLF', `${LINE}\r\n${EMAIL}`],
	[
		'a line of its text like that of a mailbox file',
		`${LINE}\n${EMAIL}\nFrom here on, all is new\n`,
	],
	['a mailbox line only in its text', `${EMAIL}\n${LINE}\n${EMAIL}`],
])('%s is an email', (_what, text) => {
	expect(problemOf(text)).toBeUndefined();
});

test.each([
	['only the line of a mailbox file', LINE, /not an email/],
	['fields that come after an empty line', 'Hello\r\n\r\nFrom: a@example.org\r\n', /not an email/],
	['fields behind a blank line of blanks', 'Hello\n \t\nFrom: a@example.org\n', /not an email/],
	['a later one of several emails', `${LINE}\n${EMAIL}\nFrom me\n\n${LINE}\n${EMAIL}`, /several/],
])('%s: it is refused', (_what, text, message) => {
	expect(problemOf(text)).toMatch(message);
});

test('only the line of a mailbox file is removed', () => {
	const without = (text: string) => withoutMailboxLine(Buffer.from(text)).toString();
	expect(without(`${LINE}\r\n${EMAIL}`)).toBe(EMAIL);
	expect(without(EMAIL)).toBe(EMAIL);
	expect(without(`From me\n${EMAIL}`)).toBe(`From me\n${EMAIL}`);
	expect(without(LINE)).toBe(LINE);
});
