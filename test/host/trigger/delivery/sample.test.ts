import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { EmailIdentityTrigger } from '../../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import { runNode } from '../../support';
import { API_KEY, startDeliveryHost } from './support/deliveries';

const PAGE = join(__dirname, '../../../../docs/trigger.md');

const SAMPLE = { useSampleEmail: true };

const CREDENTIAL = { baseUrl: 'http://127.0.0.1:1', apiKey: API_KEY };

async function send(sample: string, parameters: INodeParameters = {}, isTest = true) {
	const host = await startDeliveryHost({ ...SAMPLE, ...parameters }, { isTest });
	const answer = await host.post({ sample });
	const body = (await answer.json()) as unknown;
	return { status: answer.status, body, items: host.started()[0]?.[0] };
}

function jsonInPage(): unknown {
	const [json = ''] = /(?<=```json\n)\[[\s\S]+?(?=\n```)/.exec(readFileSync(PAGE, 'utf8')) ?? [];
	return JSON.parse(json);
}

const WITH_FILE = { filters: { hasAttachments: true } };

test('the first sample email has no file, because the editor would show the file instead of the fields', async () => {
	const { items } = await send('send');

	expect(items).toMatchObject([
		{ json: { subject: 'Do you deliver to Norway?', attachments: [] } },
	]);
	expect(items?.[0]).not.toHaveProperty('binary');
});

test('the sample email with a file is the one of docs/trigger.md, field for field, in its order', async () => {
	const { items } = await send('send', WITH_FILE);
	const json = items?.map((item) => item.json);

	expect(JSON.stringify(json)).toBe(JSON.stringify(jsonInPage()));
});

test('the file of the sample email is a valid PDF', async () => {
	const { items } = await send('send', WITH_FILE);
	const { data, ...file } = items![0]!.binary!.attachment_0!;
	const pdf = Buffer.from(data, 'base64').toString('latin1');

	expect(file).toMatchObject({ fileName: 'invoice-2026-042.pdf', mimeType: 'application/pdf' });
	expect(pdf.slice(Number(/startxref\n(\d+)/.exec(pdf)?.[1]))).toMatch(/^xref\n/);
	const places = [...pdf.matchAll(/^(\d{10}) \d{5} n $/gm)].map(([, place]) => Number(place));
	expect(places.map((place) => pdf.slice(place, place + 7))).toEqual(
		places.map((_, index) => `${index + 1} 0 obj`),
	);
});

test.each<[string, INodeParameters, string?, RegExp?]>([
	['Receive For', { receiveFor: 'one', identityId: { __rl: true, mode: 'id', value: 'another' } }],
	[
		'Filters',
		{ filters: { from: 'bob@b.b', subject: '', to: 'sales@' } },
		'From, To, Subject Contains',
	],
	[
		'Attachments',
		{ output: 'attachment', filters: { attachments: '*.csv' } },
		'Attachments',
		/Invoice/,
	],
	['Attachments', { filters: { attachments: '*.pdf', to: 'sales@example.com' } }, '', /Invoice/],
	['Ignore Duplicates', { options: { ignoreDuplicates: 'sameMessageId' } }],
	['Verify With the API', { advanced: { verify: true } }],
	['From', { ignore: ['bounces'], filters: { from: 'mailer-daemon' } }, 'From'],
])(
	'%s of %j does not filter out the sample email, but the editor names the filters that would: %s',
	async (_, parameters, names = '', subject = /Norway/) => {
		const { items } = await send('send', parameters);
		const type = new EmailIdentityTrigger();
		const { hints, outputs } = await runNode({ type, credential: CREDENTIAL, parameters, items });

		expect(outputs[0]).toMatchObject([{ json: { subject: expect.stringMatching(subject) } }]);
		expect(JSON.stringify(outputs)).not.toContain('emailIdentityReport');
		const message = `With these filters the published workflow would ignore this email: ${names}`;
		expect(hints.map((hint) => hint.message)).toEqual(names === '' ? [] : [message]);
	},
);

const REPLY = { subject: 'Re: Your order 1815', thread: { inReplyTo: '<order-1815@example.com>' } };
const TAGGED = { recipient: 'sales@example.com', tag: 'orders' };
const QUESTION = { subject: 'Do you deliver to Norway?' };
const BOUNCE = {
	delivery: {
		automatic: 'bounce',
		report: { kind: 'bounce', messageId: '<order-1791@example.com>', recipients: [{}] },
	},
};

test.each<[string, INodeParameters, object]>([
	['a reply by its subject', { subject: 'Re:' }, { ...REPLY, delivery: TAGGED }],
	['a question, because it has no files', { hasAttachments: false }, QUESTION],
	['an invoice by its subject', { subject: 'invoice' }, { subject: 'Invoice 2026-042' }],
	['a bounce by its sender', { from: 'mailer-daemon' }, BOUNCE],
])('the filters choose the sample email: %s', async (_what, filters, json) => {
	const { items } = await send('send', { filters, options: { removeQuotedText: true } });

	expect(items).toMatchObject([{ json }]);
	expect(items?.[0]?.json).not.toHaveProperty('emailIdentityReport');
	expect(items?.[0]?.json.text).not.toContain('wrote:');
});

test.each(['add', 'require'])(
	'the sample email with Sender Check set to %s is unsigned, and the DNS is not asked',
	async (senderCheck) => {
		const advanced = { dnsResolver: 'http://127.0.0.1:1' };
		const { items } = await send('send', { senderCheck, advanced });

		expect(items).toMatchObject([
			{ json: { delivery: { authentication: { result: 'none', domain: 'example.org' } } } },
		]);
	},
);

test('the sample email with Simplify off is an event as a service delivers it', async () => {
	const { items } = await send('send', { simplify: false });

	expect(items).toEqual([
		{
			json: {
				event: 'message.received',
				data: {
					message: expect.objectContaining({ id: 'sample-question' }),
					rawEmail: expect.stringContaining('\r\nSubject: Do you deliver to Norway?\r\n'),
				},
			},
		},
	]);
});

test('the published workflow refuses a sample email', async () => {
	expect(await send('send', {}, false)).toMatchObject({ status: 400, items: undefined });
});
