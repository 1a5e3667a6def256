import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from '../dialects';
import type { FaultRules, Flow } from '../faults';
import { errorBody, errorReason } from '../present';
import type { Recording } from '../recording';
import type { Store } from '../store';
import type { FaultRule, Issue, Oddities, Paging, RequestRecord, StoredAccount } from '../types';

/** What the HTTP API works with; outlives the server, which can go down and come back. */
export interface Environment {
	store: Store;
	/** Its switches may change at any time. */
	dialect: Dialect;
	paging: Paging;
	faults: FaultRules;
	flow: Flow;
	oddities: Oddities;
	requests: Recording<RequestRecord>;
	/** For example `/api`. */
	pathPrefix: string;
}

/** What else is said of a refusal. */
export interface RefusalDetails {
	/** What programs tell it by. */
	code?: string;
	issues?: Issue[];
	/** Said beside the code. */
	details?: Record<string, unknown>;
}

/** The service says no: thrown by routes, given its body by the dialect. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly more: RefusalDetails = {},
	) {
		super(message);
	}
}

/** What is known about a request under way. */
interface Visit {
	hasRoom: boolean;
	/** Says that it is no longer in flight. */
	leave: () => void;
	record?: RequestRecord;
	rule?: FaultRule;
	account?: StoredAccount;
}

const visits = new WeakMap<FastifyRequest, Visit>();

export function startVisit(request: FastifyRequest, visit: Visit): Visit {
	visits.set(request, visit);
	return visit;
}

export function visitOf(request: FastifyRequest): Visit | undefined {
	return visits.get(request);
}

/** The account whose key came with the request. Throws where no key was checked. */
export function callerOf(request: FastifyRequest): StoredAccount {
	const account = visits.get(request)?.account;
	if (!account) throw new Error('The key of this request was not checked.');
	return account;
}

declare module 'fastify' {
	interface FastifyContextConfig {
		/** A key needs one of them; those for managing when left out. */
		scopes?: string[];
		/** Whether deployments of this dialect have the route; all have when left out. */
		isServed?: (dialect: Dialect) => boolean;
	}
}

const always = [/^\/me\/?$/, /^\/identities\/?$/, /^\/identities\/[^/]+\/?$/];
const webhooks = [/^\/webhooks\/?$/, /^\/webhooks\/[^/]+\/?$/];

const messages: Record<Dialect['messageRoutes'], RegExp[]> = {
	none: [],
	single: [/^\/messages\/[^/]+\/?$/],
	singleAndList: [/^\/messages\/[^/]+\/?$/, /^\/messages\/?$/],
};

/** The paths that exist, whatever the method, relative to the base URL. */
function servedPaths({ messageRoutes }: Pick<Dialect, 'messageRoutes'>): RegExp[] {
	return [...always, ...webhooks, ...messages[messageRoutes]];
}

/** Why a key is no longer good, first reason first; empty for one that is. */
const endings: Array<[message: string, hasEnded: (account: StoredAccount) => boolean]> = [
	['API key has been revoked', ({ isRevoked }) => isRevoked],
	[
		'API key has expired',
		({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) <= Date.now(),
	],
];

/** The scopes of which a key needs one to manage identities and subscriptions, and to read messages. */
export const keyScopes = {
	manage: ['emails:send', 'emails:receive'],
	read: ['emails:receive'],
};

/** Finds the account of the `Authorization: Bearer` key, or refuses with 401 (contract, section 5). */
export function authenticate(request: FastifyRequest, environment: Environment): void {
	const { store, dialect } = environment;
	const apiKey = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
	if (apiKey === undefined) throw new Refusal(401, 'Missing or invalid Authorization header');
	const account = store.accountOfKey(apiKey);
	const visit = visitOf(request);
	if (!account || !visit) throw new Refusal(401, 'Invalid API key');
	if (dialect.restrictsKeys) {
		const ending = endings.find(([, hasEnded]) => hasEnded(account));
		if (ending) throw new Refusal(401, ending[0]);
		checkScopes(account, request.routeOptions.config.scopes ?? keyScopes.manage);
	}
	visit.account = account;
}

/** A key without scopes may do everything. */
function checkScopes({ scopes }: StoredAccount, requiredScopes: string[]): void {
	if (scopes.length === 0 || requiredScopes.some((scope) => scopes.includes(scope))) return;
	throw new Refusal(403, `API key is missing the required scope (${requiredScopes.join(' or ')})`, {
		code: 'INSUFFICIENT_SCOPE',
		details: { requiredScopes },
	});
}

/** The refusal of a request for which there is no route, or none with this method. */
export function noSuchRoute(
	request: FastifyRequest,
	{ dialect, pathPrefix }: Environment,
): Refusal {
	const { unknownRouteMessage: message, wrongMethodStatus } = dialect;
	const [path = ''] = request.url.split('?', 1);
	const isServed = servedPaths(dialect).some((served) =>
		served.test(path.slice(pathPrefix.length)),
	);
	if (isServed && path.startsWith(pathPrefix) && wrongMethodStatus === 405) {
		return new Refusal(405, 'HTTP method is not allowed.');
	}
	return new Refusal(404, message.endsWith(' ') ? `${message}${request.url}` : message);
}

function sendFailure(
	error: Error & { statusCode?: number },
	request: FastifyRequest,
	reply: FastifyReply,
	{ dialect }: Environment,
): FastifyReply {
	const status = error instanceof Refusal ? error.status : (error.statusCode ?? 500);
	const more = error instanceof Refusal ? error.more : {};
	const url = `${request.protocol}://${request.host}${request.url}`;
	const failure = { status, message: error.message, url, ...more };
	const body = errorBody(failure, dialect);
	const isText = typeof body === 'string';
	reply.raw.statusMessage = errorReason(failure, dialect);
	return reply
		.code(status)
		.headers(dialect.errorHeaders)
		.header('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json')
		.send(isText ? body : JSON.stringify(body));
}

/** Gives every failure, and every route that does not exist, the dialect's body. */
export function answerFailures(app: FastifyInstance, environment: Environment): void {
	app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) =>
		sendFailure(error, request, reply, environment),
	);
	app.setNotFoundHandler((request) => {
		throw noSuchRoute(request, environment);
	});
}
