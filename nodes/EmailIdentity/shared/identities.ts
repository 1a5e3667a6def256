import { isRouteMissing, lacksRight, statusOf } from '../api/errors';
import { isSameId, isUuid, toIdentity } from '../api/resources';
import type { EmailIdentityService } from '../api/service';
import type { Advice, Identity } from '../api/types';

/** Whether an identity is a whole domain. Kinds other than those that services were seen to use leave it to the value. */
export function isDomain({ kind, value }: Pick<Identity, 'kind' | 'value'>): boolean {
	const known = kind?.toLowerCase();
	if (known === 'domain' || known === 'email') return known === 'domain';
	// A domain may be written with the at sign alone.
	return value !== null && !/.@/.test(value);
}

/** Either the identity, or why it is refused. */
export type IdentityLook = { identity: Identity } | { refusal: Advice };

/** Not there, not visible to this key (Kurrier 3.5.0: 403 for both), or nothing that can be an ID in this service. */
const NOT_SHOWN: ReadonlySet<number | undefined> = new Set([400, 403, 404, 410, 422]);

const CHOOSE_ANOTHER =
	'Choose another one under Identity, or use the API key of the account that owns it.';

// A name comes from the workflow, which anyone may have written.
const MAX_NAME = 320;

/**
 * Looks up an identity that mail is to be received for, because services were seen to accept any: another account's, and
 * one that does not exist.
 *
 * | the service | the identity |
 * | --- | --- |
 * | shows none under this ID (403, 404; 500 where it can be none, and is not in the list) | was deleted, or is another account's: refused |
 * | shows one that the key's own user owns, or does not say who does | used |
 * | shows one of another user that is shared with the workspace, or is in the key's list | used |
 * | shows any other one of another user | refused |
 *
 * @param name how a person knows it; its ID, where nothing else is known
 * @throws NodeApiError when the service cannot be asked
 */
export async function lookUpIdentity(
	service: EmailIdentityService,
	id: string,
	name = id,
): Promise<IdentityLook> {
	const entry = await service.getIdentity(id).catch(async (error: unknown) => {
		const isNotShown =
			NOT_SHOWN.has(statusOf(error)) && !isRouteMissing(error) && !lacksRight(error);
		// A service that uses UUIDs may have trouble with anything else (Kurrier 3.5.0: 500).
		const mayBeNoId = statusOf(error) === 500 && !isUuid(id);
		const isMissing = isNotShown || (mayBeNoId && !(await isListed(service, id)));
		return isMissing ? undefined : await Promise.reject(error);
	});
	const shown = name.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME);
	if (entry === undefined) {
		return refuse(`No such identity, or the API key has no access to it: ${shown}`);
	}
	const identity = { ...toIdentity(entry), id };
	if (identity.ownerId === null || identity.sharedWithWorkspace === true) return { identity };
	if (isSameId(identity.ownerId, await service.ownerId())) return { identity };
	if (await isListed(service, id)) return { identity };
	return refuse(`The identity ${shown} belongs to another account than the API key`);
}

async function isListed(service: EmailIdentityService, id: string): Promise<boolean> {
	return (await service.listIdentities()).map(toIdentity).some((one) => isSameId(one.id, id));
}

const refuse = (message: string): IdentityLook => ({
	refusal: { message, description: CHOOSE_ANOTHER },
});
