import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import schema from '../../../../nodes/EmailIdentity/__schema__/v2.0.0.json';
import { ATTACHMENT_MAILS, crowded, PICTURE_ONLY, TEXT_AND_PICTURE } from './attachmentMails';
import { startDeliveryHost, type DeliveryHost } from './deliveries';

let host: DeliveryHost;

afterEach(async () => {
	jest.restoreAllMocks();
	await host.stop();
});

/** What one email starts the workflow with: the items, or none when it does not start. */
const deliver = async (parameters: INodeParameters, rawEmail: string) => {
	host = await startDeliveryHost(parameters);
	const data = { message: { id: 'm-1' }, rawEmail };
	const answer = await host.post({ event: 'message.received', data });
	const started = host.started();
	expect(started.length).toBeLessThanOrEqual(1);
	return {
		items: started[0]?.[0] ?? [],
		answer: (await answer.json().catch(() => ({}))) as { reason?: string },
	};
};

const contentOf = async ({ binary }: INodeExecutionData, field: string) => {
	const data = binary?.[field];
	if (data === undefined) throw new Error(`There is no binary field ${field}`);
	return (await Container.get(BinaryDataService).getAsBuffer(data)).toString();
};

const PDFS = { filters: { attachments: '*.pdf' } };
const EACH = { output: 'attachment' };

test.each(ATTACHMENT_MAILS)(
	'One Item per Attachment with *.pdf: $what',
	async ({ rawEmail, pdfs }) => {
		const { items, answer } = await deliver({ ...PDFS, ...EACH }, rawEmail);
		const found = items.map(async (item) => {
			expect(item.json).toMatchObject({
				subject: 'Hello',
				attachment: { binaryProperty: 'data', inline: false },
			});
			expect(item.json).not.toHaveProperty('attachments');
			expect(Object.keys(item.binary ?? {})).toEqual(['data']);
			const { fileName, size } = item.json.attachment as { fileName: string; size: number };
			const content = await contentOf(item, 'data');
			expect(item.binary?.data?.fileName).toBe(fileName);
			expect(size).toBe(Buffer.byteLength(content));
			return [fileName, content];
		});

		expect(await Promise.all(found)).toEqual(pdfs);
		expect(answer.reason).toBe(pdfs.length === 0 ? 'filtered' : undefined);
	},
);

test.each(ATTACHMENT_MAILS)('One Item per Email with *.pdf: $what', async ({ rawEmail, pdfs }) => {
	const stored = jest.spyOn(Container.get(BinaryDataService), 'store');
	const { items } = await deliver(PDFS, rawEmail);

	expect(stored).toHaveBeenCalledTimes(pdfs.length);
	expect(items).toHaveLength(pdfs.length === 0 ? 0 : 1);
	expect(items[0]?.json.attachments ?? []).toMatchObject(
		pdfs.map(([fileName], index) => ({ fileName, binaryProperty: `attachment_${index}` })),
	);
	const contents = pdfs.map(async (_, index) => await contentOf(items[0]!, `attachment_${index}`));
	expect(await Promise.all(contents)).toEqual(pdfs.map(([, content]) => content));
});

test.each([
	['image/*', ['logo.png']],
	['*.png', ['logo.png']],
	['png', ['logo.png']],
	['*', ['list.csv']],
	['logo*', []],
	['list', ['list.csv']],
	['LIST*', ['list.csv']],
	['.csv', ['list.csv']],
	['text/csv', ['list.csv']],
	['*.pdf, text/*', ['list.csv']],
	['*.pdf; *.doc*', []],
])('%s names %j', async (attachments, expected) => {
	const { items } = await deliver({ filters: { attachments }, ...EACH }, TEXT_AND_PICTURE);

	expect(items.map(({ json }) => (json.attachment as { fileName: string }).fileName)).toEqual(
		expected,
	);
});

test('the editor knows the fields of an item before a run', async () => {
	const { items } = await deliver(EACH, TEXT_AND_PICTURE);
	const known = schema.properties;
	const attachment = items[0]?.json.attachment as object;

	expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(items[0]?.json ?? {})));
	expect(Object.keys(known.attachment.properties)).toEqual(Object.keys(attachment));
});

test('without a filter, pictures of the signature are no items', async () => {
	const { items } = await deliver(EACH, TEXT_AND_PICTURE);

	expect(items).toMatchObject([{ json: { attachment: { fileName: 'list.csv' } } }]);
});

test('without a filter, an email whose only file is a picture of the signature does not start the workflow', async () => {
	const { items, answer } = await deliver(EACH, PICTURE_ONLY);

	expect([items, answer.reason]).toEqual([[], 'noAttachment']);
});

test('a repeat of an email with several files does not start the workflow', async () => {
	const { rawEmail } = ATTACHMENT_MAILS[1]!;
	const { items } = await deliver(EACH, rawEmail);
	await host.post({ event: 'message.received', data: { message: { id: 'm-1' }, rawEmail } });

	expect(items).toHaveLength(2);
	expect(host.started()).toHaveLength(1);
});

test('without Download Attachments, the filter applies and the files are only listed', async () => {
	const off = { ...PDFS, downloadAttachments: false };
	const { rawEmail } = ATTACHMENT_MAILS[0]!;
	const { items } = await deliver({ ...off, ...EACH }, rawEmail);

	expect(items).toMatchObject([
		{ json: { attachment: { fileName: 'offer.pdf', binaryProperty: null } } },
	]);
	expect(items[0]?.binary).toBeUndefined();
	await host.stop();
	expect((await deliver(off, PICTURE_ONLY)).answer.reason).toBe('filtered');
});

test('the filter also applies to what is passed on as it was delivered', async () => {
	const { answer } = await deliver({ ...PDFS, ...EACH, simplify: false }, PICTURE_ONLY);

	expect(answer.reason).toBe('filtered');
});

test('the raw email is in the first item alone', async () => {
	const { rawEmail } = ATTACHMENT_MAILS[1]!;
	const { items } = await deliver({ ...EACH, options: { includeRawEmail: true } }, rawEmail);

	expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toEqual([
		['data', 'rawEmail'],
		['data'],
	]);
});

test('an email that cannot be read starts with what is known of its files', async () => {
	host = await startDeliveryHost(EACH);
	const attachments = [{ filename: 'offer.pdf', contentType: 'application/pdf', sizeBytes: 3 }];
	const message = { id: 'm-1', subject: 'Hello', attachments };
	await host.post({ event: 'message.received', data: { message, rawEmail: '' } });

	expect(host.started()[0]?.[0]).toMatchObject([
		{ json: { parsed: false, attachment: { fileName: 'offer.pdf', binaryProperty: null } } },
	]);
});

test('an email with very many files and very much text does not fill the memory', async () => {
	const rawEmail = crowded(300, 'x'.repeat(1_000_000));
	const { items } = await deliver({ ...EACH, downloadAttachments: false }, rawEmail);

	expect(items).toHaveLength(300);
	expect(items[0]?.json.text).toHaveLength(1_000_000);
	expect(items.at(-1)?.json).toMatchObject({
		subject: 'Hello',
		attachment: { fileName: '299.csv' },
	});
	expect(JSON.stringify(items).length).toBeLessThan(35_000_000);
});
