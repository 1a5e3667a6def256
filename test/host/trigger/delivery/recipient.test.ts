import type { INodeParameters } from 'n8n-workflow';

import { json, startScriptedServer, trickle, type ScriptedServer } from '../../api/scriptedServer';
import { API_KEY, mail, startDeliveryHost, type DeliveryHost } from './deliveries';

const IDENTITIES = [
	{ id: '1', kind: 'email', value: 'sales@example.com' },
	{ id: '2', kind: 'email', value: 'office@example.com' },
];

let service: ScriptedServer;
let host: DeliveryHost;
let messages = 0;

afterEach(async () => {
	await host.stop();
	await service.stop();
});

const start = async (parameters: INodeParameters = {}, answer = json(IDENTITIES)) => {
	service = await startScriptedServer(answer);
	const credential = { baseUrl: service.origin, apiKey: API_KEY };
	host = await startDeliveryHost(parameters, { credential });
};

/** @param header on top of the email, as the last server writes it */
const deliver = async (to: string, header: string[] = [], message: object = {}) => {
	const id = `m-${++messages}`;
	const rawEmail = [...header, mail({ to, text: id })].join('\r\n');
	await host.post({
		event: 'message.received',
		data: { message: { id, ...message }, rawEmail },
	});
	return host.started().at(-1)?.[0]?.[0]?.json.delivery;
};

test("the recipient and its tag, by the service's word before the servers' on the way; nothing is asked", async () => {
	await start();
	const header = ['Delivered-To: office@example.com'];

	expect(await deliver('list@example.org', header)).toMatchObject({
		recipient: 'office@example.com',
		tag: null,
	});
	expect(
		await deliver('list@example.org', header, { deliveredTo: 'Sales+Orders@Example.com' }),
	).toMatchObject({ recipient: 'Sales+Orders@example.com', tag: 'Orders' });
	expect(service.requests).toEqual([]);
});

test('where nothing tells, the one of To and Cc that is an identity; the service is asked once', async () => {
	await start();

	expect(await deliver('Ada <ada@example.org>, Sales+orders@example.com')).toMatchObject({
		recipient: 'Sales+orders@example.com',
		tag: 'orders',
	});
	expect(await deliver('sales@example.com, office@example.com')).toMatchObject({
		recipient: null,
		tag: null,
	});
	expect(await deliver('ada@example.org')).toMatchObject({ recipient: null });
	expect(service.requests).toEqual(['GET /identities']);
});

test('emails that arrive at once ask once', async () => {
	await start();
	await Promise.all([1, 2, 3].map(async () => await deliver('sales@example.com')));

	expect(host.started()).toHaveLength(3);
	expect(service.requests).toEqual(['GET /identities']);
});

test.each([
	['refuses', json({ message: 'no' }, 403)],
	['does not come to an end', trickle],
	['is overloaded', json({ message: 'later' }, 503, { 'retry-after': '60' })],
])('a service that %s is not waited for, nor asked again soon', async (_name, answer) => {
	await start({}, answer);

	expect(await deliver('sales@example.com')).toMatchObject({ recipient: null });
	expect(await deliver('sales@example.com')).toMatchObject({ recipient: null });
	expect(service.requests).toEqual(['GET /identities']);
});

test('the filter To lets an email through whose recipient was in Bcc', async () => {
	await start({ simplify: false, filters: { to: 'sales@example.com' } });
	await deliver('list@example.org', ['Delivered-To: office@example.com']);
	await deliver('list@example.org');

	expect(host.started()).toEqual([]);
	await deliver('list@example.org', ['Delivered-To: Sales@Example.com']);
	await deliver('list@example.org', [], { deliveredTo: 'sales@example.com' });
	expect(host.started()).toHaveLength(2);
	expect(service.requests).toEqual([]);
});
