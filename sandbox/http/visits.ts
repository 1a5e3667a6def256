import type { FastifyRequest } from 'fastify';
import type { FaultRule, RequestRecord, StoredAccount } from '../types';

/** What is known about a request under way. */
export interface Visit {
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
