import { isRouteMissing, lacksRight, statusOf } from '../api/errors';
import { isSameId, isUuid, toIdentity } from '../api/resources';
import type { EmailIdentityService } from '../api/service';
import type { Advice, Identity } from '../api/types';

/** Either the identity, or why it is not to be used, as a person reads it. */
export type IdentityLook = { identity: Identity } | { refusal: Advice };

/** Not there, not to be seen by this key (Kurrier 3.5.0: 403 for both), or nothing that can be an ID in this service. */
const NOT_SHOWN: ReadonlySet<number | undefined> = new Set([400, 403, 404, 410, 422]);

const CHOOSE_ANOTHER =
	'Choose one of its own under Identity, or use the API key of the account that owns it.';

// A name comes from the workflow, which anybody may have made.
const LONGEST_NAME = 320;

/**
 * Looks up an identity that mail is to be received for, since services were seen to take any: another account's, and one
 * that does not exist.
 *
 * | the service | the identity |
 * | --- | --- |
 * | shows none under this ID (403, 404; 500 where it can be none, and is not in the list) | was deleted, or is another account's: refused |
 * | shows one that the key's own user owns, or does not say who does | used |
 * | shows one of somebody else that is shared with the workspace, or is in the key's list | used |
 * | shows any other one of somebody else | refused |
 *
 * @param name how a person knows it; its ID, where nothing else is known
 * @throws NodeApiError when the service can't be asked
 */
export async function lookUpIdentity(
	service: EmailIdentityService,
	id: string,
	name = id,
): Promise<IdentityLook> {
	const entry = await service.getIdentity(id).catch(async (error: unknown) => {
		const isNotShown =
			NOT_SHOWN.has(statusOf(error)) && !isRouteMissing(error) && !lacksRight(error);
		const isMissing = isNotShown || (isStumbledOver(id, error) && !(await isListed(service, id)));
		return isMissing ? undefined : await Promise.reject(error);
	});
	if (entry === undefined) return { refusal: missing(name) };
	const identity = { ...toIdentity(entry), id };
	if (identity.ownerId === null || identity.sharedWithWorkspace === true) return { identity };
	if (isSameId(identity.ownerId, await service.ownerId())) return { identity };
	return (await isListed(service, id)) ? { identity } : { refusal: foreign(name) };
}

/** A service that uses UUIDs may have trouble with anything else (Kurrier 3.5.0: 500). */
function isStumbledOver(id: string, error: unknown): boolean {
	return statusOf(error) === 500 && !isUuid(id);
}

async function isListed(service: EmailIdentityService, id: string): Promise<boolean> {
	return (await service.listIdentities()).map(toIdentity).some((one) => isSameId(one.id, id));
}

function missing(name: string): Advice {
	return {
		message: `The identity ${shorten(name)} was not found in the account of the API key`,
		description: `It was deleted, or belongs to another account. ${CHOOSE_ANOTHER}`,
	};
}

function foreign(name: string): Advice {
	return {
		message: `The identity ${shorten(name)} belongs to another account than the API key`,
		description: CHOOSE_ANOTHER,
	};
}

function shorten(name: string): string {
	return name.replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME);
}
