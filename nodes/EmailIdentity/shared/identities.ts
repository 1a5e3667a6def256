import { isRouteMissing, lacksRight, statusOf } from '../api/errors';
import { isSameId, isUuid, toIdentity, type Identity } from '../api/resources';
import type { EmailIdentityService } from '../api/service';
import type { Advice } from '../api/types';

/** Whether an identity is a domain. For unknown kinds, the value decides. */
export function isDomain({ kind, value }: Pick<Identity, 'kind' | 'value'>): boolean {
	const known = kind?.toLowerCase();
	if (known === 'domain' || known === 'email') return known === 'domain';
	// A domain may start with an at sign.
	return value !== null && !/.@/.test(value);
}

export type IdentityLook = { identity: Identity } | { refusal: Advice };

/** It does not exist, the key cannot see it (Kurrier 3.5.0: 403 for both), or it is not an ID of this service. */
const NOT_SHOWN: ReadonlySet<number | undefined> = new Set([400, 403, 404, 410, 422]);

const CHOOSE_ANOTHER = 'Choose another identity, or use the API key of the account that owns it.';

// The name comes from the workflow, which may be someone else's.
const MAX_NAME = 320;

/**
 * Looks up the chosen identity, because services accept any ID, even of another account or of a missing identity.
 *
 * | the service | the identity |
 * | --- | --- |
 * | does not show it (403, 404; 500 if it is not an ID and not in the list) | is deleted or belongs to another account: refused |
 * | shows it as owned by the key's user, or shows no owner | used |
 * | shows another owner, but it is shared with the workspace or in the key's list | used |
 * | shows another owner otherwise | refused |
 *
 * @param name shown in errors; the ID if there is no name
 * @throws NodeApiError when a request fails
 */
export async function lookUpIdentity(
	service: EmailIdentityService,
	id: string,
	name = id,
): Promise<IdentityLook> {
	const entry = await service.getIdentity(id).catch(async (error: unknown) => {
		const isNotShown =
			NOT_SHOWN.has(statusOf(error)) && !isRouteMissing(error) && !lacksRight(error);
		// A service that uses UUIDs may fail on any other ID (Kurrier 3.5.0: 500).
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
	return refuse(`The identity ${shown} belongs to another account`);
}

async function isListed(service: EmailIdentityService, id: string): Promise<boolean> {
	return (await service.listIdentities()).map(toIdentity).some((one) => isSameId(one.id, id));
}

const refuse = (message: string): IdentityLook => ({
	refusal: { message, description: CHOOSE_ANOTHER },
});
