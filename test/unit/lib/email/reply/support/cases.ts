import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../cases');
const SEPARATOR = '\n=====\n';

/** A reply as its mail program writes it; the file has its subject, its new text and its body. */
export interface ReplyCase {
	file: string;
	kind: 'plain' | 'html';
	subject: string;
	newText: string;
	body: string;
}

export const REPLY_CASES: readonly ReplyCase[] = readdirSync(FOLDER).map((file) => {
	const [subject = '', newText = '', ...body] = readFileSync(join(FOLDER, file), 'utf8').split(
		SEPARATOR,
	);
	return {
		file,
		kind: file.endsWith('.html') ? 'html' : 'plain',
		subject,
		newText,
		body: body.join(SEPARATOR).replace(/\n$/, ''),
	};
});

export const rawReply = (headers: string[], kind: 'plain' | 'html', body: string) =>
	[
		'From: Grace <grace@example.com>',
		...headers,
		`Content-Type: text/${kind}; charset=utf-8`,
		'Content-Transfer-Encoding: base64',
		'',
		Buffer.from(body).toString('base64'),
	].join('\r\n');

/** What `removeQuotedText` knows of a reply. */
export const REPLY = {
	from: null,
	subject: 'Re: Minutes',
	thread: { id: null, messageId: null, inReplyTo: null, references: [], replyTo: [] },
};
