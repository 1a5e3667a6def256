import fs from 'node:fs';
import path from 'node:path';

import type { KnownEmail } from '../../../nodes/EmailIdentity/email';
import { openEmail } from '../../reading';
import { corpusFiles, readCorpus } from './corpus';
import { mutate } from './mutation';

/**
 * The MIME library turns HTML into text with regular expressions of which some run away, and reads bodies line by line.
 * Here whoever reaches that is caught.
 */
const mockReached: string[] = [];

jest.mock('postal-mime', () => {
	const library = jest.requireActual<object>('postal-mime');
	return {
		...library,
		default: class {
			constructor() {
				mockReached.push('PostalMime');
			}
			static parse() {
				mockReached.push('PostalMime.parse');
			}
		},
	};
});

const folder = path.dirname(require.resolve('postal-mime'));

const reading = fs
	.readdirSync(folder)
	.filter((file) =>
		/^(?:text-format|mime-node|(?:base64|qp|pass-through)-decoder)\.js$/.test(file),
	);

// They are loaded with the first email.
for (const file of reading) {
	jest.doMock(path.join(folder, file), () => {
		const reach = (name: string | symbol) => () => {
			mockReached.push(String(name));
			return '';
		};
		return new Proxy({}, { get: (_target, name) => (name === '__esModule' ? true : reach(name)) });
	});
}

const WITH_EVERYTHING = { attachments: true, headers: true, binaryPrefix: '' };

const HTML = '<p>Hello <a href="https://x.example">link</a></p>';

const part = (type: string, body: string, more = '') =>
	`--b\r\nContent-Type: ${type}\r\n${more}\r\n${body}\r\n`;

const multipart = (subtype: string, ...parts: string[]) =>
	`From: a@example.com\r\nContent-Type: multipart/${subtype}; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`;

/** Every way in which HTML may come into `email/`. */
const WAYS: Array<[string, string | undefined, Partial<KnownEmail>]> = [
	['HTML alone', `From: a@example.com\r\nContent-Type: text/html\r\n\r\n${HTML}`, {}],
	[
		'text and HTML, mixed',
		multipart('mixed', part('text/plain', 'Hi'), part('text/html', HTML)),
		{},
	],
	[
		'HTML and text, mixed',
		multipart('mixed', part('text/html', HTML), part('text/plain', 'Hi')),
		{},
	],
	[
		'text and HTML as alternatives',
		multipart('alternative', part('text/plain', 'Hi'), part('text/html', HTML)),
		{},
	],
	[
		'an alternative of HTML alone, mixed with text',
		multipart(
			'mixed',
			part('text/plain', 'Hi'),
			part(
				'multipart/alternative; boundary=c',
				`--c\r\nContent-Type: text/html\r\n\r\n${HTML}\r\n--c--`,
			),
		),
		{},
	],
	[
		'a forwarded message',
		multipart(
			'mixed',
			part('text/plain', 'Hi'),
			part('message/rfc822', `Content-Type: text/html\r\n\r\n${HTML}`),
		),
		{},
	],
	['a digest', multipart('digest', part('text/html', HTML)), {}],
	[
		'a wrong boundary',
		multipart('mixed', part('text/plain', 'Hi'), part('text/html', HTML)).replace(
			'boundary=b',
			'boundary=x',
		),
		{},
	],
	[
		'an unusual boundary',
		multipart('mixed', part('text/plain', 'Hi'), part('text/html', HTML)).replace(
			'boundary=b',
			"boundary*=us-ascii''b",
		),
		{},
	],
	[
		'too many parts',
		multipart('mixed', part('text/html', HTML).repeat(2100)),
		{ html: HTML, text: '' },
	],
	['headers only', 'From: a@example.com\r\nContent-Type: text/html', { html: HTML }],
	['no raw email', undefined, { html: HTML }],
	['no email at all', HTML, { html: HTML }],
];

/** There the HTML is a file, beside a text, or not there at all. */
const UNCONVERTED = new Set(['text and HTML as alternatives', 'headers only']);

async function passThrough(rawEmail: string | undefined, known: Partial<KnownEmail> = {}) {
	const opened = await openEmail(rawEmail, () => known);
	return (await opened.read(WITH_EVERYTHING)).email;
}

beforeEach(() => (mockReached.length = 0));

test('the wire is where it should be: the library itself trips over it', () => {
	expect(reading).toHaveLength(5);
	jest.requireMock<{ htmlToText: () => string }>(path.join(folder, 'text-format.js')).htmlToText();
	expect(mockReached).toEqual(['htmlToText']);
});

test.each(WAYS)('%s: HTML becomes text without the MIME library', async (name, rawEmail, known) => {
	const { text, attachments } = await passThrough(rawEmail, known);
	expect(mockReached).toEqual([]);
	const isApart = attachments.length > 0 || UNCONVERTED.has(name);
	expect(isApart || String(text).includes('Hello link (https://x.example)')).toBe(true);
});

test('no email of the corpus, whole or spoiled, gets to the MIME library', async () => {
	const emails = corpusFiles.map(readCorpus);
	for (const rawEmail of emails) await passThrough(rawEmail);
	for (let seed = 1000; seed < 1200; seed++) await passThrough(mutate(emails, seed));
	expect(mockReached).toEqual([]);
});
