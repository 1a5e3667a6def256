import type { INodeParameters } from 'n8n-workflow';

import { contentOf, startDeliveryHost } from './support/deliveries';

const HEADER = [
	'From: Ada <ada@example.com>',
	'To: sales@example.org',
	'Subject: Hello',
	'Date: Sat, 21 Nov 2026 10:00:00 +0000',
	'MIME-Version: 1.0',
];

const TEXT = ['Content-Type: text/plain; charset=utf-8', '', 'Hi there'];

const file = (content: string, ...header: string[]) => [
	...header,
	'Content-Transfer-Encoding: base64',
	'',
	Buffer.from(content).toString('base64'),
];

const attached = (type: string, name: string, content = name) =>
	file(content, `Content-Type: ${type}`, `Content-Disposition: attachment; filename="${name}"`);

const container = (type: string, boundary: string, parts: string[][]) => [
	`Content-Type: multipart/${type}; boundary=${boundary}`,
	'',
	...parts.flatMap((part) => [`--${boundary}`, ...part]),
	`--${boundary}--`,
];

const mixedIn = (boundary: string, parts: string[][]) =>
	[...HEADER, ...container('mixed', boundary, [TEXT, ...parts]), ''].join('\r\n');

const mixed = (...parts: string[][]) => mixedIn('edge', parts);

const pdf = (name: string, content?: string) => attached('application/pdf', name, content);

const CSV = attached('text/csv', 'list.csv');

const SIGNATURE = container('related', 'inner', [
	['Content-Type: text/html', '', '<p>Hi<img src="cid:logo"></p>'],
	file('logo', 'Content-Type: image/png; name="logo.png"', 'Content-ID: <logo>'),
]);

const FORWARDED = [
	'Content-Type: message/rfc822',
	'Content-Disposition: attachment; filename="The original.eml"',
	'',
	mixedIn('of-the-original', [pdf('inner.pdf')]),
];

const TWO_OF_ONE_NAME = mixed(pdf('offer.pdf', 'first'), pdf('offer.pdf', 'second'));
const TEXT_AND_PICTURE = mixed(SIGNATURE, CSV);
const PICTURE_ONLY = mixed(SIGNATURE);

/** The files that `*.pdf` matches, with their contents. */
const MAILS: Array<[what: string, rawEmail: string, ...pdfs: Array<[string, string]>]> = [
	['two of one name', TWO_OF_ONE_NAME, ['offer.pdf', 'first'], ['offer (2).pdf', 'second']],
	['after a signature', mixed(SIGNATURE, pdf('offer.pdf')), ['offer.pdf', 'offer.pdf']],
	['nameless', mixed(file('x', 'Content-Type: application/pdf')), ['attachment.pdf', 'x']],
	['in a forwarded email', mixed(FORWARDED), ['inner.pdf', 'inner.pdf']],
	[
		'beside a forwarded email',
		mixed(FORWARDED, pdf('outer.pdf')),
		['outer.pdf', 'outer.pdf'],
		['inner.pdf', 'inner.pdf'],
	],
	['alone', [...HEADER, ...pdf('scan.pdf'), ''].join('\r\n'), ['scan.pdf', 'scan.pdf']],
	['none, but a signature', PICTURE_ONLY],
	['none', mixed()],
];

const deliver = async (parameters: INodeParameters, rawEmail: string, message: object = {}) => {
	const host = await startDeliveryHost(parameters);
	const data = { message: { id: 'm-1', ...message }, rawEmail };
	const answer = await host.post({ event: 'message.received', data });
	const { reason } = (await answer.json()) as { reason?: string };
	expect(host.started().length).toBeLessThanOrEqual(1);
	return { items: host.started()[0]?.[0] ?? [], reason };
};

const PDFS = { filters: { attachments: '*.pdf' } };
const EACH = { output: 'attachment' };

test.each(MAILS)('One Item per Attachment with *.pdf: %s', async (_what, rawEmail, ...pdfs) => {
	const { items, reason } = await deliver({ ...PDFS, ...EACH }, rawEmail);
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
	expect(reason).toBe(pdfs.length === 0 ? 'filtered' : undefined);
});

test.each([
	['image/*', ['logo.png']],
	['*.png', ['logo.png']],
	['*', ['list.csv']],
	['logo*', []],
	['list', ['list.csv']],
	['LIST*', ['list.csv']],
	['.csv', ['list.csv']],
	['text/csv', ['list.csv']],
	['*.pdf, text/*', ['list.csv']],
	['*.pdf; *.doc*', []],
])('Attachments with %s returns %j', async (attachments, expected) => {
	const { items } = await deliver({ filters: { attachments }, ...EACH }, TEXT_AND_PICTURE);

	expect(items.map(({ json }) => (json.attachment as { fileName: string }).fileName)).toEqual(
		expected,
	);
});

test.each<[string, INodeParameters, string]>([
	['without a filter', EACH, 'noAttachment'],
	['as it was delivered', { ...PDFS, ...EACH, simplify: false }, 'filtered'],
	['without Download Attachments', { ...PDFS, downloadAttachments: false }, 'filtered'],
])(
	'an image in a signature does not start the workflow: %s',
	async (_what, parameters, expected) => {
		expect(await deliver(parameters, PICTURE_ONLY)).toEqual({ items: [], reason: expected });
	},
);

test('Attachments filters and lists files without Download Attachments', async () => {
	const parameters = { ...PDFS, ...EACH, downloadAttachments: false };
	const { items } = await deliver(parameters, mixed(CSV, pdf('offer.pdf')));

	expect(items).toMatchObject([
		{ json: { attachment: { fileName: 'offer.pdf', binaryProperty: null } } },
	]);
	expect(items[0]?.binary).toBeUndefined();
});

test('the raw email is only in the first item', async () => {
	const { items } = await deliver({ ...EACH, options: { includeRawEmail: true } }, TWO_OF_ONE_NAME);

	expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toEqual([
		['data', 'rawEmail'],
		['data'],
	]);
});

const LISTED = { filename: 'offer.pdf', contentType: 'application/pdf', sizeBytes: 3 };

test('without a raw email, the files that the service lists decide', async () => {
	const { items } = await deliver(EACH, '', { attachments: [LISTED] });

	expect(items).toMatchObject([
		{ json: { parsed: false, attachment: { fileName: 'offer.pdf', binaryProperty: null } } },
	]);
	expect(await deliver(EACH, '', { attachments: [] })).toMatchObject({ reason: 'noAttachment' });
});

test.each<[string, INodeParameters]>([
	['One Item per Attachment', EACH],
	['Attachments', PDFS],
	['Has Attachments', { filters: { hasAttachments: true } }],
])(
	'an email whose files are unknown starts the workflow with a warning: %s',
	async (_, settings) => {
		const { items } = await deliver(settings, mixed(...Array.from({ length: 2001 }, () => CSV)));

		expect(items).toMatchObject([{ json: { parsed: false } }]);
		expect(items[0]?.json.warning).toMatch(/not parsed/);
	},
);
