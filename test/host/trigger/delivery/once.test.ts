import { connect, type Socket } from 'node:net';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { received, startDeliveryHost, type TriggerHost } from './support/deliveries';

const idOf = ({ delivery }: IDataObject = {}) => (delivery as { id?: string } | undefined)?.id;

const ids = (host: TriggerHost) => host.started().map(([items]) => idOf(items?.[0]?.json));

const reasonOf = async (answer: Response) => ((await answer.json()) as { reason?: string }).reason;

test.each<[string, INodeParameters, string[]]>([
	['start it each by default', {}, ['copy-ada', 'copy-bob']],
	[
		'start it once when the Message-ID is what counts',
		{ ignoreDuplicates: 'sameMessageId' },
		['copy-ada'],
	],
])('copies for several recipients %s', async (_what, options, started) => {
	const host = await startDeliveryHost({ options });
	for (const name of ['ada', 'bob']) await host.post(received(`copy-${name}`, { trace: name }));

	expect(ids(host)).toEqual(started);
});

test('repeats are recognized after a restart, also those of concurrent deliveries', async () => {
	const host = await startDeliveryHost({}, { webhookId: 'restarted' });
	const messages = Array.from({ length: 100 }, (_, index) => received(`m-${index}`));
	await Promise.all(messages.map(async (message) => await host.post(message)));
	const again = await startDeliveryHost(
		{},
		{ webhookId: 'restarted', staticData: host.staticData },
	);
	await Promise.all(messages.map(async (message) => await again.post(message)));
	await again.post(received('m-new'));

	expect(ids(host)).toHaveLength(100);
	expect(ids(again)).toEqual(['m-new']);
});

test('a repeat starts the workflow if the first delivery fails meanwhile', async () => {
	let failures = 1;
	const recording = async () => {
		await Promise.resolve();
		if (failures-- > 0) throw new Error('The database is locked');
	};
	const host = await startDeliveryHost({}, { recording });
	const answers = await Promise.all([host.post(received('m-1')), host.post(received('m-1'))]);

	expect(answers.map(({ status }) => status).sort()).toEqual([200, 500]);
	expect(ids(host)).toEqual(['m-1']);
});

test('test events are neither skipped nor remembered', async () => {
	const webhookId = 'tested';
	const testing = await startDeliveryHost({}, { webhookId, isTest: true });
	await testing.post(received('m-1'));
	await testing.post(received('m-1'));
	const live = await startDeliveryHost({}, { webhookId });
	await live.post(received('m-1'));

	expect(ids(testing)).toEqual(['m-1', 'm-1']);
	expect(testing.staticData).toEqual({});
	expect(ids(live)).toEqual(['m-1']);
});

test('a repeat waits while it is unknown whether the first delivery started the workflow', async () => {
	let release = (): void => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	let handled = (): void => {};
	const isHandled = new Promise<void>((resolve) => (handled = resolve));
	const recording = async () => {
		handled();
		await held;
	};
	const host = await startDeliveryHost({}, { recording });
	const socket = deliverBySocket(host, received('m-1'));
	await isHandled;
	const repeat = host.post(received('m-1'));
	// The sender gives up before n8n has answered.
	socket.destroy();
	const answer = await repeat;
	release();
	await until(() => ids(host).length > 0);
	const later = await host.post(received('m-1'));

	expect(answer.status).toBe(503);
	expect(answer.headers.get('retry-after')).toBeTruthy();
	expect(await reasonOf(later)).toBe('duplicate');
	expect(ids(host)).toEqual(['m-1']);
});

test('if a sender hangs up before n8n calls the node, a repeat is refused for now instead of waiting', async () => {
	let socket: Socket | undefined;
	const loading = async (response: { closed: boolean }) => {
		socket?.destroy();
		await until(() => socket === undefined || response.closed);
	};
	let failures = 1;
	const recording = async () => {
		await Promise.resolve();
		if (failures-- > 0) throw new Error('The database is locked');
	};
	const host = await startDeliveryHost({}, { loading, recording });
	socket = deliverBySocket(host, received('m-1'));
	await until(() => host.outcomes[0]?.error !== undefined);
	socket = undefined;
	const answer = await host.post(received('m-1'));

	expect(answer.status).toBe(503);
	expect(answer.headers.get('retry-after')).toBeTruthy();
});

/** For a sender that hangs up. */
function deliverBySocket(host: TriggerHost, message: unknown): Socket {
	const body = JSON.stringify(message);
	const { hostname, port, search } = new URL(host.signedUrl);
	const socket = connect(Number(port), hostname);
	socket.write(
		`POST /${search} HTTP/1.1\r\nhost: n8n\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
	);
	return socket;
}

async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
