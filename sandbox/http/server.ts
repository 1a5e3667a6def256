import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ruleActs, spoilAnswer } from '../faults';
import type { RequestRecord } from '../types';
import {
	Refusal,
	answerFailures,
	authenticate,
	noSuchRoute,
	startVisit,
	visitOf,
	type Environment,
} from './request';
import { identityRoutes, messageRoutes, userRoutes, webhookRoutes } from './routes';

function describe(request: FastifyRequest, { pathPrefix, requests }: Environment): RequestRecord {
	const [path = '', query = ''] = request.url.split('?', 2);
	return {
		number: requests.nextNumber(),
		time: Date.now(),
		method: request.method,
		path: path.startsWith(`${pathPrefix}/`) ? path.slice(pathPrefix.length) : path,
		query,
		headers: { ...request.headers },
		body: typeof request.body === 'string' ? request.body : '',
		status: null,
		faultId: null,
	};
}

function finish(
	record: RequestRecord | undefined,
	status: number,
	{ requests }: Environment,
): void {
	if (!record || record.status !== null) return;
	record.status = status;
	requests.changed(record);
}

async function pause(milliseconds: number, life: AbortSignal): Promise<void> {
	if (milliseconds > 0) await sleep(milliseconds, undefined, { signal: life });
}

/** Whether there is a route for it in this dialect. */
function isServed(request: FastifyRequest, { dialect }: Environment): boolean {
	if (request.is404) return false;
	const [path = ''] = request.url.split('?', 1);
	const { isServed: serves = () => true } = request.routeOptions.config;
	return serves(dialect) && (dialect.trailingSlash || !path.endsWith('/'));
}

/** On its way in: recorded, limited, delayed, stopped by a fault, and only then let through. */
async function enter(
	request: FastifyRequest,
	reply: FastifyReply,
	environment: Environment,
	life: AbortSignal,
): Promise<FastifyReply | undefined> {
	const { flow, faults, requests } = environment;
	const visit = visitOf(request);
	if (!visit) return undefined;
	const record = (visit.record = describe(request, environment));
	if (visit.hasRoom) visit.rule = faults.take(record.method, record.path);
	record.faultId = visit.rule?.id ?? null;
	requests.add(record);
	if (!visit.hasRoom) {
		if (flow.limits.retryAfter !== null) reply.header('retry-after', flow.limits.retryAfter);
		throw new Refusal(429, 'Too many requests', { code: 'TOO_MANY_REQUESTS' });
	}
	await pause(flow.limits.latency + (visit.rule?.delayBefore ?? 0), life);
	if (visit.rule && !ruleActs(visit.rule)) return reply.send('');
	if (!isServed(request, environment)) throw noSuchRoute(request, environment);
	authenticate(request, environment);
	return undefined;
}

/** On its way out: delayed and spoiled as the rule says. */
async function leave(
	request: FastifyRequest,
	reply: FastifyReply,
	payload: unknown,
	environment: Environment,
	life: AbortSignal,
): Promise<unknown> {
	const visit = visitOf(request);
	// Going down ends the wait; fastify has no way to fail from here, and the connection is gone anyway.
	await pause(visit?.rule?.delayAfter ?? 0, life).catch(() => undefined);
	const { dialect } = environment;
	// Only here, because fastify adds a charset to what routes say.
	if (String(reply.getHeader('content-type')).startsWith('application/json')) {
		reply.header('content-type', dialect.jsonContentType);
	}
	const answer = visit?.rule?.answer;
	const body = typeof payload === 'string' ? payload : '';
	const sent = answer ? spoilAnswer(answer, { reply, body, dialect, life }) : payload;
	// Before the caller can know: its next request must not find this one still in flight.
	if (answer?.type !== 'trickle') visit?.leave();
	finish(visit?.record, answer?.type === 'drop' ? 0 : reply.statusCode, environment);
	return sent;
}

/**
 * Puts recording, limits, faults and the key check around every route.
 *
 * @param life ends all delays when the service goes down
 */
function addHooks(app: FastifyInstance, environment: Environment, life: AbortSignal): void {
	// Every delayed request listens for the end.
	setMaxListeners(0, life);
	app.addHook('onRequest', async (request, reply) => {
		reply.headers(environment.dialect.answerHeaders);
		const visit = startVisit(request, environment.flow.enter());
		reply.raw.once('close', () => {
			visit.leave();
			finish(visit.record, 0, environment);
		});
	});
	app.addHook('preHandler', (request, reply) => enter(request, reply, environment, life));
	app.addHook('onSend', (request, reply, payload) =>
		leave(request, reply, payload, environment, life),
	);
}

const largestBody = 64 * 1024 * 1024;

/** Bodies stay text: what is wrong with them is for the service to say, in its dialect. */
function keepBodiesAsText(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
}

/**
 * Starts the HTTP API.
 *
 * @param address `port` 0 takes a free one
 * @param life ends all delays when the service goes down
 * @throws when the port is in use
 */
export async function startHttp(
	environment: Environment,
	address: { host: string; port: number },
	life: AbortSignal,
): Promise<{ port: number; close: () => Promise<void> }> {
	const app = fastify({
		bodyLimit: largestBody,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		// A message ID is any text, also a long one.
		routerOptions: { maxParamLength: 8192, ignoreTrailingSlash: true },
	});
	keepBodiesAsText(app);
	answerFailures(app, environment);
	addHooks(app, environment, life);
	await app.register(
		async (routes) => {
			for (const addRoutes of [userRoutes, identityRoutes, webhookRoutes, messageRoutes]) {
				addRoutes(routes, environment);
			}
		},
		{ prefix: environment.pathPrefix },
	);
	await app.listen(address);
	const bound = app.server.address();
	const port = typeof bound === 'object' && bound ? bound.port : address.port;
	const close = async () => {
		// First of all, so that nobody is answered by a service that is going down.
		app.server.close();
		app.server.closeAllConnections();
		await app.close();
	};
	return { port, close };
}
