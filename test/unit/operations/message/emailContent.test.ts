import type { IBinaryData, IExecuteFunctions, INode } from 'n8n-workflow';

import {
	digestOf,
	readContent,
	readSubjectLine,
	readToAddress,
	toOutgoingEmail,
} from '../../../../nodes/EmailIdentity/operations/message/emailContent';
import type { Item } from '../../../../nodes/EmailIdentity/operations/operation';

const FILES: Record<string, IBinaryData> = {
	data: { fileName: 'a.txt', mimeType: 'text/plain', data: 'one' },
	other: { fileName: 'a.txt', mimeType: 'text/plain', data: 'two' },
	unnamed: { fileName: ' \n', mimeType: 'text/plain\r\nX: y', data: 'one' },
};

const helpers: Partial<IExecuteFunctions['helpers']> = {
	assertBinaryData: (_index, field) => {
		const file = FILES[String(field)];
		if (file === undefined) throw new Error(`There is no field ${String(field)}`);
		return file;
	},
	getBinaryDataBuffer: async (_index, field) =>
		await Promise.resolve(Buffer.from(FILES[String(field)]!.data)),
};

/** An item whose node has these parameters. */
function itemWith(parameters: Record<string, unknown> = {}): Item {
	const context = { getNode: () => ({ name: 'Send' }) as INode, helpers };
	const parameter: Item['parameter'] = (name, fallback) => parameters[name] ?? fallback;
	return { context, parameter } as unknown as Item;
}

const ITEM = itemWith();

const TEXTS = { text: 'Hi', html: '<p>Hi</p>' };

test.each([
	['ada@example.org', 'ada@example.org'],
	[' Ada <ada@example.org> ', 'ada@example.org'],
	['"Lovelace, Ada" <ada+x@example.org>', 'ada+x@example.org'],
])('To with %s is the address %s', (written, address) => {
	expect(readToAddress(ITEM, written)).toBe(address);
});

test.each<[unknown, RegExp]>([
	['', /'To' is empty/],
	[null, /'To' is empty/],
	['Ada', /not an email address/],
	['ada@example.org\r\nBcc: eve@example.org', /'To'|one address/],
	['Ada\n<ada@example.org>', /not an email address/],
	['ada@example.org\u0000', /not an email address/],
	['ada@example.org, bob@example.org', /one address/],
	// Readers of mailboxes take one of the two for a name.
	['ada@example.org bob@example.org', /not an email address/],
	['<ada@example.org> bob@example.org', /not an email address/],
	['ada@example.org (Ada) eve@example.org', /not an email address/],
	[{ to: 'ada@example.org' }, /not a text/],
])('To with %j is refused', (written, says) => {
	expect(() => readToAddress(ITEM, written)).toThrow(says);
});

test.each([
	['Hi\r\nBcc: eve@example.org', 'Hi Bcc: eve@example.org'],
	[' \u0000 Two   words\t', 'Two words'],
	[17, '17'],
	[' \n ', ''],
	[undefined, ''],
])('the subject %j is the line "%s"', (given, line) => {
	expect(readSubjectLine(ITEM, given)).toBe(line);
});

test.each([
	['ada@bücher.example', 'ada@xn--bcher-kva.example'],
	['"a@b"@Example.org', '"a@b"@example.org'],
	['ада@example.org', 'ада@example.org'],
	// A ligature: IDNA would make it fish.example.
	['ada@ﬁsh.example', 'ada@ﬁsh.example'],
])('an email to %s leaves for %s', async (address, expected) => {
	const content = { text: 'Hi', files: [] };
	const { to } = await toOutgoingEmail(ITEM, { identityId: 'i-1' }, address, 'Hi', content);
	expect(to).toBe(expected);
});

test('an error says how many addresses To has', () => {
	const refused = () => readToAddress(ITEM, 'ada@example.org, bob@example.org, eve@example.org');
	expect(refused).toThrow(
		expect.objectContaining({ description: expect.stringContaining('3') as string }),
	);
});

test.each([
	[undefined, { text: TEXTS.text }],
	['text', { text: TEXTS.text }],
	['html', { html: TEXTS.html }],
	['both', TEXTS],
])('with the format %s, the email says %j', async (emailFormat, expected) => {
	expect(await readContent(itemWith({ ...TEXTS, emailFormat }))).toEqual({
		...expected,
		files: [],
	});
});

test.each([
	[{ emailFormat: 'pdf' }, /Email Format/],
	[{ text: ' \n' }, /'Text' is empty/],
	[{ emailFormat: 'both', text: 'Hi', html: ' ' }, /'HTML' is empty/],
	[{ text: { a: 1 } }, /'Text' is not a text/],
	[{ text: 'Hi', 'options.attachments': 'data, missing' }, /missing/],
])('the content %j is refused', async (parameters, says) => {
	await expect(readContent(itemWith(parameters))).rejects.toThrow(says);
});

test('each named file is attached once, with its bytes, its type and a name in one line', async () => {
	const item = itemWith({ ...TEXTS, 'options.attachments': ' data,, other ,unnamed,data' });
	const content = await readContent(item);
	const sender = { identityId: 'i-1' };
	const { attachments } = await toOutgoingEmail(item, sender, 'ada@example.org', 'Hi', content);
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	expect(attachments).toEqual([
		{ filename: 'a.txt', contentType: 'text/plain', content: base64('one') },
		{ filename: 'a.txt', contentType: 'text/plain', content: base64('two') },
		{ filename: 'unnamed', contentType: 'text/plain X: y', content: base64('one') },
	]);
	const digests = new Set(content.files.map(({ digest }) => digest));
	expect(digests.size).toBe(3);
});

test('emails that differ in one value are other emails', () => {
	const facts = ['m-1', 'ada@example.org', { text: 'Hi', files: [] }];
	expect(digestOf([...facts])).toBe(digestOf(facts));
	const others = [
		['m-2', ...facts.slice(1)],
		[...facts.slice(0, 2), { text: 'Hi', files: [{ digest: 'x' }] }],
		['m-1ada@example.org', '', facts[2]],
	];
	for (const other of others) expect(digestOf(other)).not.toBe(digestOf(facts));
});
