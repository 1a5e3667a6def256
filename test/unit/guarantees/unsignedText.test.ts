import fc from 'fast-check';

import { toRawText } from '../../../lib/email';
import { readEmail } from '../../support/reading';
import {
	authenticate,
	emailOf,
	HEADER,
	KEYS,
	shownIfProved,
	signed,
} from '../lib/proof/support/senders';

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
const FIELDS_OF_TEXT = ['Content-Type: text/plain'];
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
	'text in a charset with a misspelt name': typed('text/plain; charset=utf-8x', 'Please pay 100.'),
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

/** Each character below U+0100 is a byte, so that these emails are not UTF-8. */
const inBytes = (text: string): string => toRawText(Buffer.from(text, 'latin1'));

const TEXT_IN = (charset: string) => [
	`Content-Type: text/plain; charset=${charset}`,
	'',
	'Pay \xcf\xf0\xe8.',
];
const NAMED_IN_BYTES = [
	'Content-Type: application/pdf; name="\x95\x5c\xcf\xf0.pdf"',
	BASE64,
	'Content-Disposition: attachment; filename="\x95\x5c\xcf\xf0.pdf"',
	'',
	'JVBERi0xLjQK',
];
const GENUINE_BYTES: Record<string, string> = {
	'a text with bytes': inBytes(typed('text/plain; charset=windows-1251', 'Pay \xcf\xf0\xe8.')),
	'a file named in bytes, above a text': inBytes(
		multipart('mixed', NAMED_IN_BYTES, TEXT_IN('windows-1251')),
	),
	'a file named in bytes, with a charset of all': inBytes(
		multipart('mixed; charset=shift_jis', TEXT_IN('utf-8'), NAMED_IN_BYTES),
	),
	'a file named in bytes, without a charset': inBytes(
		multipart('mixed', ['', 'Pay 100.'], NAMED_IN_BYTES),
	),
};

const SIGNERS = {
	Gmail: ['mime-version', 'from', 'date', 'message-id', 'subject', 'to'],
	'Microsoft 365': ['From', 'Date', 'Subject', 'Message-ID', 'Content-Type', 'MIME-Version'],
};

/** Those who do not sign Content-Type, at least not of an email that has none. */
const LAX_SIGNERS: Record<string, string[]> = {
	Gmail: SIGNERS.Gmail,
	GitHub: [
		'Date',
		'From',
		'Reply-To',
		'To',
		'Cc',
		'In-Reply-To',
		'References',
		'Subject',
		'List-ID',
	],
	Proton: ['Date', 'To', 'From', 'Cc', 'Subject', 'Reply-To', 'Feedback-ID', 'From', 'To', 'Date'],
	'OpenDKIM of Debian': ['Date', 'From', 'To', 'Subject', 'From'],
};

const CASES = Object.entries({ ...GENUINE, ...GENUINE_BYTES }).flatMap(([what, email]) =>
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

/** Whether an email says the same as the one that was signed, or does not count as signed with its content. */
async function isHarmless(changed: string, original: string): Promise<boolean> {
	if ((await authenticate(changed)).contentSigned !== true) return true;
	proved++;
	return (await output(changed)) === (await output(original));
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

/** Fields that name a charset and are no Content-Type, or have bytes. */
const CHARSET_LINES = [
	...['utf-16le', 'utf-16be', 'iso-2022-jp', 'shift_jis', 'koi8-r', 'utf-8'].flatMap((charset) => [
		`X-A: charset=${charset}`,
		`X-A: Content-Type: text/plain; charset=${charset}`,
		inBytes(`X-A: \xcf\x95\\; charset=${charset}`),
	]),
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
		line: fc.oneof(
			fc.constantFrom(...CONTENT_FIELDS, ...OTHER_LINES),
			fc.constantFrom(...CHARSET_LINES),
		),
		at: fc.nat(12),
		replaces: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 3 },
);

/** What a relaxed signature allows (RFC 6376, 3.4). */
const CANONICAL: Array<(rawEmail: string) => string> = [
	(rawEmail) => rawEmail,
	(rawEmail) => rawEmail.replaceAll('\r\n', '\n'),
	(rawEmail) => `${rawEmail}\r\n\r\n`,
	(rawEmail) => rawEmail.replaceAll(/(?<=[^\r\n])\r\n/g, ' \t\r\n'),
	(rawEmail) => rawEmail.replaceAll(/^(content-type|subject): /gim, '$1:\r\n\t'),
	(rawEmail) => rawEmail.replaceAll(/^content-[a-z]+/gim, (name) => name.toUpperCase()),
];

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

test('if unsigned header lines or blanks are changed, an email fails or has the same output', async () => {
	proved = 0;
	const covered = CASES.filter(({ who }) => who === 'Microsoft 365');
	const numRuns = Number(process.env.UNSIGNED_FIELDS ?? 500);
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...covered),
			additions,
			fc.constantFrom(...CANONICAL),
			async ({ rawEmail }, list, rewrite) => {
				expect(await isHarmless(rewrite(change(rawEmail, list)), rawEmail)).toBe(true);
			},
		),
		{ numRuns },
	);
	expect(proved).toBeGreaterThan(numRuns / 20);
});

test('the charset of a Content-Type that is not signed is not that of names', async () => {
	const type = `${MIXED}; boundary=b; charset=windows-1251`;
	const rawEmail = inBytes(email([type], parts('b', ['', 'Pay 100.'], NAMED_IN_BYTES)));
	const nameSignedWith = async (fields: string[]) =>
		(await shownIfProved(signed(rawEmail, { fields })))?.email.attachments[0]?.fileName;
	expect(await nameSignedWith(SIGNERS['Microsoft 365'])).toBe('Пр.pdf');
	expect(await nameSignedWith(SIGNERS.Gmail)).toBe('Ïð.pdf');
});

test('a field name with HTML in the unsigned header adds no words to a proved email', async () => {
	const original = signed(GENUINE['HTML in quoted-printable'], { fields: SIGNERS.Gmail });
	const changed = change(original, [{ line: LONG_NAME, at: 1, replaces: true }]);
	expect(await output(changed)).toBe(await output(original));
});

/** A signed text, and a Content-Type with which it would show other words. */
const READ_TWO_WAYS: Record<string, { email: string; type: string }> = {
	'a forwarded email': {
		email: email(
			[],
			[
				...['Please see below.', '', '---------- Forwarded message ---------'],
				...['From: Eve <eve@attacker.example>', 'Subject: Account', '', 'Please pay Eve.'],
			],
		),
		type: 'multipart/mixed; boundary="-------- Forwarded message ---------"',
	},
	'a forwarded email that begins the text': {
		email: email(
			[],
			[...['--x', 'From: Eve <eve@attacker.example>', '', 'Please pay Eve.', '--x--']],
		),
		type: 'multipart/mixed; boundary=x',
	},
	'a notice between rules of dashes': {
		email: email([], ['Do not pay:', '', '-----', '', 'Pay Eve.', '', '-----', '', 'Ada']),
		type: 'multipart/mixed; boundary="---"',
	},
	'a contact form': {
		email: email(
			[],
			['From the form:', '', '--eve', '', 'Pay Eve.', '', '--eve--', '', 'Sent by Eve'],
		),
		type: 'multipart/mixed; boundary=eve',
	},
	'a contact form, with a boundary in two sections': {
		email: email([], ['From the form:', '--eve', '', 'Pay Eve.', '--eve--', 'Sent by Eve']),
		type: "multipart/mixed; boundary*1*=%65; boundary*0*=utf-8''ev",
	},
	'parts within a part': {
		email: multipart('mixed', within('alternative', TEXT, HTML), PDF),
		type: 'multipart/alternative; boundary=inner',
	},
	'a text in UTF-7': {
		email: email([], ['Please pay +AEU-ve.']),
		type: 'text/plain; charset=utf-7',
	},
	'a text in UTF-32': { email: email([], ['Please pay.']), type: 'text/plain; charset=utf-32' },
	'a text in UTF-16': { email: email([], ['Please pay.']), type: 'text/plain; charset=utf-16be' },
};

const TWO_WAYS = Object.entries(READ_TWO_WAYS).flatMap(([what, { email, type }]) =>
	Object.entries(LAX_SIGNERS).map(([who, fields]) => ({
		what,
		who,
		type,
		original: signed(email, { fields }),
	})),
);

test.each(TWO_WAYS)(
	'$what signed like $who passes as it was sent, and fails with another Content-Type',
	async ({ original, type }) => {
		expect(await authenticate(original)).toMatchObject({ result: 'pass', contentSigned: false });
		const line = `Content-Type: ${type}`;
		expect(await authenticate(change(original, [{ line, at: 1, replaces: true }]))).toMatchObject({
			result: 'fail',
			domain: 'example.com',
			reason: expect.stringContaining('Content-Type'),
			signed: [],
		});
	},
);

const UUENCODED = ['begin 644 a.txt', "+4&QE87-E('!A>0``", 'end'];

/** What a stranger can still do with an email whose Content-Type or encoding nobody signed. */
test.each<[string, string, string[]]>([
	['a text as HTML', email([], ['<p>Pay 100.</p>', '<template>']), ['Content-Type: text/html']],
	['a text as a file', email([], ['Pay 100.']), ['Content-Type: application/pdf; name=a.pdf']],
	['a text as an attached email', email([], ['Pay 100.']), ['Content-Type: message/rfc822']],
	['escapes in a text as letters', email([], ['Pay =31=30=30.']), [QUOTED]],
	[
		'lines of a text as a file',
		email([], ['Pay 100.', ...UUENCODED]),
		['Content-Transfer-Encoding: x-uuencode'],
	],
	[
		'parts as alternatives',
		multipart('mixed', TEXT, HTML),
		['Content-Type: multipart/alternative; boundary=b'],
	],
])('%s: it passes, but its content does not count as signed', async (_what, genuine, lines) => {
	const original = signed(genuine, { fields: SIGNERS.Gmail });
	const changed = change(
		original,
		lines.map((line) => ({ line, at: 1, replaces: true })),
	);
	expect(await output(changed)).not.toBe(await output(original));
	for (const rawEmail of [original, changed])
		expect(await authenticate(rawEmail)).toMatchObject({ result: 'pass', contentSigned: false });
});

const ENCODED = ['Content-Type', 'Content-Transfer-Encoding'];

/** Blanks are never signed, whatever else is. */
test.each([
	[
		'a uuencoded file',
		['Content-Type: application/pdf', 'Content-Transfer-Encoding: x-uuencode'],
		['begin 644 a', '#0 $"', 'end'],
		'0 $',
		'0  $',
	],
	['a text in UTF-16', ['Content-Type: text/plain; charset=utf-16be'], ['a b \0c'], 'a b', 'a  b'],
	['a file without encoding', ['Content-Type: application/x; name=a'], ['a b'], 'a b', 'a  b'],
])('%s, all signed: blanks change it', async (_what, header, lines, from, to) => {
	const original = signed(email(header, lines), { fields: [...SIGNERS.Gmail, ...ENCODED] });
	const files = async (rawEmail: string) => {
		const { email: shown, files } = (await shownIfProved(rawEmail)) ?? {};
		return JSON.stringify([shown?.text, files]);
	};
	const changed = original.replace(from, to);
	expect(await authenticate(changed)).toMatchObject({ result: 'pass', contentSigned: true });
	expect(await files(changed)).not.toBe(await files(original));
});

const PARTS = parts('b', TEXT, HTML);
const other = (...lines: string[]) => [...lines, ...PARTS];

test.each<[string, string[], 'pass' | 'fail']>([
	['nothing else', PARTS, 'pass'],
	['blank lines around them', ['', ...PARTS, '', ''], 'pass'],
	[PREAMBLE, other(PREAMBLE), 'pass'],
	['three dots', other(`${PREAMBLE}..`, ''), 'pass'],
	[
		'a usual sentence in two lines',
		other(
			'This is a message in Mime Format.  If you see this,',
			'your mail reader does not support this format.',
		),
		'pass',
	],
	[
		'fields of programs in a part',
		parts('b', ['X-Mailer: x', 'MIME-Version: 1.0', ...TEXT]),
		'pass',
	],
	[
		'a part that protects the header',
		parts('b', ['Content-Type: text/plain; hp="clear"', 'Subject: x', '', 'Pay.']),
		'pass',
	],
	[
		'a part that protects the header, and another field',
		parts('b', ['Content-Type: text/plain; hp="clear"', 'Please: pay Eve', '', 'Pay.']),
		'fail',
	],
	['text above', other('Please pay Eve.'), 'fail'],
	['a usual sentence and text above', other(PREAMBLE, 'Please pay Eve.'), 'fail'],
	['text below', [...PARTS, 'Please pay Eve.'], 'fail'],
	['no last delimiter', PARTS.slice(0, -1), 'fail'],
	['another field in a part', parts('b', ['Subject: x', ...TEXT], HTML), 'fail'],
	['a line in a header of a part that is no field', parts('b', ['Pay Eve', ...TEXT], HTML), 'fail'],
	['no delimiter', ['Please pay Eve.'], 'fail'],
])('a multipart body with %s, without a signed Content-Type: %3$s', async (_what, body, result) => {
	const rawEmail = email([`${MIXED}; boundary=b`], body);
	expect((await authenticate(signed(rawEmail, { fields: SIGNERS.Gmail }))).result).toBe(result);
	const covered = signed(rawEmail, { fields: [...SIGNERS.Gmail, 'Content-Type'] });
	expect(await authenticate(covered)).toMatchObject({
		result: 'pass',
		contentSigned: body.includes('--b'),
	});
});

const ENCODING = 'Content-Transfer-Encoding';

test.each([
	['of one part, with both fields', [BASE64], ['Content-Type', ENCODING], true],
	['of one part, without the encoding', [BASE64], ['Content-Type'], false],
	['of one part, with an encoding that nobody may add', [], ['Content-Type', ENCODING], true],
	['of one part, to which an encoding may be added', [], ['Content-Type'], false],
	['of one part, without the type', [BASE64], [ENCODING], false],
])('an email %s: contentSigned', async (_what, header, fields, contentSigned) => {
	const rawEmail = email(['Content-Type: text/plain', ...header], ['UGF5']);
	const authentication = await authenticate(
		signed(rawEmail, { fields: [...SIGNERS.Gmail, ...fields] }),
	);
	expect(authentication).toMatchObject({ result: 'pass', contentSigned });
});

test('two signatures do not cover more than one of them does', async () => {
	const rawEmail = email(['Content-Type: text/plain', BASE64], ['UGF5']);
	const first = signed(rawEmail, { fields: ['From', 'Subject', 'Content-Type'] });
	const both = signed(first, { fields: ['From', 'Subject', 'To', ENCODING] });
	expect(await authenticate(both)).toMatchObject({
		result: 'pass',
		signed: ['from', 'subject', 'content-type'],
		contentSigned: false,
	});
});

test.each([
	['of another domain', { domain: 'attacker.example', key: KEYS.other }],
	['with another key', { key: KEYS.other }],
])('a signature %s does not cover content fields', async (_what, signer) => {
	const original = signed(GENUINE['text and HTML'], { fields: SIGNERS.Gmail });
	const twice = signed(original, { ...signer, fields: ['From', 'Subject', 'Content-Type'] });
	expect(await authenticate(twice)).toMatchObject({ result: 'pass', contentSigned: false });
});

test('fields of the content that are not signed are left out, and those that are signed stay', async () => {
	const filesIn = async (content: readonly string[], fields: string[]) => {
		const rawEmail = signed(email(content, ['Please pay 100.']), { fields });
		const shown = await shownIfProved(rawEmail);
		return shown?.email.attachments.map(({ fileName, contentId }) => `${fileName} ${contentId}`);
	};
	const withDisposition = [...SIGNERS.Gmail, 'Content-Disposition'];
	const file = [...FIELDS_OF_TEXT, 'Content-Disposition: attachment; filename=pay-eve.txt'];
	expect(await filesIn(file, SIGNERS.Gmail)).toEqual([]);
	expect(await filesIn(file, withDisposition)).toEqual(['pay-eve.txt null']);
	const picture = [
		'Content-Type: image/png; name=a.png',
		'Content-Disposition: inline',
		'Content-ID: <x>',
	];
	expect(await filesIn(picture, withDisposition)).toEqual(['a.png null']);
	expect(await filesIn(picture, [...withDisposition, 'Content-ID'])).toEqual(['a.png x']);
});

test.each(['Content-Disposition', 'Content-ID', 'Content-Location', 'Content-Base'])(
	'%s of a proved email is in its headers only if it is signed',
	async (name) => {
		const rawEmail = email([...FIELDS_OF_TEXT, `${name}: x`], ['Please pay 100.']);
		const shown = async (fields: string[]) => {
			const proved = await shownIfProved(signed(rawEmail, { fields }), undefined, {
				headers: true,
			});
			return proved?.email.headers?.[name.toLowerCase()];
		};
		expect(await shown(SIGNERS.Gmail)).toBeUndefined();
		expect(await shown([...SIGNERS.Gmail, name])).toEqual(['x']);
	},
);
