import { setImmediate } from 'node:timers/promises';

import { openEmail as open, splitEmail } from '../../../lib/email';
import { openEmail, readEmail } from '../../support/reading';
import { rows } from '../../support/rows';

const OPTIONS = { attachments: true, headers: true, binaryPrefix: '' };

const emailOf = (lines: string[]) => ['From: a@example.com', ...lines].join('\r\n');

const read = async (...lines: string[]) => await readEmail(emailOf(lines));

const textOf = async (...lines: string[]) => (await read(...lines)).email.text;

const TEXT = 'Content-Type: text/plain; charset=';
const QUOTED = 'Content-Transfer-Encoding: quoted-printable';

describe('letters beyond ASCII', () => {
	test.each<[string, string[]]>([
		['without an encoding, in another charset', [`${TEXT}iso-8859-1`, '', 'café']],
		['without an encoding, in an unknown charset', [`${TEXT}no-such-charset`, '', 'café']],
		['without an encoding, in ASCII', [`${TEXT}us-ascii`, '', 'café']],
		['beside encoded ones', [`${TEXT}iso-8859-1`, QUOTED, '', '=63afé']],
		['as UTF-8 in quoted-printable named ASCII', [`${TEXT}us-ascii`, QUOTED, '', 'caf=C3=A9']],
		['as UTF-8 in an unknown charset', [`${TEXT}x-unknown`, QUOTED, '', 'caf=C3=A9']],
		['in quoted-printable that is not encoded', [`${TEXT}windows-1252`, QUOTED, '', 'café']],
		['as they are in ISO-2022-JP beside encoded ones', [`${TEXT}iso-2022-jp`, '', 'café']],
	])('%s are read', async (_name, lines) => {
		expect(await textOf(...lines)).toBe('café');
	});

	test.each([
		['=?us-ascii?Q?caf=C3=A9?=', 'café'],
		['=?x-unknown?B?Y2Fmw6k=?=', 'café'],
		['=?iso-8859-1?Q?café?=', 'café'],
		['café', 'café'],
	])('in the subject %s are read', async (written, subject) => {
		const { email } = await read(`Subject: ${written}`, '', 'Hi');
		expect(email.subject).toBe(subject);
	});

	test('that the service has lost stay replacement characters, with a warning', async () => {
		const { email } = await read(`${TEXT}iso-8859-1`, '', 'caf\ufffd');
		expect(email.text).toBe('caf\ufffd');
		expect(email).not.toHaveProperty('parsed');
		expect(email.warning).toContain('lost');
		expect((await read('', 'café')).email).not.toHaveProperty('warning');
	});
});

const MIXED = 'Content-Type: multipart/mixed; boundary=b';
const HELLO = ['Hello Bob,', 'Note: all is well.'];

describe('a header that does not end as it should', () => {
	const inPart = (...lines: string[]) => [MIXED, '', '--b', ...lines, ...HELLO, '--b--'];
	test.each<[string, string[]]>([
		['with a line of blanks', ['Subject: Hi', ' \t', ...HELLO]],
		['with nothing', ['Subject: Hi', ...HELLO]],
		['with nothing, in a part', inPart('Content-Type: text/plain')],
		['with a line of blanks, in a part', inPart('Content-Type: text/plain', '  ')],
		['and is none at all, in a part', inPart()],
		['before a container', [MIXED, ' ', '--b', '', ...HELLO, '--b--']],
	])('%s hides no text', async (_name, lines) => {
		expect(await textOf(...lines)).toBe(HELLO.join('\n'));
	});

	test('goes on behind a line of blanks in a folded field', async () => {
		const to = ['To: b@example.com,', ' ', '\tc@example.com', 'Precedence: bulk'];
		const { email } = await read('>From a', ...to, '', 'Hello');
		expect(email).toMatchObject({ text: 'Hello', to: [{ address: 'b@example.com' }, {}] });
	});

	test.each([
		['a line of blanks', ' '],
		['a line that is none', 'by mx.example.com; Monday'],
	])('goes on behind %s', async (_name, line) => {
		const { email } = await read('Received: from b', line, 'Subject: Hi', '', 'Hello');
		expect(email).toMatchObject({ subject: 'Hi', text: 'Hello' });
	});
});

test.each(
	rows(`
		Smith, Bob <bob@example.com> | Smith, Bob | bob@example.com
		Tan Tanaka,<tan@example.com> | Tan Tanaka | tan@example.com
		unlisted-recipients:; (no To-header on input)
		undisclosed-recipients:;
		pete(his account)@silly.test(his host) | his account his host | pete@silly.test
		Bob <bob(home)@example.com> | Bob | bob@example.com
		Bob <@one.example,@two.example:bob@example.com> | Bob | bob@example.com
		<=?utf-8?Q?bob?=@example.com> | | =?utf-8?Q?bob?=@example.com
		=?utf-8?Q?bob?=@example.com | | =?utf-8?Q?bob?=@example.com
		=?utf-8?Q?Doe,_Bob?= <bob@example.com> | Doe, Bob | bob@example.com
		=?utf-8?Q?Bob_<bob@example.com>?= | Bob | bob@example.com
		"Bob <bob@example.com> | "Bob | bob@example.com
		"Bob \\"B\\" Smith" <bob@example.com> | Bob "B" Smith | bob@example.com
		bob@example.com (Bob) | Bob | bob@example.com
		Bob (Sales <x@y.z>) <bob@example.com> | Bob | bob@example.com
		Bob <bob@example.com | Bob | bob@example.com
		Bob < Co <bob@example.com> | Bob < Co | bob@example.com
		Team: Bob <bob@example.com>, bob@example.com; | Bob | bob@example.com | | bob@example.com
		"john smith"@example.com | | "john smith"@example.com
		Nobody Known | Nobody Known |
	`),
)('the names and addresses in To: %s', async (written, ...expected) => {
	const { to } = await openEmail(`To: ${written}\r\n\r\nHi`);
	expect(to.flatMap(({ name, address }) => [name, address])).toEqual(expected);
});

test('From is the first mailbox that has an address, with the whole name', async () => {
	const { from } = await openEmail('From: Smith, Bob <bob@example.com>\r\n\r\nHi');
	expect(from).toEqual({ name: 'Smith, Bob', address: 'bob@example.com' });
});

describe('files', () => {
	const file = async (...header: string[]) => {
		const { email, files } = await read(MIXED, '', '--b', ...header, '', '%PDF', '--b--');
		const { text, html, attachments } = email;
		return { ...attachments[0], text, html, content: files[0]?.content.toString() };
	};

	test.each([
		['a type that is none', 'Content-Type: pdf\r\nContent-Disposition: inline; filename=a.pdf'],
		['a type that is a name', 'Content-Type: a.pdf; name=a.pdf'],
		['a Windows path in quotes', 'Content-Type: application/pdf; name="C:\\Users\\me\\a.pdf"'],
	])('%s hides no file', async (_name, header) => {
		expect(await file(header)).toMatchObject({ fileName: 'a.pdf', content: '%PDF', text: null });
	});

	test.each(['constructor', '__proto__', 'toString'])(
		'a type called %s finds nothing in a table',
		async (mimeType) => {
			const one = { fileName: null, mimeType, size: 1, inline: false, contentId: null };
			const { email } = await readEmail('', () => ({ attachments: [one] }));
			expect(email.attachments[0]?.fileName).toBe('attachment');
		},
	);

	test('that come in uuencode are decoded', async () => {
		const type = 'Content-Type: application/octet-stream; name=cat.txt';
		const encoded = ['begin 644 cat.txt', '#0V%T', '`', 'end'];
		const { files } = await read(type, 'Content-Transfer-Encoding: x-uuencode', '', ...encoded);
		expect(files.map(({ content }) => content.toString())).toEqual(['Cat']);
	});

	test('HTML is text, also where its type is written as a tag', async () => {
		expect(await file('Content-Type: <html>')).toMatchObject({ html: '%PDF', text: '%PDF' });
	});
});

test('unknown charsets in some parts do not change the text of other parts', async () => {
	const part = (number: number) => `--b\r\n${TEXT}x-${number}\r\n${QUOTED}\r\n\r\n=E9`;
	const parts = Array.from({ length: 1500 }, (_, number) => part(number));
	await read(MIXED, '', ...parts, '--b--');
	// Longer than what is decoded in one piece, with bytes that would be a blank elsewhere.
	const text = 'Ċ日 a'.repeat(50_000);
	const base64 = Buffer.from(text, 'utf16le').toString('base64');
	const encoding = 'Content-Transfer-Encoding: base64';
	expect(await textOf(`${TEXT}utf-16le`, encoding, '', base64)).toBe(text);
});

const HALF = 400_000;
const TINY_HTML = ['--b', 'Content-Type: text/html', '', '<p>x', '--b--'];

test.each<[string, (size: number) => string[]]>([
	[
		'a long text beside a tiny HTML part',
		(size) => [MIXED, '', '--b', '', 'a<b>&\r\n'.repeat(size / 7), ...TINY_HTML],
	],
	['doubled carriage returns', (size) => ['', 'a\r\r\n'.repeat(size / 4)]],
	['encoded letters', (size) => [`${TEXT}iso-8859-2`, QUOTED, '', 'é=E9'.repeat(size / 4)]],
	['flowed lines', (size) => [`${TEXT}x; format=flowed`, '', '> a \r\n'.repeat(size / 6)]],
])('%s are read with pauses, in time that grows with their length', async (_name, make) => {
	const pausesFor = async (size: number) => {
		let pauses = 0;
		const pause = async () => {
			pauses++;
			await setImmediate();
		};
		await (await open(splitEmail(emailOf(make(size))), { pause })).read(OPTIONS);
		return pauses;
	};
	const [once, twice] = [await pausesFor(HALF), await pausesFor(2 * HALF)];
	expect(once).toBeGreaterThan(1);
	expect(twice).toBeLessThanOrEqual(2.5 * once);
});
