import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';

import {
	contentOf,
	received,
	startDeliveryHost,
	type TriggerHost,
	type MailParts,
} from './support/deliveries';

let host: TriggerHost;

afterEach(() => {
	jest.restoreAllMocks();
});

const attachment = { name: 'report.pdf', content: 'the report' };

const deliver = async (parameters: INodeParameters, parts: MailParts = { attachment }) => {
	host = await startDeliveryHost(parameters);
	await host.post(received('m-1', parts));
	const item = host.started()[0]?.[0]?.[0];
	if (item === undefined) throw new Error('Nothing was started');
	return item;
};

const REPLY: MailParts = {
	subject: 'Re: Hello',
	text: 'Yes, please.\r\n\r\nOn Sat, Nov 21, 2026 at 10:02 AM Ann <ann@example.com> wrote:\r\n>> Tea?',
};
const QUOTED = 'Yes, please.\n\nOn Sat, Nov 21, 2026 at 10:02 AM Ann <ann@example.com> wrote:';

test.each<[INodeParameters, object, MailParts?]>([
	[{ options: {} }, { attachments: [{ binaryProperty: 'attachment_0' }] }],
	[{ options: { attachmentPrefix: 'file-' } }, { attachments: [{ binaryProperty: 'file-0' }] }],
	[{ options: { includeHeaders: true } }, { headers: { 'message-id': ['<mail@example.com>'] } }],
	[{ options: { removeQuotedText: true } }, { subject: 'Re: Hello', text: 'Yes, please.' }, REPLY],
	[{ options: { removeQuotedText: false } }, { text: `${QUOTED}\n>> Tea?` }, REPLY],
	[{ options: { textFormat: 'markdown' } }, { text: `${QUOTED}\n> > Tea?` }, REPLY],
	[
		{ options: { textFormat: 'markdown', removeQuotedText: true } },
		{ text: 'Yes, please.' },
		REPLY,
	],
	// An expression may give anything for a switch.
	[{ simplify: "={{ 'FALSE' }}" }, { event: 'message.received' }],
	[{ simplify: '={{ null }}' }, { subject: 'Hello' }],
	[{ downloadAttachments: '={{ 0 }}' }, { attachments: [{ binaryProperty: null }] }],
])('with %j, the output has %j', async (parameters, json, parts = { attachment }) => {
	const item = await deliver(parameters, parts);
	const files = ((item.json.attachments ?? []) as Array<{ binaryProperty: string | null }>)
		.map(({ binaryProperty }) => binaryProperty)
		.filter((name) => name !== null);

	expect(item.json).toMatchObject(json);
	expect(Object.keys(item.binary ?? {})).toEqual(files);
});

test('Include Raw Email adds the whole email as a file', async () => {
	const parts = { attachment, subject: 'Grüße' };
	const item = await deliver({ options: { includeRawEmail: true } }, parts);

	expect(item.binary?.rawEmail).toMatchObject({
		fileName: 'm-1.eml',
		mimeType: 'message/rfc822',
		fileExtension: 'eml',
	});
	expect(await contentOf(item, 'rawEmail')).toBe(received('m-1', parts).data.rawEmail);
});

test('the output with Simplify off is the event as it was delivered', async () => {
	host = await startDeliveryHost({ simplify: false });
	const { event, data } = received('m-1', { attachment });
	const delivered = { event, data: { ...data, more: { of: ['the same'] } } };
	await host.post(delivered);

	expect(host.started()).toEqual([[[{ json: delivered }]]]);
});

test('a raw email that is a file is not in the text with Simplify off', async () => {
	const item = await deliver({ simplify: false, options: { includeRawEmail: true } });

	expect(item.json).toEqual({
		event: 'message.received',
		data: { message: { id: 'm-1', subject: 'Hello' } },
	});
	expect(await contentOf(item, 'rawEmail')).toBe(received('m-1', { attachment }).data.rawEmail);
});

test('an email is answered 500 if its files cannot be stored, and its repeat starts the workflow', async () => {
	host = await startDeliveryHost();
	const storage = Container.get(BinaryDataService);
	const full = Object.assign(new Error('no space for "the report"'), { code: 'ENOSPC' });
	jest.spyOn(storage, 'store').mockRejectedValueOnce(full);
	const failed = await host.post(received('m-1', { attachment }));
	const saved = { ...host.staticData };
	const repeat = await host.post(received('m-1', { attachment }));

	expect([failed.status, repeat.status]).toEqual([500, 200]);
	expect(await failed.json()).toMatchObject({ status: 'refused' });
	expect(saved).toEqual({});
	expect(host.started()).toHaveLength(1);
	expect(host.outcomes.map(({ error }) => error)).toEqual([undefined, undefined]);
	expect(JSON.stringify(host.logLines())).toContain('ENOSPC');
	expect(JSON.stringify(host.logLines())).not.toContain('the report');
});
