import fc from 'fast-check';

import { readEmail } from '../../../support/reading';
import { authenticate, emailOf, HEADER, KEYS, shownIfProved, signed } from './support/senders';

const FIELDS = HEADER.slice(0, -1);

const email = (content: readonly string[], lines: readonly string[]) =>
	emailOf([...FIELDS, ...content], `${lines.join('\r\n')}\r\n`);

const base64 = (text: string | Buffer) =>
	Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n').split('\r\n');

const TEXT = ['Content-Type: text/plain; charset="UTF-8"', '', 'Please pay 100.', '', 'Ada'];
const HTML = ['Content-Type: text/html; charset="UTF-8"', '', '<p>Please pay <b>100</b>.</p>'];
const LOGO = [
	'Content-Type: image/png; name=logo.png',
	'Content-Transfer-Encoding: base64',
	'Content-Disposition: inline; filename=logo.png',
	'Content-ID: <logo>',
	'',
	'iVBORw0KGgo=',
];
const PDF = [
	'Content-Type: application/pdf; name=a.pdf',
	'Content-Transfer-Encoding: base64',
	'Content-Disposition: attachment; filename=a.pdf',
	'Content-ID: <f_1>',
	'',
	'JVBERi0xLjQK',
];
const MIXED = 'Content-Type: multipart/mixed';
const EVES = ['--eve', 'Content-Type: text/plain', '', 'Please pay Eve.', '--eve--'];
const FORWARDED = [
	'Content-Type: message/rfc822',
	'',
	'From: eve@attacker.example',
	'Subject: x',
	`${MIXED}; boundary=eve`,
	'',
	...EVES,
];
const CALENDAR = ['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'SUMMARY:Paying', 'END:VCALENDAR'];
const INVITATION = ['Content-Type: text/calendar; method=REQUEST', '', ...CALENDAR];
const ZIP = Buffer.from('PK\x03\x04' + 'report'.repeat(30), 'latin1');

const parts = (boundary: string, ...list: string[][]) => [
	...list.flatMap((part) => [`--${boundary}`, ...part]),
	`--${boundary}--`,
];
const multipart = (type: string, ...list: string[][]) =>
	email([`Content-Type: multipart/${type}; boundary=b`], parts('b', ...list));
const within = (type: string, ...list: string[][]) => [
	`Content-Type: multipart/${type}; boundary=inner`,
	'',
	...parts('inner', ...list),
];

const QUOTED = 'Content-Transfer-Encoding: quoted-printable';
const BASE64 = 'Content-Transfer-Encoding: base64';
const typed = (type: string, ...lines: string[]) => email([`Content-Type: ${type}`], lines);
const BOUNCE = [
	'Content-Type: message/delivery-status',
	'',
	'Final-Recipient: rfc822; a@b.example',
];
const PREAMBLE = 'This is a multi-part message in MIME format.';
const GENUINE: Record<string, string> = {
	'a plain text': typed('text/plain; charset=us-ascii', 'Please pay 100.'),
	'a word': typed('text/plain; charset=us-ascii', 'Test'),
	'a text without content fields': email([], ['Please pay a=3 and id=1479435.']),
	'a text below dashes': email([], ['--x', 'Please pay 100.', '--x', 'Ada']),
	'text in quoted-printable': email(
		['Content-Type: text/plain; charset=utf-8', QUOTED],
		['=46rom Ada: pay 100=E2=82=AC to a=', 'ccount 5 =3D five.=20', 'Ada'],
	),
	'text in base64': email(
		['Content-Type: text/plain; charset=utf-8', BASE64],
		base64('Zahlen Sie bitte 100 € an Ada. '.repeat(9)),
	),
	'HTML in quoted-printable': email(
		['Content-Type: text/html; charset=utf-8', QUOTED],
		['<div class=3D"a">Pay 100=E2=82=AC.</div>'],
	),
	'flowed text': typed('text/plain; format=flowed', 'Please pay', '> 100.', ' From Ada'),
	'Japanese text': typed('text/plain; charset=iso-2022-jp', '\x1b$B$"$$\x1b(B 100'),
	'text and HTML': multipart('alternative', TEXT, HTML),
	'text and HTML below a preamble': typed(
		'multipart/alternative; boundary=b',
		...[PREAMBLE, ...parts('b', TEXT, HTML)],
	),
	'two texts': multipart('mixed', TEXT, TEXT),
	'text with a file': multipart('mixed', TEXT, PDF),
	'text and HTML with a file': multipart('mixed', within('alternative', TEXT, HTML), PDF),
	'HTML with a picture': multipart('related', HTML, LOGO),
	'text and HTML with a picture': multipart('alternative', TEXT, within('related', HTML, LOGO)),
	'a forwarded email': multipart('mixed', TEXT, FORWARDED),
	'an invitation': multipart('alternative', TEXT, HTML, INVITATION),
	'an invitation alone': typed('text/calendar; charset=utf-8', ...CALENDAR),
	'a bounce': multipart('report; report-type=delivery-status', ['', 'Not delivered.'], BOUNCE),
	'a report in a zip file': email(
		[
			'Content-Type: application/zip',
			BASE64,
			'Content-Disposition: attachment; filename="e!1.zip"',
		],
		base64(ZIP),
	),
};

const SIGNERS = {
	Gmail: ['mime-version', 'from', 'date', 'message-id', 'subject', 'to'],
	'Microsoft 365': ['From', 'Date', 'Subject', 'Message-ID', 'Content-Type', 'MIME-Version'],
};

const CASES = Object.entries(GENUINE).flatMap(([what, email]) =>
	Object.entries(SIGNERS).map(([who, fields]) => ({
		what,
		who,
		rawEmail: signed(email, { fields }),
	})),
);

const words = (text: string | null) => text?.replace(/\s+/g, ' ') ?? null;

test.each(CASES)('$what signed like $who passes, with the same text', async ({ rawEmail }) => {
	const shown = await shownIfProved(rawEmail);
	const { email: expected, files } = await readEmail(rawEmail);
	expect(shown && { text: words(shown.email.text), html: words(shown.email.html) }).toEqual({
		text: words(expected.text),
		html: words(expected.html),
	});
	const contents = files.map(({ content }) => words(content.toString('latin1')));
	expect(shown?.files.map(words)).toEqual(contents);
});

/** What every signer here covers, and the content. Blanks are open. */
async function output(rawEmail: string): Promise<string | undefined> {
	const shown = await shownIfProved(rawEmail);
	if (shown === undefined) return undefined;
	const { from, subject, text, html, attachments } = shown.email;
	const files = attachments.map(({ fileName, mimeType, inline }) => [fileName, mimeType, inline]);
	return JSON.stringify([from, subject, text, html, files, shown.files]).replace(/[ \t]+/g, ' ');
}

let proved = 0;

/** Passes only with the output of the email that was signed. */
async function isHarmless(changed: string, original: string): Promise<boolean> {
	const shown = await output(changed);
	if (shown === undefined) return true;
	proved++;
	return shown === (await output(original));
}

const CONTENT_FIELDS = [
	...['text/plain', 'text/html', 'application/octet-stream; name=x.exe', 'message/rfc822', 'x'].map(
		(type) => `Content-Type: ${type}`,
	),
	...['mixed', 'alternative', 'related', 'digest', 'report'].flatMap((type) =>
		['b', 'eve', 'inner', 'nowhere'].map(
			(name) => `Content-Type: multipart/${type}; boundary=${name}`,
		),
	),
	...['utf-16', 'iso-2022-jp', 'windows-1251', 'x'].map(
		(charset) => `Content-Type: text/plain; charset=${charset}; format=flowed; delsp=yes`,
	),
	...['7bit', 'base64', 'quoted-printable', 'x-uuencode', 'x'].map(
		(encoding) => `Content-Transfer-Encoding: ${encoding}`,
	),
	...['attachment', 'inline', 'attachment; filename=x.exe'].map(
		(disposition) => `Content-Disposition: ${disposition}`,
	),
	'Content-ID: <x>',
];

const LONG_NAME = `<!--${'x'.repeat(250)}: --><h1>Pay Eve.</h1><!--`;
const OTHER_LINES = [
	'X-Mailer: x',
	'MIME-Version: 1.0',
	LONG_NAME,
	'<h1>Pay Eve.</h1>',
	'>From: x',
	'From eve@attacker.example Sat Nov 21',
	' folded',
	' ',
	'\t\t',
	'a\rb: c',
	'X\0: y',
	'Received: x',
];

const additions = fc.array(
	fc.record({
		line: fc.constantFrom(...CONTENT_FIELDS, ...OTHER_LINES),
		at: fc.nat(12),
		replaces: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 3 },
);

/** Adds lines to the header; a content field takes the place of its namesake, or removes it if it is added at the end. */
function change(rawEmail: string, list: Array<{ line: string; at: number; replaces: boolean }>) {
	const end = rawEmail.indexOf('\r\n\r\n');
	const lines = rawEmail.slice(0, end).split('\r\n');
	for (const { line, at, replaces } of list) {
		const name = `${line.split(':', 1)[0]?.toLowerCase()}:`;
		const known = lines.findIndex((other) => other.toLowerCase().startsWith(name));
		if (replaces && known >= 0 && name.startsWith('content-')) {
			lines.splice(known, 1, ...(at % 3 === 0 ? [] : [line]));
		} else {
			lines.splice(Math.min(at, lines.length), 0, line);
		}
	}
	return lines.join('\r\n') + rawEmail.slice(end);
}

test('an email with changed unsigned header lines fails or has the same output', async () => {
	proved = 0;
	const numRuns = Number(process.env.UNSIGNED_FIELDS ?? 500);
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...CASES), additions, async ({ rawEmail }, list) => {
			expect(await isHarmless(change(rawEmail, list), rawEmail)).toBe(true);
		}),
		{ numRuns },
	);
	expect(proved).toBeGreaterThan(numRuns / 10);
});

test.each([
	['a field name of 250 letters with HTML', 'HTML in quoted-printable', LONG_NAME],
	['the boundary of a forwarded email', 'a forwarded email', `${MIXED}; boundary=eve`],
])('%s in the unsigned header adds no words to a proved email', async (_what, genuine, line) => {
	const original = signed(GENUINE[genuine], { fields: SIGNERS.Gmail });
	const changed = change(original, [{ line, at: 1, replaces: true }]);
	expect(await isHarmless(changed, original)).toBe(true);
});

test.each([
	['of another domain', { domain: 'attacker.example', key: KEYS.other }],
	['with another key', { key: KEYS.other }],
])('a signature %s does not cover content fields', async (_what, signer) => {
	const original = signed(typed('text/plain', 'a &lt; b'), { fields: SIGNERS.Gmail });
	const changed = original.replace('text/plain', 'text/html');
	const twice = signed(changed, { ...signer, fields: ['From', 'Content-Type'] });
	expect(await authenticate(twice)).toMatchObject({
		result: 'fail',
		reason: expect.stringContaining('Content-Type'),
	});
});

test.each([
	['iso-8859-1', SIGNERS.Gmail],
	['utf-8', [...SIGNERS.Gmail, 'Content-Transfer-Encoding']],
])('an unsigned charset %s that the content does not show fails', async (charset, fields) => {
	const content = [`Content-Type: text/plain; charset=${charset}`, QUOTED];
	const latin = signed(email(content, ['Bitte 100 an M=FCller zahlen.']), { fields });
	expect(await authenticate(latin)).toMatchObject({
		result: 'fail',
		domain: 'example.com',
		reason: expect.stringContaining('Content-Type'),
	});
});
