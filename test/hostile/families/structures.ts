import { email, emailOf, fill, type Family, type Hostile } from '../family';

const multipart = (boundary: string, body: string): Hostile => ({
	rawEmail: emailOf(`multipart/mixed; boundary="${boundary}"`, body),
});

const text = (body: string) =>
	`--part\r\nContent-Type: text/plain\r\n\r\nHello\r\n--part--\r\n${body}`;

/** Containers within each other; each has a boundary of its own. */
function containers(count: number, boundary: (index: number) => string, lines: string): Hostile {
	const opening = Array.from(
		{ length: count },
		(_, index) =>
			`Content-Type: multipart/mixed; boundary="${boundary(index)}"\r\n\r\n--${boundary(index)}\r\n`,
	);
	return { rawEmail: `From: a@example.com\r\n${opening.join('')}\r\n${lines}` };
}

const MOST_PARTS = 1990;

/** As many parts as an email may have, or as fit into it, filled up with a piece. */
function thousandsOf(size: number, start: string, piece: string): string {
	const count = Math.min(MOST_PARTS, Math.ceil(size / 200));
	const content = fill(size / count - start.length, piece);
	return `${start}${content}\r\n\r\n`.repeat(count);
}

export const STRUCTURE_FAMILIES: Family[] = [
	{
		name: 'boundaries: lines that look like one',
		make: (size) => [
			multipart('part', text(fill(size, '--par\r\n'))),
			multipart('part', fill(size, '--part-x\r\n')),
		],
	},
	{
		name: 'boundaries: lines of dashes',
		make: (size) => [
			multipart('part', fill(size, '--\r\n')),
			multipart('-', fill(size, '-')),
			multipart('-', fill(size, '--\n')),
		],
	},
	{
		name: 'boundaries: look-alikes below ninety containers',
		make: (size) => [
			containers(90, (index) => `b${index}`, fill(size, '--b\r\n')),
			containers(90, (index) => `b${index}`, fill(size, '\n--b')),
		],
	},
	{
		name: 'boundaries: prefixes of each other',
		make: (size) => [
			containers(90, (index) => 'b'.repeat(index + 1), fill(size, `--${'b'.repeat(91)}\r\n`)),
		],
	},
	{
		name: 'boundaries: prefixes of each other, each opened',
		make: (size) => [
			containers(
				60,
				(index) => 'b'.repeat(index + 1),
				fill(size, (index) => `--${'b'.repeat((index % 60) + 1)}\r\n\r\nx\r\n`),
			),
		],
	},
	{
		name: 'boundaries: with blanks after them',
		make: (size) => [
			multipart('part', `--part${fill(size, ' ')}x\r\n`),
			multipart('part', fill(size, `--part${' '.repeat(1000)}x\r\n`)),
		],
	},
	{
		name: 'boundaries: with carriage returns after them',
		make: (size) => [
			multipart('part', `--part${fill(size, '\r')}x\r\n`),
			multipart('part', fill(size, '--part\r\r')),
		],
	},
	{
		name: 'boundaries: one huge',
		make: (size) => [
			multipart(
				'b'.repeat(size / 3),
				`--${'b'.repeat(size / 3)}\r\n\r\nx\r\n--${'b'.repeat(size / 3)}--`,
			),
		],
	},
	{
		name: 'boundaries: one of a thousand characters, and lines that share them',
		make: (size) => [multipart(`${'b'.repeat(999)}c`, fill(size, `--${'b'.repeat(999)}\r\n`))],
	},
	{
		name: 'boundaries: never closed',
		make: (size) => [multipart('part', fill(size, '--part\r\n\r\nx\r\n'))],
	},
	{
		name: 'boundaries: another one than is named',
		make: (size) => [
			multipart('part', fill(size, '--other\r\nContent-Type: text/plain\r\n\r\nx\r\n')),
			{ rawEmail: emailOf('multipart/mixed', fill(size, '--other\r\n\r\nx\r\n')) },
		],
	},
	{
		name: 'boundaries: another one, look-alikes',
		make: (size) => [
			multipart('part', fill(size, '--x')),
			multipart('part', fill(size, '\n--x')),
			multipart('part', fill(size, `--${'x'.repeat(199)} `)),
			multipart('part', `--x${fill(size, ' ')}`),
		],
	},
	{
		name: 'structure: thousands of empty parts',
		make: (size) => [multipart('p', fill(size, '--p\r\n'))],
	},
	{
		name: 'structure: thousands of tiny texts',
		make: (size) => [multipart('p', fill(size, '--p\r\n\r\nx\r\n'))],
	},
	{
		name: 'structure: thousands of tiny HTML texts',
		make: (size) => [
			multipart('p', fill(size, '--p\r\nContent-Type: text/html\r\n\r\n<a href=x>y\r\n')),
		],
	},
	{
		name: 'structure: thousands of tiny files',
		make: (size) => [
			multipart('p', fill(size, '--p\r\nContent-Disposition: attachment\r\n\r\nx\r\n')),
		],
	},
	{
		name: 'structure: two thousand files',
		make: (size) => [
			multipart('p', thousandsOf(size, '--p\r\nContent-Disposition: attachment\r\n\r\n', 'x')),
		],
	},
	{
		name: 'structure: two thousand texts',
		make: (size) => [multipart('p', thousandsOf(size, '--p\r\n\r\n', 'x\r\n'))],
	},
	{
		name: 'structure: two thousand parts with long headers',
		make: (size) => [multipart('p', thousandsOf(size, '--p\r\n', 'X: y\r\n'))],
	},
	{
		name: 'structure: thousands of containers beside each other',
		make: (size) => [
			multipart(
				'p',
				fill(
					size,
					(index) =>
						`--p\r\nContent-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n\r\nx\r\n--b${index}--\r\n`,
				),
			),
		],
	},
	{
		name: 'structure: containers within each other',
		make: (size) => [
			containers(Math.floor(size / 60), (index) => `b${index}`, 'x'),
			containers(90, (index) => `b${index}`, fill(size, 'x\r\n')),
		],
	},
	{
		name: 'structure: emails within each other',
		make: (size) => [
			{ rawEmail: fill(size, 'Content-Type: message/rfc822\r\n\r\n') },
			{ rawEmail: emailOf('message/rfc822', fill(size, 'Content-Type: message/rfc822\r\n\r\n')) },
		],
	},
	{
		name: 'structure: a digest of thousands',
		make: (size) => [
			{
				rawEmail: emailOf(
					'multipart/digest; boundary=p',
					fill(size, '--p\r\n\r\nFrom: a@b\r\n\r\nx\r\n'),
				),
			},
		],
	},
	{
		name: 'structure: irregular types',
		make: (size) => [
			multipart('p', fill(size, '--p\r\nContent-Type: (c) text/plain\r\n\r\nx\r\n')),
			multipart('p', `--p\r\nContent-Type: "text/plain"\r\n\r\n${fill(size, 'x\r\n')}`),
		],
	},
	{
		name: 'structure: irregular types and short lines',
		make: (size) => [
			{ rawEmail: emailOf('(c) text/plain', fill(size, 'x\n')) },
			{ rawEmail: emailOf('multipart/mixed; boundary=p (c', fill(size, '\n')) },
			{ rawEmail: emailOf('multipart/mixed; boundary=(c)p', fill(size, '--p\nx\n')) },
		],
	},
	{
		name: 'structure: irregular types and base64',
		make: (size) => [
			{ rawEmail: emailOf('(c) text/plain', fill(size, 'YQ\n'), 'base64') },
			{ rawEmail: emailOf('(c) application/pdf', fill(size, 'YWFhYQ==\n'), 'base64') },
		],
	},
	{
		name: 'structure: reports',
		make: (size) => [
			{
				rawEmail: emailOf(
					'multipart/report; boundary=p',
					fill(size, '--p\r\nContent-Type: message/delivery-status\r\n\r\nStatus: 5.0.0\r\n'),
				),
			},
		],
	},
	{
		name: 'structure: calendars',
		make: (size) => [
			multipart(
				'p',
				`--p\r\nContent-Type: text/calendar; method=${'x'.repeat(1000)}\r\n\r\n${fill(size, '\n')}x\r\n--p--`,
			),
		],
	},
	{
		name: 'structure: only line breaks',
		make: (size) => [
			{ rawEmail: email([], fill(size, '\n')) },
			{ rawEmail: email([], fill(size, '\r')) },
			{ rawEmail: email([], fill(size, '\r\r\n')) },
			{ rawEmail: email([], `${fill(size, '\r')}x`) },
		],
	},
	{
		name: 'replies: quotations within each other',
		make: (size) => [
			{
				rawEmail: email(
					[],
					fill(size, (index) => `${'>'.repeat(index % 500)} word\r\n`),
				),
			},
			{ rawEmail: email([], fill(size, '> ')) },
			{ rawEmail: email([], fill(size, '>')) },
		],
	},
	{
		name: 'replies: introductions',
		make: (size) => [
			{ rawEmail: email([], fill(size, 'On Monday, Ada <ada@example.com> wrote:\r\n> ')) },
			{ rawEmail: email([], fill(size, '-----Original Message-----\r\nFrom: ')) },
			{ rawEmail: email([], fill(size, 'On ')) },
		],
	},
	{
		name: 'replies: flowed',
		make: (size) => [
			{ rawEmail: emailOf('text/plain; format=flowed; delsp=yes', fill(size, '> word \r\n')) },
			{ rawEmail: emailOf('text/plain; format=flowed', fill(size, ' \r\n')) },
			{ rawEmail: emailOf('text/plain; format=flowed', fill(size, '>'.repeat(70) + ' \r\n')) },
		],
	},
];
