import { mail, received, startDeliveryHost, type DeliveryHost } from './deliveries';

let host: DeliveryHost;

afterEach(async () => {
	jest.restoreAllMocks();
	await host.stop();
});

const MINUTE = 60_000;

const lines = () =>
	host
		.logLines()
		.map(({ level, message, metadata }) => ({ level, message, ...(metadata as object) }));

const withoutSecret = () => ({ url: host.url });

test.each<[string, unknown, object]>([
	['nothing', '', { status: 400, message: 'A delivery was refused: The body is empty' }],
	['no JSON', '{"a"', { status: 400, message: 'A delivery was refused: The body is not JSON' }],
	[
		'another shape',
		{ event: 'message.received', data: {} },
		{ status: 400, message: 'A delivery was refused: "data.message" is not an object' },
	],
])('the log says why a delivery of %s was refused', async (_what, body, expected) => {
	host = await startDeliveryHost();
	await host.post(body, { contentType: null });

	expect(lines()).toMatchObject([
		{ level: 'warn', node: expect.any(String), deliveries: 1, ...expected },
	]);
});

test('the log says why Verify With the API refused a delivery', async () => {
	// Nothing listens at the address of its service.
	host = await startDeliveryHost({ options: { verify: true } });
	await host.post(received('m-1'));
	await host.post(received(undefined));

	expect(lines().filter(({ level }) => level === 'warn')).toMatchObject([
		{ status: 503, because: 'it gave no answer that can be read' },
		{ status: 403, because: 'the delivery names none' },
	]);
});

test('who guesses at the secret gets one line a minute, with the number of guesses', async () => {
	host = await startDeliveryHost();
	const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 21));
	for (let guess = 0; guess < 30; guess++) {
		await host.post(received(`guess-${guess}`), { url: `${host.url}?token=guess-${guess}` });
	}
	const early = lines();
	now.mockReturnValue(Date.UTC(2026, 10, 21) + MINUTE);
	await host.post(received('m-1'), withoutSecret());

	expect(early).toMatchObject([{ status: 401, deliveries: 1 }]);
	expect(lines()).toMatchObject([
		{ status: 401, deliveries: 1 },
		{ status: 401, deliveries: 30 },
	]);
	expect(JSON.stringify(host.logLines())).not.toContain('guess');
});

test('each reason has a line of its own, and each node', async () => {
	host = await startDeliveryHost();
	await host.post(received('m-1'), withoutSecret());
	await host.post('no JSON');
	await host.post('no JSON');
	const first = lines().map(({ message }) => message);
	await host.stop();
	host = await startDeliveryHost();
	await host.post('no JSON');

	expect(new Set(first).size).toBe(2);
	expect(first).toHaveLength(2);
	expect(lines()).toHaveLength(1);
});

test('what is ignored is told to who looks closer', async () => {
	host = await startDeliveryHost({ filters: { from: 'ada@example.com' } });
	await host.post({ event: 'message.sent', data: {} });
	await host.post({
		event: 'message.received',
		data: { message: {}, rawEmail: mail({ from: 'eve@evil.example' }) },
	});

	expect(lines()).toMatchObject([
		{ level: 'debug', message: 'A delivery was ignored', reason: 'event' },
		{ level: 'debug', message: 'A delivery was ignored', reason: 'filtered' },
	]);
});
