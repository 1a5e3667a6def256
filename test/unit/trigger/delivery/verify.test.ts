import type { IDataObject } from 'n8n-workflow';

import { createDeliveryMemory } from '../../../../nodes/EmailIdentity/trigger/delivery/deliveryMemory';
import { emailWith, failure, itemsOf, outcomeOf, type Told } from './support/requests';

/** Verify With the API: nothing of the delivery is used but the ID. */

const GENUINE = emailWith('From: ada@example.com', 'To: inbox@example.org');
const COPY = { id: 'm/1', rawEmail: GENUINE, deliveredTo: 'inbox@example.org' };

/** A forged delivery, and the message that the service returns for its ID; an error is thrown. */
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

	expect(items).toMatchObject([
		{ json: { subject: 'Of the object', from: null, attachments: [], parsed: false } },
	]);
	expect(items[0]?.binary).toBeUndefined();
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

test.each<[string, object, object]>([
	['the service refuses', failure(400), {}],
	['is of another account', failure(403), {}],
	['the service does not know', failure(404), {}],
	['comes back with another ID', { ...COPY, id: 'm-2' }, {}],
	['has no ID', COPY, { id: undefined }],
])('a message that %s is refused', async (_what, copy, message) => {
	expect(await outcomeOf(forged(copy, { message: { id: 'm/1', ...message } }))).toBe('403');
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
