import type { FastifyReply, FastifyRequest } from 'fastify';
import { wrapList } from '../dialects/envelope';
import { sendJson } from './answer';
import type { StoredAccount } from '../types';
import type { Environment } from './environment';

/** The page number in the query; 1 without. */
function pageNumber(request: FastifyRequest): number {
	const page = new URL(request.url, 'http://sandbox').searchParams.get('page');
	return Math.max(1, Number(page) || 1);
}

/** What a list shows its caller: the user's own, and where the dialect says so of the key's workspace only. */
export function ownedBy<Stored extends { ownerId: string; workspaceId: string | null }>(
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
export function sendList<Stored>(
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
