import { numbers, prose } from '../emails/words';

const HEADERS = [
	'From: Ada <ada@example.com>',
	'To: Sales <sales@example.test>',
	'Subject: Re: Your order',
	'Message-ID: <answer@example.com>',
	'In-Reply-To: <question@example.test>',
	'Date: Sat, 21 Nov 2026 10:00:00 +0000',
	'MIME-Version: 1.0',
	'Content-Type: multipart/alternative; boundary="alternative-91c2"',
	'',
];

const ABOVE = 'On Sat, Nov 21, 2026 at 10:02 AM Grace <grace@example.com> wrote:';
const NEW_CHARACTERS = 500;
const TEXT_SHARE = 0.4;

/** A reply as Gmail writes it: a few new lines, and below them a long conversation, as text and as HTML. */
export function composeReply(size: number): string {
	const next = numbers(size);
	const answer = prose(NEW_CHARACTERS, next).split('\r\n');
	const history = prose(size * TEXT_SHARE, next).split('\r\n');
	const asText = [...answer, '', ABOVE, '', ...history.map((line) => `> ${line}`)];
	return [
		...HEADERS,
		...part('text/plain', asText.join('\r\n')),
		...part(
			'text/html',
			[
				...answer.map((line) => `<div>${line}</div>`),
				`<div class="gmail_quote"><div class="gmail_attr">${ABOVE.replace(/</g, '&lt;')}</div>`,
				'<blockquote class="gmail_quote">',
				...history.map((line) => `<div>${line}</div>`),
				'</blockquote></div>',
			].join('\r\n'),
		),
		'--alternative-91c2--',
		'',
	].join('\r\n');
}

function part(type: string, body: string): string[] {
	return [
		'--alternative-91c2',
		`Content-Type: ${type}; charset=utf-8`,
		'Content-Transfer-Encoding: 8bit',
		'',
		body,
	];
}
