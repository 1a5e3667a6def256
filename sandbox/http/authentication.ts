import type { FastifyRequest } from 'fastify';
import type { Environment } from './environment';
import { Refusal } from './refusal';
import { visitOf } from './visits';

/** Finds the account of the `Authorization: Bearer` key, or refuses with 401 (contract, section 5). */
export function authenticate(request: FastifyRequest, { store }: Environment): void {
	const apiKey = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
	const account = apiKey === undefined ? undefined : store.accountOfKey(apiKey);
	const visit = visitOf(request);
	if (!account || !visit) throw new Refusal(401, 'Unauthorized');
	visit.account = account;
}
