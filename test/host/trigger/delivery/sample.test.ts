import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { startDeliveryHost } from './support/deliveries';

const README = join(__dirname, '../../../../README.md');

const SAMPLE = { useSampleEmail: true };

/** What n8n sends to itself at its test address, and what becomes of it. */
async function send(sample: string, parameters: INodeParameters = {}, isTest = true) {
	const host = await startDeliveryHost({ ...SAMPLE, ...parameters }, { isTest });
	try {
		const answer = await host.post({ sample });
		const body = (await answer.json()) as unknown;
		return { status: answer.status, body, items: host.started()[0]?.[0], log: host.logLines() };
	} finally {
		await host.stop();
	}
}

/** What a person reads in the README, and can paste into the output of the trigger. */
function jsonInReadme(): unknown {
	const [json = ''] = /(?<=```json\n)\[[\s\S]+?(?=\n```)/.exec(readFileSync(README, 'utf8')) ?? [];
	return JSON.parse(json);
}

test("the sample email is the one of the README, field for field, in the README's order", async () => {
	const { items } = await send('send');

	expect(
		JSON.stringify(
			items!.map(({ json }) => json),
			null,
			1,
		),
	).toBe(JSON.stringify(jsonInReadme(), null, 1));
});

test('the file of the sample email is a valid PDF', async () => {
	const { items } = await send('send');
	const { data, ...file } = items![0]!.binary!.attachment_0!;
	const pdf = Buffer.from(data, 'base64').toString('latin1');

	expect(file).toMatchObject({ fileName: 'invoice-2026-042.pdf', mimeType: 'application/pdf' });
	expect(pdf.slice(Number(/startxref\n(\d+)/.exec(pdf)?.[1]))).toMatch(/^xref\n/);
	const places = [...pdf.matchAll(/^(\d{10}) \d{5} n $/gm)].map(([, place]) => Number(place));
	expect(places.map((place) => pdf.slice(place, place + 7))).toEqual(
		places.map((_, index) => `${index + 1} 0 obj`),
	);
});

test.each<[string, INodeParameters]>([
	['Receive For', { receiveFor: 'one', identityId: { __rl: true, mode: 'id', value: 'another' } }],
	['Filters', { filters: { from: 'bob@example.com', hasAttachments: false, subject: 'no' } }],
	['Attachments', { output: 'attachment', filters: { attachments: '*.csv' } }],
	['Ignore Duplicates', { options: { ignoreDuplicates: 'sameMessageId' } }],
	['Verify With the API', { advanced: { verify: true } }],
])('%s does not apply to the sample email', async (_, parameters) => {
	expect((await send('send', parameters)).items).toHaveLength(1);
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
					message: expect.objectContaining({ id: 'sample' }),
					rawEmail: expect.stringContaining('\r\nSubject: Invoice 2026-042\r\n'),
				},
			},
		},
	]);
});

test('the announcement of the sample email is answered, and does not start the workflow', async () => {
	expect(await send('announce')).toMatchObject({
		status: 200,
		body: { status: 'ready' },
		items: undefined,
	});
});

test('the published workflow refuses a sample email', async () => {
	expect(await send('send', {}, false)).toMatchObject({ status: 400, items: undefined });
});
