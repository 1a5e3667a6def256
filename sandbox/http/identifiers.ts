import type { FastifyRequest } from 'fastify';
import { isUuid } from '../store/identifiers';
import type { Environment } from './environment';
import { Refusal, type RefusalDetails } from './refusal';

const malformed: Record<400 | 404 | 500, [message: string, details: RefusalDetails]> = {
	400: ['Invalid ID', { code: 'INVALID_ID' }],
	404: ['Not found', { code: 'NOT_FOUND' }],
	500: ['Server Error', {}],
};

/** The `id` of the path, or the dialect's refusal of one that is no UUID, where IDs are UUIDs. */
export function uuidOf(request: FastifyRequest, { dialect, oddities }: Environment): string {
	const id = idOf(request);
	if (oddities.newId) return id;
	const status = dialect.malformedIdStatus;
	if (!isUuid(id)) throw new Refusal(status, ...malformed[status]);
	return id.toLowerCase();
}

/** The `id` of the path, whatever it is. */
export function idOf(request: FastifyRequest): string {
	return (request.params as { id: string }).id;
}
