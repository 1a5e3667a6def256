import { email, emailOf, fill, record, toFamilies } from '../support/family';
import type { Hostile } from '../support/family';

const multipart = (boundary: string, body: string): Hostile => ({
	rawEmail: emailOf(`multipart/mixed; boundary="${boundary}"`, body),
});

const body = (text: string): Hostile => ({ rawEmail: email([], text) });

const flowed = (text: string): Hostile => ({
	rawEmail: emailOf('text/plain; format=flowed; delsp=yes', text),
});

/** Nested containers, each with its own boundary. */
function containers(count: number, boundary: (index: number) => string, lines: string): Hostile {
	const opening = Array.from(
		{ length: count },
		(_, index) =>
			`Content-Type: multipart/mixed; boundary="${boundary(index)}"\r\n\r\n--${boundary(index)}\r\n`,
	);
	return { rawEmail: `From: a@example.com\r\n${opening.join('')}\r\n${lines}` };
}

const MAX_PARTS = 1990;

/** As many parts as an email may have, or as fit into it, filled with a piece. */
function thousandsOf(size: number, header: string, piece: string): Hostile {
	const count = Math.min(MAX_PARTS, Math.ceil(size / 200));
	const start = `--p\r\n${header}`;
	const content = fill(size / count - start.length, piece);
	return multipart('p', `${start}${content}\r\n\r\n`.repeat(count));
}

/** HTML beside a picture that it could show, by Content-ID and by address. */
const besidePicture = (html: string): Hostile => ({
	rawEmail: emailOf(
		'multipart/related; boundary=p; type="text/html"',
		`--p\r\nContent-Type: text/html\r\n\r\n${html}\r\n--p\r\nContent-Type: image/png\r\nContent-ID: <a>\r\nContent-Location: a.png\r\n\r\nx\r\n--p--`,
	),
});

/** Nested attached emails, each in a container with its own boundary. */
const attachedEmails = (count: number, innermost: string) =>
	Array.from({ length: count }, (_, index) => {
		const type = `multipart/mixed; boundary=b${index}`;
		return emailOf(type, `--b${index}\r\nContent-Type: message/rfc822\r\n\r\n`);
	}).join('') + innermost;

const inBase64 = (rawEmail: string) =>
	emailOf('message/rfc822', Buffer.from(rawEmail).toString('base64'), 'base64');

export const STRUCTURE_FAMILIES = toFamilies({
	'boundaries: lines that look like one': (size) => [
		multipart('part', `--part\r\n\r\nHello\r\n--part--\r\n${fill(size, '--par\r\n')}`),
		multipart('part', fill(size, '--part-x\r\n')),
		multipart('-', fill(size, '--\n')),
	],
	'boundaries: below ninety containers': (size) => [
		containers(90, (index) => `b${index}`, fill(size, '--b\r\n')),
		containers(90, (index) => 'b'.repeat(index + 1), fill(size, `--${'b'.repeat(91)}\r\n`)),
		containers(
			60,
			(index) => 'b'.repeat(index + 1),
			fill(size, (index) => `--${'b'.repeat((index % 60) + 1)}\r\n\r\nx\r\n`),
		),
	],
	'boundaries: with blanks or carriage returns after them': (size) => [
		multipart('part', `--part${fill(size, ' ')}x\r\n`),
		multipart('part', fill(size, `--part${' '.repeat(1000)}x\r\n`)),
		multipart('part', `--part${fill(size, '\r')}x\r\n`),
	],
	'boundaries: huge ones': (size) => [
		multipart('b'.repeat(size / 3), `--${'b'.repeat(size / 3)}\r\n\r\nx\r\n`),
		multipart(`${'b'.repeat(999)}c`, fill(size, `--${'b'.repeat(999)}\r\n`)),
	],
	'boundaries: another one than is named': (size) => [
		multipart('part', fill(size, '--other\r\nContent-Type: text/plain\r\n\r\nx\r\n')),
		multipart('part', fill(size, '\n--x')),
		multipart('part', fill(size, `--${'x'.repeat(199)} `)),
		multipart('part', `--x${fill(size, ' ')}`),
	],
	'structure: thousands of tiny parts': (size) => [
		multipart('p', fill(size, '--p\r\n\r\nx\r\n')),
		multipart('p', fill(size, '--p\r\n')),
		multipart('p', fill(size, '--p\r\nContent-Type: text/html\r\n\r\n<a href=x>y\r\n')),
		multipart('p', fill(size, '--p\r\nContent-Disposition: attachment\r\n\r\nx\r\n')),
	],
	'structure: as many parts as there may be': (size) => [
		thousandsOf(size, 'Content-Disposition: attachment\r\n\r\n', 'x'),
		thousandsOf(size, '\r\n', 'x\r\n'),
		thousandsOf(size, '', 'X: y\r\n'),
	],
	'structure: headers that do not end': (size) => [
		multipart('p', fill(size, '--p\r\nContent-Type: text/plain\r\nHello\r\n \r\nHello\r\n')),
		multipart('p', fill(size, '--p\r\n \r\n')),
		{ rawEmail: `From: a@example.com\r\n${fill(size, 'Hello\r\nX-A: b\r\n')}` },
		{ rawEmail: `From: a@example.com\r\n${fill(size, ' \r\nTo: b\r\n')}` },
		{ rawEmail: `From: a@example.com\r\n${fill(size, 'Hello\r\n')}` },
	],
	'structure: containers within each other and beside each other': (size) => [
		containers(Math.floor(size / 60), (index) => `b${index}`, 'x'),
		containers(90, (index) => `b${index}`, fill(size, 'x\r\n')),
		multipart(
			'p',
			fill(
				size,
				(index) =>
					`--p\r\nContent-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n\r\nx\r\n--b${index}--\r\n`,
			),
		),
	],
	'structure: emails within each other, digests, reports': (size) => [
		{ rawEmail: fill(size, 'Content-Type: message/rfc822\r\n\r\n') },
		{
			rawEmail: emailOf(
				'multipart/digest; boundary=p',
				fill(size, '--p\r\n\r\nFrom: a@b\r\n\r\nx\r\n'),
			),
		},
		{
			rawEmail: emailOf(
				'multipart/report; boundary=p',
				fill(size, '--p\r\nContent-Type: message/delivery-status\r\n\r\nStatus: 5.0.0\r\n'),
			),
		},
	],
	'structure: attached emails within each other': (size) => [
		{ rawEmail: attachedEmails(100, fill(size, 'x\r\n')) },
		{ rawEmail: attachedEmails(100, fill(size, '--b\r\n')) },
		{ rawEmail: attachedEmails(Math.ceil(size / 150), 'x') },
		{ rawEmail: inBase64(inBase64(inBase64(inBase64(email([], fill(size / 3, 'x\r\n')))))) },
		{ rawEmail: inBase64(inBase64(inBase64(email([], fill(size / 3, '\0'))))) },
	],
	'structure: thousands of attached emails': (size) => [
		multipart('p', fill(size, `--p\r\nContent-Type: message/rfc822\r\n\r\n${email([], 'x')}\r\n`)),
		multipart('p', fill(size, '--p\r\nContent-Type: message/rfc822\r\n\r\nTo: b\r\n')),
		multipart('p', fill(size, '--p\r\nContent-Type: a/b; name=a.eml\r\n\r\n--b\r\n\r\n--b\r\n')),
		{ rawEmail: inBase64(emailOf('multipart/mixed; boundary=p', fill(size / 2, '--p\r\n'))) },
		thousandsOf(size, 'Content-Type: message/rfc822\r\n\r\n', 'X: y\r\n'),
		thousandsOf(size, 'Content-Type: message/rfc822\r\n\r\nTo: b\r\n\r\n', '--x\r\n\r\n'),
	],
	'structure: HTML beside a picture': (size) => [
		besidePicture(`<img srcset="${fill(size, 'cid:a ')}">`),
		besidePicture(`<img src="cid:${fill(size, '&amp;')}">`),
		besidePicture(`<style>${fill(size, 'url(cid:a')}</style>`),
		besidePicture(`<style>url(${fill(size, ' ')}</style>`),
		besidePicture(fill(size, '<style>url("cid:')),
		besidePicture(fill(size, '<p style="background:url(cid:a)">')),
		besidePicture(fill(size, '<!--[if mso]><img src=cid:a><![endif]-->')),
		besidePicture(`<!--[if mso]>${fill(size, '<!--[if mso]>')}-->`),
	],
	'structure: irregular types': (size) => [
		multipart('p', fill(size, '--p\r\nContent-Type: (c) text/plain\r\n\r\nx\r\n')),
		{ rawEmail: emailOf('(c) text/plain', fill(size, 'x\n')) },
		{ rawEmail: emailOf('multipart/mixed; boundary=p (c', fill(size, '\n')) },
		{ rawEmail: emailOf('multipart/mixed; boundary=(c)p', fill(size, '--p\nx\n')) },
	],
	'text: only line breaks': (size) => [
		body(fill(size, '\n')),
		body(fill(size, '\r')),
		body(fill(size, 'a\r\r\n')),
		body(`${fill(size, '\r')}x`),
		body(fill(size, `x${'\r'.repeat(1000)}`)),
	],
	'text: beside tiny HTML': (size) =>
		['<&>\r\n', '&'].map((piece) =>
			multipart(
				'p',
				`--p\r\n\r\n${fill(size, piece)}\r\n--p\r\nContent-Type: text/html\r\n\r\n<p>x\r\n--p--`,
			),
		),
	'text: blanks at the end': (size) => [
		body(fill(size, ' ')),
		body(`${fill(size, ' ')}x${fill(size / 2, '\n ')}`),
		record({ text: `${fill(size, ' ')}x` }),
	],
	'text: marks, NUL': (size) => [
		body(fill(size, '\ud83d\ude00\u0300')),
		body(fill(size, '\0')),
		{ rawEmail: fill(size, '\0') },
	],
	'flowed: lines and marks of quoting': (size) => [
		flowed(fill(size, '> a \r\n>> b \r\n')),
		flowed(fill(size, ' \r\n')),
		flowed(`${fill(size, '>')} \r\nx`),
		flowed(fill(size, `${'>'.repeat(70)} \r\n`)),
	],
});
