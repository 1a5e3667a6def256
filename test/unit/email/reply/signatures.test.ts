import { newPace } from '../../../reading';
import { removeQuotedText } from '../../../../nodes/EmailIdentity/email/reply/removeQuotedText';

const ANSWER = {
	subject: 'Re: Minutes',
	thread: { id: null, messageId: null, inReplyTo: null, references: [], replyTo: [] },
};

const newHtml = async (html: string) =>
	(await removeQuotedText({ text: null, html }, ANSWER, newPace())).html ?? '';

const signature = (lines: number) =>
	`<div class="gmail_signature">${Array.from({ length: lines }, (_, index) => `Line ${index + 1}`).join('<br>')}</div>`;

test('a signature of twenty lines goes', async () => {
	expect(await newHtml(`<div>Yes.</div>${signature(20)}`)).toBe('<div>Yes.</div>');
});

test.each([21, 25])('a signature of %d lines stays whole', async (lines) => {
	const html = `<div>Yes.</div>${signature(lines)}`;
	expect(await newHtml(html)).toBe(html);
});

test('what somebody writes below a signature stays, with all of the signature', async () => {
	const html = `<div>Yes.</div>${signature(3)}<div>PS: I bring the key.</div>`;
	expect(await newHtml(html)).toBe(html);
});
