import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { API_KEY, mail, received, startDeliveryHost, type DeliveryHost } from './deliveries';

let service: Server;
let answer: (response: ServerResponse) => void;
let asked: Array<{ url?: string; authorization?: string }> = [];
let host: DeliveryHost;

beforeEach(async () => {
	asked = [];
	service = createServer((request, response) => {
		asked.push({ url: request.url, authorization: request.headers.authorization });
		answer(response);
	});
	await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
	await host.stop();
	service.closeAllConnections();
	await new Promise((resolve) => service.close(resolve));
});

const start = async (parameters: INodeParameters = {}) => {
	const { port } = service.address() as AddressInfo;
	host = await startDeliveryHost(
		{ ...parameters, advanced: { verify: true, ...(parameters.advanced as object) } },
		{ credential: { baseUrl: `http://127.0.0.1:${port}/api`, apiKey: API_KEY } },
	);
};

const reply =
	(status: number, body: unknown, headers: Record<string, string> = {}) =>
	(response: ServerResponse) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(JSON.stringify(body));
	};

const subjects = () => host.started().map(([items]) => items?.[0]?.json.subject);

test("the workflow gets the service's copy, not what was delivered", async () => {
	const rawEmail = mail({ subject: 'The real one', deliveredTo: 'inbox@example.org' });
	answer = reply(200, { success: true, data: { message: { id: 'm/1' }, rawEmail } });
	await start();
	const response = await host.post(received('m/1', { subject: 'A forged one' }));

	expect(response.status).toBe(200);
	expect(subjects()).toEqual(['The real one']);
	expect(asked).toEqual([{ url: '/api/messages/m%2F1', authorization: `Bearer ${API_KEY}` }]);
});

test('without a raw email at the service, its message object tells the fields', async () => {
	answer = reply(200, { id: 'm-1', subject: 'Of the object' });
	await start();
	await host.post(received('m-1', { attachment: { name: 'virus.exe', content: 'forged' } }));

	expect(host.started()).toMatchObject([
		[[{ json: { delivery: { id: 'm-1' }, subject: 'Of the object', parsed: false } }]],
	]);
	expect(host.started()[0]?.[0]?.[0]?.binary).toBeUndefined();
});

test('without Simplify too, nothing of the delivery is beside it', async () => {
	const event = received('m-1', { subject: 'Forged' });
	const forged = { ...event, data: { ...event.data, raw: 'Forged', attachments: ['Forged'] } };
	answer = reply(200, { id: 'm-1', subject: 'Real', rawEmail: mail({ subject: 'Real' }) });
	await start({ simplify: false });
	await host.post(forged);

	expect(host.started()).toEqual([
		[
			[
				{
					json: {
						event: 'message.received',
						data: {
							message: expect.objectContaining({ subject: 'Real' }),
							rawEmail: mail({ subject: 'Real' }),
						},
					},
				},
			],
		],
	]);
});

test.each([403, 404, 400])('a message answered %i by the service is refused', async (status) => {
	answer = reply(status, { error: true });
	await start();
	const response = await host.post(received('m-1'));

	expect(response.status).toBe(403);
	expect(host.outcomes).toEqual([{}]);
	expect(host.staticData).toEqual({});
});

test('a message without an ID, and one that comes back with another, are refused', async () => {
	answer = reply(200, { id: 'm-2', rawEmail: mail() });
	await start();
	const without = await host.post(received(undefined));
	const other = await host.post(received('m-1'));

	expect([without.status, other.status]).toEqual([403, 403]);
	expect(host.started()).toEqual([]);
});

test.each([
	[
		'a key that lacks a right',
		reply(403, { code: 'INSUFFICIENT_SCOPE', requiredScopes: ['emails:receive'] }),
	],
	['too many requests', reply(429, {}, { 'retry-after': '0' })],
	['an answer that is a web page', reply(200, '<html>')],
	[
		'an update of the service without single messages',
		reply(404, { statusCode: 404, message: 'Cannot find any route matching /messages/m-1.' }),
	],
	['a broken connection', (response: ServerResponse) => response.destroy()],
])('after %s the delivery may be repeated, and then starts the workflow', async (_what, fails) => {
	answer = fails;
	await start();
	const refused = await host.post(received('m-1'));
	answer = reply(200, { id: 'm-1', rawEmail: mail() });
	const repeat = await host.post(received('m-1'));

	expect([refused.status, repeat.status]).toEqual([503, 200]);
	expect(refused.headers.get('retry-after')).toBeTruthy();
	expect(host.started()).toHaveLength(1);
	expect(host.outcomes.some(({ error }) => error !== undefined)).toBe(false);
});
