import fastify from 'fastify';
import type { FastifyRequest, HTTPMethods } from 'fastify';
import type { AddressInfo } from 'node:net';
import type { DeliveryRecord, MailOptions, RequestRecord, Sandbox } from './types';

/** What a control call was sent with. */
interface ControlCall {
	sandbox: Sandbox;
	/** The last part of the path, where the route has an ID. */
	id: string;
	query: URLSearchParams;
	/** Parsed JSON; `{}` without a body. */
	body: never;
}

/** What a control call does; its result is answered as JSON. */
type ControlRoute = (call: ControlCall) => unknown;

const filterOf = (query: URLSearchParams, names: string[]) => {
	const wanted = names.flatMap((name) => {
		const value = query.get(name);
		return value === null ? [] : [[name, value] as const];
	});
	return (entry: RequestRecord | DeliveryRecord) =>
		wanted.every(([name, value]) => String(Reflect.get(entry, name)) === value);
};

const requestFilter = (query: URLSearchParams) => filterOf(query, ['method', 'path', 'status']);
const deliveryFilter = (query: URLSearchParams) =>
	filterOf(query, ['webhookId', 'messageId', 'status', 'url']);

const timeoutOf = (query: URLSearchParams) => Number(query.get('timeout') ?? 10_000);

const accountName = (id: string) => (id === 'other' ? 'other' : 'owner');

function status(sandbox: Sandbox): unknown {
	const { baseUrl, controlUrl, smtpPort, accounts, dialect } = sandbox;
	return { baseUrl, controlUrl, smtpPort, accounts, dialect, inFlight: sandbox.inFlight() };
}

/** Every control call: method and path to what it does. README.md has the same table for people. */
const controlRoutes: Record<string, ControlRoute> = {
	'GET /status': ({ sandbox }) => status(sandbox),
	'GET /state': ({ sandbox }) => sandbox.dumpState(),
	'PUT /state': ({ sandbox, body }) => sandbox.replaceState(body),
	'PATCH /dialect': ({ sandbox, body }) => sandbox.setDialect(body),
	'GET /faults': ({ sandbox }) => sandbox.listFaults(),
	'POST /faults': ({ sandbox, body }) => ({ id: sandbox.addFault(body) }),
	'DELETE /faults': ({ sandbox }) => sandbox.clearFaults(),
	'DELETE /faults/:id': ({ sandbox, id }) => sandbox.removeFault(id),
	'PATCH /limits': ({ sandbox, body }) => sandbox.setLimits(body),
	'PUT /paging': ({ sandbox, body }) => sandbox.setPaging(body),
	'POST /down': ({ sandbox }) => sandbox.goDown(),
	'POST /crash': ({ sandbox }) => sandbox.crash(),
	'POST /up': ({ sandbox }) => sandbox.comeBack(),
	'GET /requests': ({ sandbox, query }) => sandbox.requests(requestFilter(query)),
	'GET /requests/next': ({ sandbox, query }) =>
		sandbox.waitForRequest(requestFilter(query), timeoutOf(query)),
	'GET /deliveries': ({ sandbox, query }) => sandbox.deliveries(deliveryFilter(query)),
	'GET /deliveries/next': ({ sandbox, query }) =>
		sandbox.waitForDelivery(deliveryFilter(query), timeoutOf(query)),
	'POST /deliveries': ({ sandbox, body }) => sandbox.deliver(body),
	'POST /deliveries/:id': ({ sandbox, id }) => sandbox.repeatDelivery(id),
	'DELETE /recordings': ({ sandbox }) => sandbox.clearRecordings(),
	'POST /mail': async ({ sandbox, body }) => {
		const { raw, ...options } = body as MailOptions & { raw: string };
		const { messages, deliveries } = await sandbox.receiveMail(raw, options);
		return { messages: messages.map(({ fields }) => fields.id), deliveries: await deliveries };
	},
	'GET /webhooks': ({ sandbox }) => sandbox.webhooks(),
	'POST /webhooks': ({ sandbox, body }) => sandbox.addWebhook(body),
	'PATCH /webhooks/:id': ({ sandbox, id, body }) => sandbox.editWebhook(id, body),
	'DELETE /webhooks/:id': ({ sandbox, id }) => sandbox.removeWebhook(id),
	'POST /identities': ({ sandbox, body }) => sandbox.addIdentity(body),
	'PATCH /identities/:id': ({ sandbox, id, body }) => sandbox.editIdentity(id, body),
	'DELETE /identities/:id': ({ sandbox, id }) => sandbox.removeIdentity(id),
	'PATCH /accounts/:id': ({ sandbox, id, body }) => sandbox.editAccount(accountName(id), body),
	'POST /accounts/:id/key': ({ sandbox, id }) => ({
		apiKey: sandbox.rotateKey(accountName(id)),
	}),
};

const largestBody = 256 * 1024 * 1024;

function callOf(request: FastifyRequest, sandbox: Sandbox): ControlCall {
	const { id = '' } = request.params as { id?: string };
	const query = new URL(request.url, 'http://sandbox').searchParams;
	// What a call may carry is the control endpoint's own promise to itself: see the types of Sandbox.
	return { sandbox, id, query, body: (request.body ?? {}) as never };
}

/**
 * Starts the control endpoint: the sandbox's methods over HTTP, JSON in and out.
 *
 * @throws when the port is in use
 */
export async function startControl(
	sandbox: Sandbox,
	address: { host: string; port: number },
): Promise<{ port: number; close: () => Promise<void> }> {
	const app = fastify({
		bodyLimit: largestBody,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 8192 },
	});
	app.setErrorHandler((error: Error, _, reply) => reply.code(400).send({ error: error.message }));
	for (const [name, act] of Object.entries(controlRoutes)) {
		const [method = '', url = ''] = name.split(' ');
		app.route({
			method: method as HTTPMethods,
			url,
			handler: async (request, reply) => {
				const result = await act(callOf(request, sandbox));
				return reply.send(result ?? {});
			},
		});
	}
	await app.listen(address);
	return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
}
