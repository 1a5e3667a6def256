import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { namedUuid } from '../../sandbox/ids';
import { composeEmail } from '../composeEmail';

const TIME_LIMIT_MS = 120_000;

/** Gives another delivery each time: of the same email, but with another ID and header, so that it is another message. */
export type NextDelivery = () => Buffer;

/** @param size characters of the raw email, roughly */
export async function composeDeliveries(size: number): Promise<NextDelivery> {
	const placeholder = randomUUID();
	const email = await composeEmail({ size, attachments: 0 });
	const rawEmail = `X-Delivery: ${placeholder}\r\n${email}`;
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
		hasAttachments: false,
		state: 'received',
	};
	const json = JSON.stringify({ event: 'message.received', data: { message, rawEmail } });
	return () => Buffer.from(json.replaceAll(placeholder, randomUUID()));
}

/**
 * Sends deliveries, as a service that waits for answers does: each connection sends the next one when the last one was answered.
 *
 * @returns how many were accepted a second
 */
export async function sendDeliveries(
	url: string,
	next: NextDelivery,
	count: number,
	connections: number,
): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	let left = count;
	const connection = async (): Promise<void> => {
		while (left > 0) {
			left--;
			await post(url, next(), agent);
		}
	};
	const start = performance.now();
	try {
		await Promise.all(Array.from({ length: connections }, connection));
	} finally {
		agent.destroy();
	}
	const seconds = (performance.now() - start) / 1000;
	return count / seconds;
}

/** With the content type that a running service was seen to use. */
async function post(url: string, body: Buffer, agent: Agent): Promise<void> {
	const status = await new Promise<number | undefined>((resolve, reject) => {
		const headers = { 'content-type': 'text/plain;charset=UTF-8', 'content-length': body.length };
		const sending = request(url, { method: 'POST', agent, headers, timeout: TIME_LIMIT_MS });
		sending.on('error', reject);
		sending.on('timeout', () => sending.destroy(new Error('A delivery was not answered.')));
		sending.on('response', (response) => {
			response.resume();
			response.on('end', () => resolve(response.statusCode));
		});
		sending.end(body);
	});
	if (status !== 200) throw new Error(`A delivery was answered ${status}.`);
}
