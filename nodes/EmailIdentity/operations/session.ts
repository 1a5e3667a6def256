import type { IExecuteFunctions } from 'n8n-workflow';

import { MAX_CONCURRENT_REQUESTS, PATIENCE } from '../api/requests/retry';
import { Cache, KeyedQueue } from '../../../lib/basics';
import type { Item } from './operation';

/** In these modes, a user is waiting. */
const EDITOR_MODES = ['manual', 'chat'];

/** The part of an item that all items share. */
export type Session = Omit<Item, 'index' | 'parameter'>;

export function isInEditor(context: IExecuteFunctions): boolean {
	return EDITOR_MODES.includes(context.getMode());
}

export async function openSession(context: IExecuteFunctions): Promise<Session> {
	const { EmailIdentityService } = await import('../api/service');
	const maxConcurrentRequests = readMaxConcurrentRequests(context);
	const service = new EmailIdentityService(context, {
		shareReads: true,
		maxConcurrentRequests,
		retry: isInEditor(context) ? PATIENCE.editor : {},
	});
	return {
		context,
		service,
		maxConcurrentRequests,
		queue: new KeyedQueue(),
		cache: new Cache(),
	};
}

/** The first item's value counts for all. */
function readMaxConcurrentRequests(context: IExecuteFunctions): number {
	for (const collection of ['options', 'auditOptions']) {
		const given = context.getNodeParameter(`${collection}.maxConcurrentRequests`, 0, null);
		if (given === null || given === undefined) continue;
		const limit = Math.floor(Number(given));
		return Math.max(1, limit || 1);
	}
	return MAX_CONCURRENT_REQUESTS;
}

export function itemAt(session: Session, index: number): Item {
	return {
		...session,
		index,
		parameter: (name, fallback) => session.context.getNodeParameter(name, index, fallback),
	};
}
