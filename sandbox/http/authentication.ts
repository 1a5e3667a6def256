import type { FastifyRequest } from 'fastify';
import type { StoredAccount } from '../types';
import type { Environment } from './environment';
import { Refusal } from './refusal';
import { visitOf } from './visits';

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
