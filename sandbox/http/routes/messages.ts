import type { FastifyInstance, FastifyRequest } from 'fastify';
import { wrapEntry } from '../../dialects/envelope';
import { presentMessage, presentReading } from '../../dialects/messages';
import { mayRead } from '../../store/readers';
import type { StoredMessage } from '../../types';
import { sendJson } from '../answer';
import { keyScopes } from '../authentication';
import type { Environment } from '../environment';
import { idOf } from '../identifiers';
import { Refusal } from '../refusal';
import { callerOf } from '../visits';

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
