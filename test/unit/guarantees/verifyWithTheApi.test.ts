import type { IDataObject } from 'n8n-workflow';

import { createDeliveryMemory } from '../../../nodes/EmailIdentity/trigger/delivery/deliveryHost';
import {
	checking,
	emailWith,
	failure,
	itemsOf,
	outcomeOf,
	type Told,
} from '../trigger/delivery/support/requests';

/** Verify With the API uses only the ID of the delivery. */

const GENUINE = emailWith('From: ada@example.com', 'To: inbox@example.org');
const COPY = { id: 'm/1', rawEmail: GENUINE, deliveredTo: 'inbox@example.org' };

const forged = (copy: object, { parameters, ...told }: Told = {}): Told => ({
	message: { id: 'm/1', from: 'eve@evil.example', subject: 'Forged' },
	rawEmail: emailWith('From: eve@evil.example', 'Content-Disposition: attachment'),
	service: {
		getMessage: async (id) => {
			expect(id).toBe('m/1');
			if (copy instanceof Error) throw copy;
			return await Promise.resolve(copy as IDataObject);
		},
	},
	parameters: { verify: true, ...parameters },
	...told,
});

test("the workflow gets the service's copy, not the delivered one", async () => {
	const items = await itemsOf(forged(COPY, { parameters: { filters: { from: 'example.com' } } }));

	expect(items).toMatchObject([
		{ json: { from: { address: 'ada@example.com' }, delivery: { id: 'm/1' } } },
	]);
});

test('a message without raw email gets its fields from the message object', async () => {
	const copy = { id: 'm/1', subject: 'Of the object', deliveredTo: 'inbox@example.org' };
	const items = await itemsOf(forged(copy));

	const json = { subject: 'Of the object', from: null, text: '', attachments: [], parsed: false };
	expect(items).toMatchObject([
		{ json: { ...json, warning: expect.not.stringContaining('files') } },
	]);
	expect(items[0]?.binary).toBeUndefined();
});

const WITH_FILE = { id: 'm/1', attachments: [{ filename: 'offer.pdf' }] };

test('an item without its file, because the service returns no raw email, has a warning', async () => {
	const [item] = await itemsOf(forged(WITH_FILE, { parameters: { output: 'attachment' } }));

	expect(item).toMatchObject({
		json: {
			attachment: { fileName: 'offer.pdf', binaryProperty: null },
			warning: expect.stringContaining('Its files are missing.'),
		},
	});
	const [other] = await itemsOf(forged(WITH_FILE, { parameters: { downloadAttachments: false } }));
	expect(other?.json.warning).not.toContain('files are missing');
});

test('n8n logs that Sender Check: Require lets nothing through if the service returns no raw emails', async () => {
	const log = jest.fn();
	const authenticateSender = checking('fail', 'example.com');
	const parameters = { senderCheck: 'require' as const };

	expect(await outcomeOf(forged(WITH_FILE, { log, authenticateSender, parameters }))).toBe(
		'filtered',
	);
	expect(log.mock.calls).toMatchObject([
		['warn', 'ignored', expect.stringContaining('raw emails'), {}],
	]);
});

test('the output with Simplify off contains nothing of the delivery either', async () => {
	const message = { id: 'm/1', subject: 'Forged' };
	const data = { message, rawEmail: 'Forged', raw: 'Forged', attachments: ['Forged'] };
	const body = { event: 'message.received', data };
	const items = await itemsOf(forged(COPY, { parameters: { simplify: false }, body }));

	expect(items).toEqual([
		{ json: { event: 'message.received', data: { message: COPY, rawEmail: GENUINE } } },
	]);
});

test.each<[string, object, string | undefined]>([
	['the service refuses', failure(400), 'm/1'],
	['is of another account', failure(403), 'm/1'],
	['the service does not know', failure(404), 'm/1'],
	['comes back with another ID', { ...COPY, id: 'm-2' }, 'm/1'],
	['has no ID', COPY, undefined],
])('a message that %s is refused', async (_what, copy, id) => {
	expect(await outcomeOf(forged(copy, { message: { id } }))).toBe('403');
});

test.each([
	['the key is refused', failure(401)],
	['the key lacks a permission', failure(403, { lacksRight: true })],
	['the service is in trouble', failure(500)],
	['there are too many requests', failure(429)],
	['the answer cannot be read', failure()],
	['the service has no single messages', failure(404, { isRouteMissing: true })],
])(
	'a delivery is answered 503 when %s, and its repeat starts the workflow',
	async (_what, error) => {
		const memory = createDeliveryMemory();

		expect(await outcomeOf(forged(error, { memory }))).toBe('503');
		expect(await outcomeOf(forged(COPY, { memory }))).toBe('started');
	},
);
