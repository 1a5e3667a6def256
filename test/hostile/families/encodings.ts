import { decodeRawEmail } from '../../../lib/email';
import { email, emailOf, fill, toFamilies } from '../support/family';
import type { Hostile } from '../support/family';

/** A body in one encoding, as text, as HTML, as a file and in a part. */
function encoded(encoding: string, body: string, charset = 'utf-8'): Hostile[] {
	const type = `text/plain; charset=${charset}`;
	const part = `--p\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n--p--\r\n`;
	return [
		{ rawEmail: emailOf(type, body, encoding) },
		{ rawEmail: emailOf(`text/html; charset=${charset}`, body, encoding) },
		{ rawEmail: emailOf('application/pdf', body, encoding) },
		{ rawEmail: emailOf('multipart/mixed; boundary=p', part) },
	];
}

const notUtf8 = (size: number) => Buffer.alloc(Math.ceil((size * 3) / 4), 0xe9).toString('base64');

/** An email with a byte for each character, as a file and attached to another email: anyone can attach one. */
function inBytes(rawEmail: string): Hostile[] {
	const bytes = Buffer.from(rawEmail, 'latin1');
	return [
		{ rawEmail: decodeRawEmail(bytes) },
		{ rawEmail: emailOf('message/rfc822', bytes.toString('base64'), 'base64') },
	];
}

/** A body that is repeated, for each encoding. */
const PIECES: Array<[encoding: string, name: string, ...pieces: string[]]> = [
	['base64', 'short lines', 'Y\n', 'YQ\r\n', 'YQ==\r\n', '\r\n'],
	['base64', 'padding', '=', '=   '],
	['base64', 'one line', 'YWFh'],
	['base64', 'junk', 'Y*\x01-_', '*', '-_-_'],
	['quoted-printable', 'soft line breaks', '=\r\n', '= \t \r\n', `=${' '.repeat(1000)}`],
	['quoted-printable', 'equals', '=', '= ', '=G1=1G'],
	['quoted-printable', 'one line', '=C3=A4'],
	['quoted-printable', 'letters between encoded ones', 'é=E9', 'é='],
	['quoted-printable', 'blanks at the end of lines', `${' '.repeat(500)}\r\n`],
	['uuencode', 'lines', 'M86%A86%A\r\n', 'begin 644 x\r\n', '_', '\n'],
	['x-odd', 'unknown', 'x\r\n'],
];

export const ENCODING_FAMILIES = [
	...PIECES.map(([encoding, name, ...pieces]) => ({
		name: `${encoding}: ${name}`,
		make: (size: number) =>
			pieces.flatMap((piece) => encoded(encoding, fill(size, piece), 'iso-8859-2')),
	})),
	...toFamilies({
		'bytes: header fields': (size) =>
			inBytes(email([fill(size, (index) => `X-${index}: \xe4\xc3\xa4\r\n`) + 'X: \xe4'], '\xe4')),
		'bytes: one header field': (size) =>
			inBytes(email([`Subject: ${fill(size, '\xe4\xc3\xa4')}`], 'x')),
		'bytes: names of charsets': (size) =>
			inBytes(email([`X: ${fill(size, 'charset   =  "')}`], '\xe4')),
		'bytes: text, most of it wrong': (size) =>
			inBytes(emailOf('text/plain', fill(size, '\xe4 \xc3\xa4\xff'))),
		'bytes: text in GBK': (size) =>
			inBytes(emailOf('text/html; charset=gbk', fill(size, '\x81@\xfe\xff'))),
		'bytes: parts': (size) =>
			inBytes(
				emailOf(
					'multipart/mixed; boundary=p',
					fill(size, '--p\r\nContent-Type: text/plain; name="\xe4"\r\n\r\n\xe4\r\n'),
				),
			),
		'charsets: ISO-2022-JP': (size) => [
			...encoded('8bit', fill(size, '\x1b$B$3\x1b(B'), 'iso-2022-jp'),
			...encoded('8bit', fill(size, '\x1b$B'), 'iso-2022-jp'),
			...encoded('8bit', fill(size, '\x1bé'), 'iso-2022-jp'),
		],
		'charsets: UTF-16': (size) => {
			const bytes = Buffer.from(fill(size / 3, '<a href='), 'utf16le').toString('base64');
			return encoded('base64', bytes, 'utf-16');
		},
		'charsets: from tables': (size) => encoded('base64', notUtf8(size), 'cp437'),
		'charsets: none, of what is no UTF-8': (size) => [
			{ rawEmail: emailOf('text/plain', notUtf8(size), 'base64') },
		],
		'charsets: letters that were lost': (size) => [
			...encoded('8bit', fill(size, '\x80\x99')),
			...encoded('8bit', fill(size, '\ufffd')),
		],
		'charsets: one huge name': (size) => [
			{ rawEmail: emailOf(`text/plain; charset=${'x-'.repeat(size / 2)}`, 'x') },
			{ rawEmail: emailOf(`text/plain; charset="${fill(size, ' .')}"`, 'x') },
			{ rawEmail: email([fill(size, 'X: charset= =?a? *=b').slice(0, size)], 'x') },
			{ rawEmail: email([`Content-Transfer-Encoding: ${fill(size, 'base6')}`], 'x') },
		],
		'charsets: one for each part': (size) => [
			{
				rawEmail: emailOf(
					'multipart/mixed; boundary=p',
					fill(
						Math.min(size, 100_000),
						(index) => `--p\r\nContent-Type: text/plain; charset=x-${index}\r\n\r\nx\r\n`,
					),
				),
			},
		],
	}),
];
