import type { Entry } from './types';

/** Whose something is. Null where the service does not say: the contract shows neither for messages and subscriptions. */
export interface Account {
	ownerId: string | null;
	workspaceId: string | null;
}

/** The names that a deployment may use. */
const NAMES = {
	ownerId: ['ownerId', 'owner_id'],
	workspaceId: ['workspaceId', 'workspace_id'],
} as const;

/**
 * Reads whose a message or a subscription is.
 *
 * @param entry as the service sent it
 */
export function readAccount(entry: Entry): Account {
	return { ownerId: read(entry, 'ownerId'), workspaceId: read(entry, 'workspaceId') };
}

function read(entry: Entry, field: keyof typeof NAMES): string | null {
	for (const name of NAMES[field]) {
		const value = entry[name];
		if (typeof value === 'number') return String(value);
		if (typeof value === 'string' && value.trim() !== '') return value.trim();
	}
	return null;
}
