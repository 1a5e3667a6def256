import { received, startDeliveryHost, type TriggerHost } from './support/deliveries';

let host: TriggerHost;

afterEach(() => {
	jest.restoreAllMocks();
});

const MINUTE = 60_000;

const lines = () =>
	host
		.logLines()
		.map(({ level, message, metadata }) => ({ level, message, ...(metadata as object) }));

const TRIGGER = 'Email Identity Trigger "Node Under Test" of workflow "Workflow of the test": ';

test('the log says why Verify With the API refused a delivery', async () => {
	// Nothing listens at the address of its service.
	host = await startDeliveryHost({ advanced: { verify: true } });
	await host.post(received('m-1'));
	await host.post(received(undefined));

	expect(lines().filter(({ level }) => level === 'warn')).toMatchObject([
		{ message: expect.stringMatching(/ 503, \w.*: the service sent no readable answer/) },
		{ message: expect.stringMatching(/ 403, \w.*: the delivery has no message ID$/) },
	]);
});

test('guesses of the secret make one line a minute, with their number', async () => {
	host = await startDeliveryHost();
	const now = jest.spyOn(performance, 'now').mockReturnValue(Date.UTC(2026, 10, 21));
	for (let guess = 0; guess < 30; guess++) {
		await host.post(received(`guess-${guess}`), { url: `${host.url}?token=guess-${guess}` });
	}
	const early = lines();
	now.mockReturnValue(Date.UTC(2026, 10, 21) + MINUTE);
	await host.post(received('m-1'), { url: `${host.url}?token=guess` });

	expect(early).toMatchObject([
		{ message: expect.stringContaining(': 1 delivery was refused: 401, '), deliveries: 1 },
	]);
	expect(lines()).toMatchObject([
		{ deliveries: 1 },
		{
			message: `${TRIGGER}30 deliveries were refused: 401, The secret in the URL is wrong`,
			deliveries: 30,
		},
	]);
	expect(JSON.stringify(host.logLines())).not.toContain('guess');
});

test('a gateway that drops the query has a line of its own', async () => {
	host = await startDeliveryHost();
	const response = await host.post(received('m-1'), { url: host.url });

	expect(response.status).toBe(401);
	expect(await response.json()).toMatchObject({
		message: expect.stringMatching(/secret is missing.*must forward the query/),
	});
	expect(lines()).toMatchObject([{ message: expect.stringContaining('must forward the query') }]);
});

const ignored = (why: string) => ({
	level: 'info',
	message: `${TRIGGER}1 delivery was ignored: ${why}`,
});

test('the log says why emails did not start the workflow, at a level that n8n shows, without their content', async () => {
	host = await startDeliveryHost({ filters: { from: 'ada@example.com', subject: 'invoice' } });
	await host.post({ event: 'message.sent', data: { rawEmail: 'Secret plan' } });
	await host.post('{"Secret plan": tru');
	await host.post(received('m-1', { from: 'eve@evil.example', subject: 'Secret plan' }));
	await host.post(received('m-2', { subject: 'Secret plan' }));
	await host.post(received('m-3', { subject: 'Secret plan' }));

	expect(lines()).toMatchObject([
		ignored('event'),
		{ level: 'warn', message: expect.stringContaining('refused: 400, ') },
		ignored('filtered (From)'),
		ignored('filtered (Subject Contains)'),
	]);
	expect(JSON.stringify(host.logLines())).not.toMatch(/Secret|evil/);
});

test('a filter that an expression leaves empty lets no email through, and is logged once an hour', async () => {
	host = await startDeliveryHost({ filters: { from: 'bob@b.b', to: '={{ undefined }}' } });
	const now = jest.spyOn(performance, 'now');
	for (const minute of [0, 1, 59, 60]) {
		now.mockReturnValue(minute * MINUTE);
		await host.post(received(`m-${minute}`));
	}

	expect(host.started()).toEqual([]);
	expect(lines()).toEqual([
		expect.objectContaining({
			level: 'warn',
			message: `${TRIGGER}1 delivery was ignored: filtered. The filter 'To' has no value.`,
		}),
		expect.objectContaining({ deliveries: 3 }),
	]);
});

test.each([
	['a repeat is logged at level debug', 'sameEmail', 'debug'],
	['a repeat by its Message-ID is logged at level info', 'sameMessageId', 'info'],
])('%s', async (_what, ignoreDuplicates, level) => {
	host = await startDeliveryHost({ options: { ignoreDuplicates } });
	await host.post(received('m-1'));
	await host.post(received('m-1'));

	expect(lines()).toMatchObject([{ ...ignored('duplicate'), level }]);
});
