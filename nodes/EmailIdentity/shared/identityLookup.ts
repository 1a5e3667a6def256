import { isResourceMissing, statusOf } from '../api/failures/errors';
import type { Entry } from '../api/data/json';
import { isSameId, isUuid, readAccount, toIdentity, type Identity } from '../api/data/resources';
import type { Unusable } from '../api/requests/envelopes';
import type { EmailIdentityService } from '../api/service';

export interface FoundIdentity {
	/** The workspace is absent if the identity comes from a list, null if the service does not show it. */
	identity: Identity & { workspaceId?: string | null };
}

/** The identity, or why it cannot be used. */
export type IdentityLook = FoundIdentity | Unusable;

const CHOOSE_ANOTHER =
	"Choose one under 'From List', or use the API key of the account that owns it.";

// The name comes from the workflow, which may be someone else's.
const MAX_SHOWN_NAME = 320;

/**
 * Looks up the chosen identity, because services accept any ID, even of another account or of a missing identity.
 *
 * | the service | the identity |
 * | --- | --- |
 * | does not show it (403, 404; 500 if it is not an ID and not in the list) | is deleted or belongs to another account: refused |
 * | shows it as owned by the key's user, or shows no owner | used |
 * | shows another owner, but it is shared with the workspace or in the key's list | used |
 * | shows another owner otherwise | refused |
 */
export async function lookUpIdentity(
	service: EmailIdentityService,
	id: string,
	name = id,
): Promise<IdentityLook> {
	const shownName = name.replace(/\s+/g, ' ').trim().slice(0, MAX_SHOWN_NAME);
	const entry = await getIdentityIfShown(service, id);
	if (entry === undefined) {
		return unusable(`No such identity, or the API key has no access to it: ${shownName}`);
	}
	const identity = { ...toIdentity(entry), ...readAccount(entry), id };
	if (identity.ownerId === null || identity.sharedWithWorkspace === true) return { identity };
	const userId = await service.ownerId();
	if (isSameId(identity.ownerId, userId)) return { identity };
	if (await isListed(service, id)) return { identity };
	return unusable(`The identity ${shownName} belongs to another account`);
}

/** @returns undefined if the service does not show the identity */
async function getIdentityIfShown(
	service: EmailIdentityService,
	id: string,
): Promise<Entry | undefined> {
	return await service.getIdentity(id).catch(async (error: unknown) => {
		if (isResourceMissing(error)) return undefined;
		// A service that uses UUIDs may fail on any other ID (Kurrier 3.5.0: 500).
		const mayBeNoId = statusOf(error) === 500 && !isUuid(id);
		if (mayBeNoId && !(await isListed(service, id))) return undefined;
		throw error;
	});
}

async function isListed(service: EmailIdentityService, id: string): Promise<boolean> {
	const entries = await service.listIdentities();
	return entries.some((entry) => isSameId(toIdentity(entry).id, id));
}

function unusable(message: string): Unusable {
	return { problem: { message, description: CHOOSE_ANOTHER } };
}
