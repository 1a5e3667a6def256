import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Dialect } from '../dialects';
import {
	presentIdentity,
	presentMessage,
	presentReading,
	presentUser,
	presentWebhook,
	wrapEntry,
	wrapList,
} from '../present';
import { completeWebhook, isUuid, mayRead } from '../store';
import type { Issue, StoredAccount, StoredIdentity, StoredMessage, StoredWebhook } from '../types';
import { Refusal, callerOf, keyScopes, type Environment, type RefusalDetails } from './request';

/** Sends a body as JSON; the dialect's content type is put on on its way out. */
function sendJson(reply: FastifyReply, body: unknown, status = 200): FastifyReply {
	return reply.code(status).type('application/json').send(JSON.stringify(body));
}

const malformed: Record<400 | 404 | 500, [message: string, details: RefusalDetails]> = {
	400: ['Invalid ID', { code: 'INVALID_ID' }],
	404: ['Not found', { code: 'NOT_FOUND' }],
	500: ['Server Error', {}],
};

/** The `id` of the path, or the dialect's refusal of one that is no UUID, where IDs are UUIDs. */
function uuidOf(request: FastifyRequest, { dialect, oddities }: Environment): string {
	const id = idOf(request);
	if (oddities.newId) return id;
	const status = dialect.malformedIdStatus;
	if (!isUuid(id)) throw new Refusal(status, ...malformed[status]);
	return id.toLowerCase();
}

/** The `id` of the path, whatever it is. */
function idOf(request: FastifyRequest): string {
	return (request.params as { id: string }).id;
}

/** The page number in the query; 1 without. */
function pageNumber(request: FastifyRequest): number {
	const page = new URL(request.url, 'http://sandbox').searchParams.get('page');
	return Math.max(1, Number(page) || 1);
}

/** What a list shows its caller: the user's own, and where the dialect says so of the key's workspace only. */
function ownedBy<Stored extends { ownerId: string; workspaceId: string | null }>(
	{ userId, workspaceId }: StoredAccount,
	all: readonly Stored[],
	{ dialect }: Environment,
): Stored[] {
	return all.filter(
		(one) =>
			one.ownerId === userId && (!dialect.listsWorkspaceOnly || one.workspaceId === workspaceId),
	);
}

/** Answers with a whole list, or with one page and a `Link` header to the next (RFC 8288) when paging is on. */
function sendList<Stored>(
	request: FastifyRequest,
	reply: FastifyReply,
	list: { resource: string; stored: Stored[]; present: (stored: Stored) => unknown },
	{ paging, dialect }: Environment,
): FastifyReply {
	const { resource, stored, present } = list;
	const size = paging.size ?? Infinity;
	const page = pageNumber(request);
	const start = paging.size === null ? 0 : (page - 1) * paging.size;
	const hasNext = start + size < stored.length || paging.nextLink !== undefined;
	if (hasNext) {
		const [path = ''] = request.url.split('?', 1);
		const own = `${request.protocol}://${request.host}${path}?page=${page + 1}`;
		reply.header('link', `<${paging.nextLink ?? own}>; rel="next"`);
	}
	const entries = stored.slice(start, start + size).map(present);
	return sendJson(reply, wrapList(entries, resource, dialect));
}

/** Contract, section 2.4, or what a service makes of it. Private addresses pass: in a sandbox everything is on one machine. */
const bodyRules = ({ checksUrl, ownerInBody, emptyEventsCode }: Dialect) => {
	const events = z.array(z.enum(['message.received']));
	return z.object({
		url: checksUrl ? z.string().url() : z.string(),
		events: emptyEventsCode === null ? events.min(1) : events,
		ownerId: ownerInBody === 'required' ? z.string().uuid() : z.string().optional(),
		identityId: z.string().nullish(),
		enabled: z.boolean().optional(),
		description: z.string().nullish(),
	});
};

export type GivenWebhook = z.infer<ReturnType<typeof bodyRules>>;

type Checked<Given> = z.ZodSafeParseResult<Given>;

const code = 'INVALID_REQUEST_BODY';

function parseJson(text: unknown, { dialect }: Environment): unknown {
	try {
		return JSON.parse(String(text));
	} catch {
		throw new Refusal(dialect.invalidBodyStatus, 'The body is not valid JSON', { code });
	}
}

function accept<Given extends { events?: string[] }>(
	checked: Checked<Given>,
	{ invalidBodyStatus: status, emptyEventsCode }: Dialect,
): Given {
	if (!checked.success) {
		const issues: Issue[] = checked.error.issues.map(({ path, message, code: kind }) => ({
			path: path.join('.'),
			message,
			code: kind,
		}));
		throw new Refusal(status, 'Invalid request body', { code, issues });
	}
	if (emptyEventsCode !== null && checked.data.events?.length === 0) {
		const message = 'Field `events` must have at least one event';
		throw new Refusal(status, message, { code: emptyEventsCode });
	}
	return checked.data;
}

/** Reads the body of POST /webhooks, or refuses it with its issues. */
function readNewWebhook(body: unknown, environment: Environment): GivenWebhook {
	const { dialect } = environment;
	return accept(bodyRules(dialect).safeParse(parseJson(body, environment)), dialect);
}

/** Reads the body of PATCH /webhooks/{id}: the fields to change only. */
function readWebhookChanges(body: unknown, environment: Environment): Partial<GivenWebhook> {
	const { dialect } = environment;
	const rules = bodyRules(dialect).partial();
	const changes = accept(rules.safeParse(parseJson(body, environment)), dialect);
	const { emptyPatchStatus } = dialect;
	if (Object.keys(changes).length === 0 && emptyPatchStatus !== 200) {
		if (emptyPatchStatus === 500) throw new Refusal(500, 'Server Error');
		throw new Refusal(emptyPatchStatus, 'There is nothing to change', { code });
	}
	return changes;
}

/** Refuses a subscription in another user's name, where the name is looked at (contract, section 5). */
function checkOwner(
	{ ownerId }: Pick<Partial<GivenWebhook>, 'ownerId'>,
	userId: string,
	{ dialect }: Environment,
): void {
	if (dialect.ownerInBody === 'ignored' || ownerId === undefined || ownerId === userId) return;
	throw new Refusal(403, 'The owner is not the user of this key');
}

/** Refuses a subscription to an identity that is not the caller's, or not there, as the dialect does. */
function checkRestriction(
	{ identityId }: Pick<Partial<GivenWebhook>, 'identityId'>,
	userId: string,
	{ store, dialect }: Environment,
): void {
	if (identityId === undefined || identityId === null) return;
	const identity = store.identity(identityId);
	if (identity?.ownerId === userId) return;
	if (identity && dialect.foreignRestriction === 'accepted') return;
	if (!identity && dialect.missingRestrictionStatus === 500) throw new Refusal(500, 'Server Error');
	throw new Refusal(403, 'Identity not found or access denied');
}

/** Contract, section 4: `GET /me`. */
export function userRoutes(app: FastifyInstance, { dialect }: Environment): void {
	app.get('/me', (request, reply) =>
		sendJson(reply, wrapEntry(presentUser(callerOf(request), dialect), dialect)),
	);
}

/** Contract, section 4: `GET /identities` and `GET /identities/{id}`. */
export function identityRoutes(app: FastifyInstance, environment: Environment): void {
	const { store, dialect } = environment;
	const present = (identity: StoredIdentity) => presentIdentity(identity, dialect);

	app.get('/identities', (request, reply) => {
		const stored = ownedBy(callerOf(request), store.identities, environment);
		return sendList(request, reply, { resource: 'identities', stored, present }, environment);
	});

	app.get('/identities/:id', (request, reply) => {
		const identity = store.identity(uuidOf(request, environment));
		if (identity?.ownerId === callerOf(request).userId) {
			return sendJson(reply, wrapEntry(present(identity), dialect));
		}
		const status = identity ? dialect.foreignIdentityStatus : dialect.unknownIdentityStatus;
		throw new Refusal(status, 'Identity not found or access denied');
	});
}

const largestPage = 100;
const usualPage = 50;
const largestOffset = 10_000;

const queryOf = (request: FastifyRequest) => new URL(request.url, 'http://sandbox').searchParams;

const isWanted = (query: URLSearchParams, name: string): boolean => query.get(name) === 'true';

/** A whole number out of the query, within its bounds. */
function numberIn(query: URLSearchParams, name: string, [least, usual, most]: number[]): number {
	const given = query.has(name) ? Math.trunc(Number(query.get(name))) : Number.NaN;
	return Number.isNaN(given) ? (usual ?? 0) : Math.min(Math.max(given, least ?? 0), most ?? 0);
}

function readable(
	request: FastifyRequest,
	{ store }: Environment,
): (one: StoredMessage) => boolean {
	const caller = callerOf(request);
	return ({ identityId, fields }) => {
		const identity = store.identity(identityId);
		return identity ? mayRead(caller, identity) : fields.ownerId === caller.userId;
	};
}

/** By what the dialect takes for an ID; refused as the contract's section 7 says, or as if it were not there. */
function findMessage(request: FastifyRequest, environment: Environment): StoredMessage {
	const { store, dialect } = environment;
	const id = idOf(request);
	const message =
		store.messages.find(id) ??
		(dialect.messageByPublicId
			? store.messages.all().find(({ fields }) => fields.publicId === id)
			: undefined);
	if (message && readable(request, environment)(message)) return message;
	if (!message || dialect.foreignMessageStatus === 404) {
		throw new Refusal(404, 'Message not found', { code: 'MESSAGE_NOT_FOUND' });
	}
	throw new Refusal(403, 'The message does not belong to this account');
}

/** Contract, section 4: `GET /messages/{id}`; and, not part of it, `GET /messages`. */
export function messageRoutes(app: FastifyInstance, environment: Environment): void {
	const { store, dialect } = environment;

	app.get(
		'/messages/:id',
		{ config: { scopes: keyScopes.read, isServed: (spoken) => spoken.messageRoutes !== 'none' } },
		(request, reply) => {
			const message = findMessage(request, environment);
			const headers = isWanted(queryOf(request), 'includeHeaders');
			const { rawEmail } = message;
			const entry = {
				...(dialect.messageAnswer === 'reading'
					? presentReading(message, { bodies: true, headers }, dialect)
					: presentMessage(message, dialect)),
				...(dialect.messageIncludesRawEmail && { rawEmail }),
			};
			return sendJson(reply, wrapEntry(entry, dialect));
		},
	);

	app.get(
		'/messages',
		{
			config: {
				scopes: keyScopes.read,
				isServed: (spoken) => spoken.messageRoutes === 'singleAndList',
			},
		},
		(request, reply) => {
			const query = queryOf(request);
			const limit = numberIn(query, 'limit', [1, usualPage, largestPage]);
			const offset = numberIn(query, 'offset', [0, 0, largestOffset]);
			const all = store.messages.all().filter(readable(request, environment)).reverse();
			const messages = all
				.slice(offset, offset + limit)
				.map((one) => presentReading(one, { bodies: false, headers: false }, dialect));
			const next = offset + limit;
			const nextOffset = next < all.length && next <= largestOffset ? next : null;
			const page = { messages, pagination: { limit, offset, nextOffset } };
			return sendJson(reply, wrapEntry(page, dialect));
		},
	);
}

function accessible(request: FastifyRequest, environment: Environment): StoredWebhook {
	const webhook = environment.store.webhook(uuidOf(request, environment));
	if (webhook && ownedBy(callerOf(request), [webhook], environment).length > 0) return webhook;
	if (webhook && environment.dialect.foreignWebhookStatus === 403) {
		throw new Refusal(403, 'Access denied');
	}
	throw notFound();
}

const notFound = () => new Refusal(404, 'Webhook not found', { code: 'WEBHOOK_NOT_FOUND' });

/** Contract, section 4: everything under `/webhooks`. */
export function webhookRoutes(app: FastifyInstance, environment: Environment): void {
	const { store, dialect } = environment;
	const present = (webhook: StoredWebhook) => {
		const { show = (shown) => shown } = environment.oddities;
		return show(presentWebhook(webhook, dialect));
	};
	const keep = <Given extends Partial<StoredWebhook>>(given: Given): Given => ({
		...given,
		...environment.oddities.keep?.(given),
	});
	const wrap = (webhook: StoredWebhook) => wrapEntry(present(webhook), dialect);

	app.post('/webhooks', (request, reply) => {
		const given = readNewWebhook(request.body, environment);
		const { userId, workspaceId } = callerOf(request);
		checkOwner(given, userId, environment);
		checkRestriction(given, userId, environment);
		if (dialect.createStatus === 500) throw new Refusal(500, 'Server Error');
		const id = environment.oddities.newId?.();
		const named = { ...given, workspaceId, ownerId: userId, ...(id !== undefined && { id }) };
		const webhook = completeWebhook(keep(named));
		store.putWebhook(webhook);
		return sendJson(reply, wrap(webhook), dialect.createStatus);
	});

	app.get('/webhooks', (request, reply) => {
		const all = environment.oddities.list ?? store.webhooks;
		const stored = ownedBy(callerOf(request), all, environment);
		return sendList(request, reply, { resource: 'webhooks', stored, present }, environment);
	});

	app.get('/webhooks/:id', (request, reply) => {
		if (environment.oddities.hidesSingle) throw notFound();
		return sendJson(reply, wrap(accessible(request, environment)));
	});

	app.patch('/webhooks/:id', (request, reply) => {
		const webhook = accessible(request, environment);
		const { ownerId, ...changes } = readWebhookChanges(request.body, environment);
		const { userId } = callerOf(request);
		checkOwner({ ownerId }, userId, environment);
		checkRestriction(changes, userId, environment);
		const changed = completeWebhook({
			...webhook,
			...keep(changes),
			updatedAt: new Date().toISOString(),
		});
		store.putWebhook(changed);
		return sendJson(reply, wrap(changed));
	});

	app.delete('/webhooks/:id', (request, reply) => {
		const { id } = accessible(request, environment);
		store.removeWebhook(id);
		if (dialect.deleteAnswer === 'empty') return reply.code(204).send();
		return sendJson(reply, wrapEntry({ id, deleted: true }, dialect));
	});
}
