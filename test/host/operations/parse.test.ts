import type { IBinaryData, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { startScriptedDns, type ScriptedDns } from '../../dns/support/scriptedDns';
import { composeMail, createSigner } from '../../dns/support/signedMails';
import { runNode, type ExecuteSetup, type NodeRun } from '../support';
import { actionNode, jsonOf } from './support/operation';

const EMAIL = [
	'Delivered-To: Sales+Orders@example.com',
	'From: Ada <ada@example.org>',
	'To: Sales <sales+orders@example.com>',
	'Subject: Order',
	'Message-ID: <order-1@example.org>',
	'Content-Type: multipart/mixed; boundary=b',
	'',
	'--b',
	'',
	'Twelve chairs, please.',
	'--b',
	'Content-Type: application/pdf; name=plan.pdf',
	'Content-Disposition: attachment',
	'Content-Transfer-Encoding: base64',
	'',
	'JVBERi0=',
	'--b--',
	'',
].join('\r\n');

const fileOf = (content: Buffer | string, fileName = 'order.eml'): IBinaryData => ({
	data: Buffer.from(content).toString('base64'),
	mimeType: 'message/rfc822',
	fileName,
});

const itemWith = (content: Buffer | string, field = 'data'): INodeExecutionData => ({
	json: {},
	binary: { [field]: fileOf(content) },
});

/** Runs without a credential. */
const parse = async (
	items: INodeExecutionData[],
	parameters: INodeParameters = {},
	more: Partial<ExecuteSetup> = {},
): Promise<NodeRun> =>
	await runNode({
		type: actionNode,
		parameters: { resource: 'message', operation: 'parse', ...parameters },
		items,
		...more,
	});

const errorOf = ({ error }: NodeRun) => String(error?.message);

test('a file becomes the item of the trigger, with its attachment, without a credential', async () => {
	const run = await parse([itemWith(EMAIL)]);
	const [item] = run.outputs[0] ?? [];

	expect(jsonOf(run)).toMatchObject([
		{
			from: { name: 'Ada', address: 'ada@example.org' },
			subject: 'Order',
			text: expect.stringContaining('Twelve chairs, please.'),
			attachments: [{ fileName: 'plan.pdf', binaryProperty: 'attachment_0' }],
			thread: { messageId: '<order-1@example.org>', answer: { to: 'ada@example.org' } },
			delivery: { id: null, tag: 'Orders' },
		},
	]);
	expect(Buffer.from(item?.binary?.attachment_0?.data ?? '', 'base64').toString()).toBe('%PDF-');
	expect(item?.pairedItem).toEqual({ item: 0 });
	expect(item?.json).not.toHaveProperty('headers');
	expect(item?.json).not.toHaveProperty('removedText');
	const [plain] = (await parse([itemWith('From: a@example.org\n\nHello')])).outputs[0] ?? [];
	expect(plain).not.toHaveProperty('binary');
});

test('the options of the trigger apply: prefix, headers, no files, new text, Markdown', async () => {
	const reply = `In-Reply-To: <a@example.com>\r\n${EMAIL.replace(
		'Twelve chairs, please.',
		'Twelve.\r\n\r\nOn Sat, Nov 21, 2026 at 10:02 AM Bob <bob@example.com> wrote:\r\n> How many?',
	)}`;
	const all = { attachmentPrefix: ' file_ ', includeHeaders: true, removeQuotedText: true };
	const run = await parse([itemWith(reply)], { options: { ...all, textFormat: 'markdown' } });

	expect(jsonOf(run)).toMatchObject([
		{
			text: expect.stringMatching(/^Twelve\.\s*$/),
			removedText: expect.stringContaining('> How many?'),
			headers: { subject: ['Order'] },
			attachments: [{ binaryProperty: 'file_0' }],
		},
	]);
	const without = await parse([itemWith(reply)], { downloadAttachments: false });
	expect(without.outputs[0]?.[0]?.binary).toBeUndefined();
	expect(jsonOf(without)).toMatchObject([{ attachments: [{ binaryProperty: null }] }]);
});

test('a text and another binary field are read, each item with its own value', async () => {
	const texts = await parse(
		[
			{ json: { raw: EMAIL } },
			{ json: { raw: EMAIL.replace('Subject: Order', 'Subject: Second') } },
		],
		{ source: 'text', rawEmail: '={{ $json.raw }}' },
	);
	expect(jsonOf(texts)).toMatchObject([{ subject: 'Order' }, { subject: 'Second' }]);

	const field = await parse([itemWith(EMAIL, 'mail')], { binaryPropertyName: 'mail' });
	expect(jsonOf(field)).toMatchObject([{ subject: 'Order' }]);
});

test.each([
	[
		'names Windows-1251',
		'windows-1251',
		Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
		'Привет',
	],
	['names Latin-1', 'iso-8859-1', Buffer.from('Grüße', 'latin1'), 'Grüße'],
	['names UTF-8, wrongly', 'utf-8', Buffer.from('Grüße', 'latin1'), 'Grüße'],
])('letters of an 8-bit file that %s are read', async (_name, charset, written, expected) => {
	const header = `From: a@example.org\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n`;
	const file = Buffer.concat([Buffer.from(header), written]);

	expect(jsonOf(await parse([itemWith(file)]))).toMatchObject([{ text: expected }]);
});

const bytesOf = (text: string) => Buffer.from(text, 'latin1');

test('each part and each header field of an 8-bit file is decoded by its own charset, and each file has its bytes', async () => {
	const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00, 0xc3]);
	const inner = Buffer.concat([
		Buffer.from('From: b@example.org\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n'),
		bytesOf('Content-Disposition: attachment; filename=prices.csv\r\n\r\nGröße\r\n--c--'),
	]);
	const file = Buffer.concat([
		bytesOf('From: Jörg <a@example.org>\r\n'),
		Buffer.from('Subject: Grüße\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'),
		Buffer.from('--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nAdé, Müsli und M'),
		bytesOf('ü'),
		bytesOf(
			'll\r\n--b\r\nContent-Type: text/csv; charset=iso-8859-1; name="Maße.csv"\r\n\r\nGröße;1',
		),
		Buffer.from(
			'\r\n--b\r\nContent-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: binary\r\n\r\n',
		),
		picture,
		Buffer.from('\r\n--b\r\nContent-Type: message/rfc822; name=in.eml\r\n\r\n'),
		inner,
		Buffer.from('\r\n--b--\r\n'),
	]);
	const run = await parse([itemWith(file)]);
	const [item] = run.outputs[0] ?? [];

	expect(jsonOf(run)).toMatchObject([
		{
			subject: 'Grüße',
			from: { name: 'Jörg' },
			text: 'Adé, Müsli und M\ufffdll',
			attachments: [{ fileName: 'Maße.csv' }, {}, {}, { fileName: 'prices.csv' }],
		},
	]);
	const contents = Object.values(item?.binary ?? {}).map(({ data }) => Buffer.from(data, 'base64'));
	expect(contents).toEqual([bytesOf('Größe;1'), picture, inner, bytesOf('Größe')]);
});

const MAILBOX_LINE = 'From ada@example.org Sat Nov 21 10:00:00 2026\n';

test.each([MAILBOX_LINE, 'From \r\n'])(
	'the line that a mailbox file has before an email is skipped: %j',
	async (line) => {
		const file = `${line}${EMAIL.replace('Twelve', 'From here, twelve')}`;

		expect(jsonOf(await parse([itemWith(file)]))).toMatchObject([{ subject: 'Order' }]);
	},
);

test.each<[string, Buffer | string, RegExp]>([
	['an empty file', '', /nothing|empty/i],
	['an Outlook file', Buffer.from('d0cf11e0a1b11ae1000000', 'hex'), /Outlook.*\.msg/],
	['several emails', `${MAILBOX_LINE}${EMAIL}\n${MAILBOX_LINE}${EMAIL}`, /several emails/],
	['several emails of Thunderbird', `From \n${EMAIL}\nFrom \n${EMAIL}`, /several emails/],
	['a PDF', '%PDF-1.7\nSome: thing\n', /not an email/],
	['a text', 'Hello,\n\nFrom: me\n', /not an email/],
])('%s is refused with its own sentence', async (_name, content, sentence) => {
	const { error } = await parse([itemWith(EMAIL), itemWith(content)]);
	expect(String(error?.message)).toMatch(sentence);
	expect(error).toMatchObject({
		description: expect.stringMatching(/\w+.*\.$/),
		context: { itemIndex: 1 },
	});
});

test.each([
	[{ source: 'text', rawEmail: '' }],
	[{ source: 'text', rawEmail: '={{ $json.gone }}' }],
	[{ binaryPropertyName: 'gone' }],
])('an input without an email is refused: %j', async (parameters) => {
	expect(errorOf(await parse([itemWith(EMAIL)], parameters))).toMatch(
		/empty|required|no.*(?:binary|field)/i,
	);
});

test('with Continue On Fail, a failed item does not stop the others', async () => {
	const items = [
		itemWith(EMAIL),
		itemWith('no email'),
		itemWith(EMAIL.replace('Subject: Order', 'Subject: Third')),
	];
	const run = await parse(items, {}, { onError: 'continueRegularOutput' });

	expect(jsonOf(run)).toMatchObject([
		{ subject: 'Order' },
		{ error: expect.stringContaining('not an email') },
		{ subject: 'Third' },
	]);
});

test('no credential is offered or asked for, unlike for Message Get', async () => {
	const get = await parse([itemWith(EMAIL)], { operation: 'get', messageId: 'm-1' });

	expect(errorOf(get)).toMatch(/credential/i);
	expect((await parse([itemWith(EMAIL)])).error).toBeUndefined();
});

describe('with Sender Check', () => {
	const signer = createSigner('example.com');
	let doh: ScriptedDns;

	beforeAll(async () => void (doh = await startScriptedDns(signer.zones)));
	afterAll(async () => await doh.stop());

	const resultOf = async (content: Buffer | string) => {
		const options = { senderCheck: 'add', dnsResolver: doh.address };
		const [json] = jsonOf(await parse([itemWith(content)], { options }));
		return ((json?.delivery ?? {}) as IDataObject).authentication as IDataObject;
	};

	test('a signed email passes and a forged one does not', async () => {
		const signed = await composeMail({ from: 'Ada <ada@example.com>' }, signer);

		expect(await resultOf(signed)).toMatchObject({ result: 'pass', domain: 'example.com' });
		const forged = signed.replace('ada@example.com', 'eve@example.com');
		expect(await resultOf(forged)).not.toMatchObject({ result: 'pass' });
	});

	test('an 8-bit email in another charset is read, but proves nothing', async () => {
		const signed = await composeMail({ from: 'Ada <ada@example.com>' }, signer);
		const changed = Buffer.concat([Buffer.from(signed), Buffer.from('Grüße\r\n', 'latin1')]);

		expect(await resultOf(changed)).not.toMatchObject({ result: 'pass' });
	});
});
