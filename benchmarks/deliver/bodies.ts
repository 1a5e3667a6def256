import { randomUUID } from 'node:crypto';
import { namedUuid } from '../../sandbox/ids';
import { composeEmail, type EmailPlan } from '../composeEmail';

/** Creates bodies of deliveries of one email; each has another ID and header, so it is another message. */
export async function deliveryBodies(plan: EmailPlan): Promise<() => Buffer> {
	const placeholder = randomUUID();
	const rawEmail = `X-Delivery: ${placeholder}\r\n${await composeEmail(plan)}`;
	const message = {
		id: placeholder,
		publicId: 'msg_4bXyz1',
		messageId: '<b1c7e5b6-4d0a-4f3e-9f57-1d3a6b2c8e90@example.com>',
		// Like nearly all mail: the subscription's own, so the trigger does not ask for its owner.
		ownerId: namedUuid('user owner'),
		workspaceId: namedUuid('workspace owner'),
		subject: 'Your order – invoice 1042',
		from: { text: 'Ada', value: [{ name: 'Ada', address: 'ada@example.com' }] },
		to: { text: 'Sales', value: [{ name: 'Sales', address: 'sales@example.test' }] },
		date: '2026-11-21T10:00:00.000Z',
		sizeBytes: rawEmail.length,
		hasAttachments: plan.attachments > 0,
		state: 'received',
	};
	const json = JSON.stringify({ event: 'message.received', data: { message, rawEmail } });
	const [start = '', between = '', end = ''] = json.split(placeholder);
	const parts = [start, between, end].map((part) => Buffer.from(part)) as [Buffer, Buffer, Buffer];
	return () => {
		const id = Buffer.from(randomUUID());
		return Buffer.concat([parts[0], id, parts[1], id, parts[2]]);
	};
}
