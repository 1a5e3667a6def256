import * as fc from 'fast-check';

import { readTnef } from '../../../../../lib/email/files/tnef';
import { newPace, readEmail } from '../../../../support/reading';
import {
	attribute,
	number,
	short,
	writeTnef,
	type TnefFileToWrite,
	type TnefProperty,
} from '../../../../support/tnef';

const SHORT_NAME = 0x3704;
const LONG_NAME = 0x3707;
const MIME_TAG = 0x370e;
const CONTENT_ID = 0x3712;
const DATA = 0x3701;

const INVOICE: TnefFileToWrite = {
	title: 'INVOIC~1.PDF',
	content: Buffer.from('%PDF'),
	properties: [
		[LONG_NAME, 'Rechnung März.pdf'],
		[MIME_TAG, 'application/pdf'],
	],
};

const LOGO: TnefFileToWrite = {
	title: 'logo.png',
	content: Buffer.from('PNG'),
	properties: [[CONTENT_ID, 'logo@example']],
};

const part = (headers: string, body: string) => `--b\r\n${headers}\r\n\r\n${body}\r\n`;

const emailWith = (stream: Buffer, ...others: string[]) =>
	[
		'From: ada@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n',
		...others,
		part(
			'Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64',
			stream.toString('base64'),
		),
		'--b--\r\n',
	].join('');

const HTML = part('Content-Type: text/html', '<p>Hello<img src="cid:logo@example"></p>');

test('the files of winmail.dat stand behind it, with their long names, types and pictures', async () => {
	const { email, files } = await readEmail(emailWith(writeTnef([INVOICE, LOGO]), HTML));
	expect(email.attachments).toMatchObject([
		{ fileName: 'winmail.dat' },
		{
			fileName: 'Rechnung März.pdf',
			mimeType: 'application/pdf',
			size: 4,
			inline: false,
			inside: 'winmail.dat',
		},
		{ fileName: 'logo.png', mimeType: 'image/png', inline: true, contentId: 'logo@example' },
	]);
	expect(files.slice(1).map(({ content }) => content.toString())).toEqual(['%PDF', 'PNG']);
	expect(email).not.toHaveProperty('warning');
});

const X = Buffer.from('x');

/** The only file of a stream. */
const fileWith = async (file: TnefFileToWrite) => {
	const read = await readTnef(writeTnef([{ content: X, ...file }]), 10, newPace());
	return read?.files[0];
};

test.each(['a', 'ab', 'abc', 'abcd'])(
	'behind the name "%s", whose bytes may need padding, the other properties are read',
	async (name) => {
		const properties: TnefFileToWrite['properties'] = [
			[DATA, Buffer.from(name)],
			[LONG_NAME, name],
			[MIME_TAG, 'Text/X-Own'],
			[CONTENT_ID, 'id@example'],
		];
		const expected = { name, mimeType: 'text/x-own', contentId: 'id@example' };
		expect(await fileWith({ properties })).toMatchObject(expected);
	},
);

test('of the names of a file, the long one counts, then the title, then the short one', async () => {
	const short: TnefFileToWrite['properties'] = [[SHORT_NAME, 'short']];
	const long: TnefFileToWrite['properties'] = [
		...short,
		[LONG_NAME, 'long'],
		[LONG_NAME, 'second'],
	];
	expect(await fileWith({ title: 'title', properties: long })).toMatchObject({ name: 'long' });
	expect(await fileWith({ title: 'title', properties: short })).toMatchObject({ name: 'title' });
	expect(await fileWith({ properties: short })).toMatchObject({ name: 'short' });
	expect(await fileWith({})).toMatchObject({ name: null, mimeType: null, contentId: undefined });
});

const SOME_ID = short(0x3710);
const NAMED_ID = short(0x8001);
const GUID = Buffer.alloc(16, 7);
const MANY = 0x1000;

/** The value of a property of variable length, with its padding. */
const padded = (...bytes: number[]) =>
	Buffer.concat([
		number(bytes.length),
		Buffer.from(bytes),
		Buffer.alloc((4 - (bytes.length % 4)) % 4),
	]);

/** The bytes of a value of a fixed length, and those that its type says. */
const FIXED: Array<[type: number, length: number]> = [
	[0x0001, 0],
	[0x0002, 4],
	[0x0003, 4],
	[0x0004, 4],
	[0x0005, 8],
	[0x0006, 8],
	[0x0007, 8],
	[0x000a, 4],
	[0x000b, 4],
	[0x0014, 8],
	[0x0040, 8],
	[0x0048, 16],
];

test.each<[string, Buffer]>([
	...FIXED.map(([type, length]): [string, Buffer] => [
		`of the type ${type}`,
		Buffer.concat([short(type), SOME_ID, Buffer.alloc(length, 7)]),
	]),
	[
		'with several numbers',
		Buffer.concat([short(MANY + 3), SOME_ID, number(3), Buffer.alloc(12, 7)]),
	],
	['named by a number', Buffer.concat([short(3), NAMED_ID, GUID, number(0), number(7), number(7)])],
	[
		'named by a text',
		Buffer.concat([short(3), NAMED_ID, GUID, number(1), padded(65, 0, 66, 0, 0, 0), number(7)]),
	],
])('a property %s in front of the name is skipped', async (_, property) => {
	expect(await fileWith({ properties: [property, [LONG_NAME, 'long']] })).toMatchObject({
		name: 'long',
	});
});

test('of several values of a property, the first one counts', async () => {
	const values = Buffer.concat([padded(65, 0, 0, 0), padded(66, 0)]);
	const name = Buffer.concat([short(MANY + 0x1f), short(LONG_NAME), number(2), values]);
	const read = await fileWith({ properties: [name, [MIME_TAG, 'a/b']] });
	expect(read).toMatchObject({ name: 'A', mimeType: 'a/b' });
});

test.each([
	[1250, '\xb9', 'ą'],
	[1258, '\xf5', 'ơ'],
	[874, '\xa1', 'ก'],
	[932, '\x82\xa0', 'あ'],
	[20866, '\xd0', 'п'],
	[28591, '\xe9', 'é'],
	[28592, '\xb1', 'ą'],
	[1259, '\xe9', 'é'],
])('names in the code page %d are decoded', async (codePage, title, name) => {
	const read = await readTnef(writeTnef([{ content: X, title }], '', codePage), 1, newPace());
	expect(read?.files).toMatchObject([{ name }]);
});

test('as many files as are wanted are read, and one more is missing', async () => {
	const stream = writeTnef([INVOICE, LOGO]);
	expect(await readTnef(stream, 2, newPace())).toMatchObject({ isWhole: true, files: [{}, {}] });
	expect(await readTnef(stream, 1, newPace())).toMatchObject({ isWhole: false, files: [{}] });
});

test('the text of winmail.dat is that of an email without another one', async () => {
	const stream = writeTnef([INVOICE], 'Hello,\r\nsee the invoice. \r\n');
	expect((await readEmail(emailWith(stream))).email.text).toBe('Hello,\nsee the invoice.');
	expect((await readEmail(emailWith(stream, HTML))).email.text).toBe('Hello');
});

const BODY = 0x1000;
const HTML_BODY = 0x1013;
const CODE_PAGE = 0x3fde;
const CYRILLIC = Buffer.from('<p>\xcf\xf0\xe8</p>', 'latin1');
const NAMED_CYRILLIC = Buffer.concat([Buffer.from('<meta charset=windows-1251>'), CYRILLIC]);

test.each<[string, TnefProperty[], object]>([
	['plain text', [[BODY, 'Hello,\r\nsee below.']], { text: 'Hello,\nsee below.', html: null }],
	['8-bit text', [[BODY, Buffer.from('caf\xe9\0', 'latin1')]], { text: 'café' }],
	['HTML', [[HTML_BODY, NAMED_CYRILLIC]], { text: 'При', html: expect.stringContaining('<p>') }],
	[
		'HTML in a code page',
		[
			[CODE_PAGE, 1251],
			[HTML_BODY, CYRILLIC],
		],
		{ text: 'При' },
	],
	[
		'both',
		[
			[BODY, 'Plain'],
			[HTML_BODY, '<p>Shown</p>'],
		],
		{ text: 'Shown', html: '<p>Shown</p>' },
	],
])(
	'the text of winmail.dat is read from its properties: %s',
	async (_what, properties, expected) => {
		const { email } = await readEmail(emailWith(writeTnef([INVOICE], '', 1252, properties)));
		expect(email).toMatchObject(expected);
		expect(email).not.toHaveProperty('warning');
	},
);

test('an empty text of winmail.dat beside a property with the text is none', async () => {
	const stream = writeTnef([], '', 1252, [[BODY, 'Hello']]);
	const empty = attribute(1, 0x0002800c, Buffer.from('\0'));
	const { email } = await readEmail(emailWith(Buffer.concat([stream, empty])));
	expect(email.text).toBe('Hello');
});

test('a picture of winmail.dat that its HTML shows is inline', async () => {
	const html = '<p>Hello<img src="cid:logo@example"></p>';
	const stream = writeTnef([LOGO, INVOICE], '', 1252, [[HTML_BODY, html]]);
	const { email } = await readEmail(emailWith(stream));
	expect(email.attachments.map(({ inline }) => inline)).toEqual([false, true, false]);
});

test('a stream without its last checksum is no damage', async () => {
	const stream = writeTnef([INVOICE]).subarray(0, -2);
	expect(await readTnef(stream, 10, newPace())).toMatchObject({ isWhole: true, files: [{}] });
});

test('of several code pages, the first counts, as of all other attributes', async () => {
	const stream = writeTnef([], 'x', 1250);
	const second = attribute(1, 0x00069007, Buffer.from([0xe4, 0x04, 0, 0]));
	const read = await readTnef(Buffer.concat([stream, second]), 1, newPace());
	expect(read?.text?.charset).toBe('cp1250');
});

test('8-bit names are in the code page of the stream', async () => {
	const title = Buffer.from([0xcf, 0xf0, 0xe8]).toString('latin1');
	const stream = writeTnef([{ title, content: Buffer.from('x') }], '', 1251);
	const read = await readTnef(stream, 10, newPace());
	expect(read?.files).toMatchObject([{ name: 'При' }]);
});

test('a second winmail.dat is read, also without its type', async () => {
	const encoded = writeTnef([INVOICE]).toString('base64');
	const headers =
		'Content-Type: application/octet-stream; name=winmail.dat\r\nContent-Transfer-Encoding: base64';
	const { email } = await readEmail(emailWith(writeTnef([LOGO]), part(headers, encoded)));
	const inner = email.attachments.filter(({ inside }) => inside !== undefined);
	expect(inner.map(({ inside }) => inside)).toEqual(['winmail.dat', 'winmail (2).dat']);
});

test('types and Content-IDs of any length are cut off', async () => {
	const long = 'x'.repeat(100_000);
	const properties: TnefFileToWrite['properties'] = [
		[MIME_TAG, long],
		[CONTENT_ID, long],
	];
	const stream = writeTnef([{ content: Buffer.from('x'), properties }]);
	const { email } = await readEmail(emailWith(stream));
	expect(JSON.stringify(email.attachments).length).toBeLessThan(10_000);
});

test('a line break behind the stream is no damage', async () => {
	const stream = Buffer.concat([writeTnef([INVOICE]), Buffer.from('\r\n')]);
	expect(await readTnef(stream, 10, newPace())).toMatchObject({ isWhole: true, files: [{}] });
});

test('an attached message is one file', async () => {
	const message: TnefFileToWrite = {
		title: 'Minutes',
		properties: [[DATA, writeTnef([INVOICE])]],
	};
	const read = await readTnef(writeTnef([message]), 10, newPace());
	expect(read?.files).toMatchObject([{ name: 'Minutes' }]);
});

test('a stream that is cut off or lies gives what came before, and a warning', async () => {
	const stream = writeTnef([INVOICE, LOGO]);
	const { email } = await readEmail(emailWith(stream.subarray(0, -10)));
	expect(email.attachments.map(({ fileName }) => fileName)).toContain('Rechnung März.pdf');
	expect(email.warning).toMatch(/winmail\.dat/);
	const lying = Buffer.concat([writeTnef([INVOICE]), attribute(2, 0x0006800f, Buffer.alloc(9))]);
	lying.writeUInt32LE(0xffffffff, lying.length - 15);
	expect(await readTnef(lying, 10, newPace())).toMatchObject({ isWhole: false, files: [{}] });
});

test.each([
	['is longer than its attribute', Buffer.concat([number(1), number(0x7fffffff)])],
	['has more than a thousand values', Buffer.concat([number(1001), Buffer.alloc(1001 * 4)])],
])('a property that %s hides those behind it, with a warning', async (_what, values) => {
	const broken = Buffer.concat([short(MANY + 0x1f), SOME_ID, values]);
	const stream = writeTnef([INVOICE], '', 1252, [[HTML_BODY, '<p>Hi'], broken, [BODY, 'Hello']]);
	const { email } = await readEmail(emailWith(stream));
	expect(email.html).toBe('<p>Hi');
	expect(email.attachments[1]?.fileName).toBe('Rechnung März.pdf');
	expect(email.warning).toMatch(/text of winmail\.dat/);
});

test('more files than the parts of an email may have are not read, with a warning', async () => {
	const stream = writeTnef(Array.from({ length: 10 }, () => LOGO));
	const { email } = await readEmail(emailWith(stream), undefined, {}, { parts: 5 });
	expect(email.attachments.length).toBeLessThan(6);
	expect(email.warning).toMatch(/winmail\.dat/);
});

test('no bytes make the reader fail', async () => {
	const whole = writeTnef([INVOICE, LOGO], 'Text');
	const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(changes, fc.nat(whole.length), async (changed, length) => {
			const stream = Buffer.from(whole);
			for (const [at, byte] of changed) if (at >= 6) stream[at] = byte;
			const read = await readTnef(stream.subarray(0, length), 10, newPace());
			for (const { content } of read?.files ?? []) expect(content.length).toBeLessThan(length);
		}),
		{ numRuns: 3000 },
	);
});
