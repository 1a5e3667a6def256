import type { StoredAccount, StoredIdentity } from '../types';

type Reader = Pick<StoredAccount, 'userId' | 'workspaceId'>;

/**
 * Whether a user may read an identity's mail: its owner, its members, and everybody in the workspace where it is
 * shared; each only while they belong to that workspace.
 */
export function mayRead({ userId, workspaceId }: Reader, identity: StoredIdentity): boolean {
	if (workspaceId !== identity.workspaceId) return false;
	const { ownerId, sharedWithWorkspace, members } = identity;
	return sharedWithWorkspace || ownerId === userId || members.includes(userId);
}
