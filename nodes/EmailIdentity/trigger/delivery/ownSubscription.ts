import { tellsIdentity, toWebhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Entry } from '../../api/types';
import { secretOfUrl } from '../secret';
import { fetchShown } from '../subscription/observedState';

/** What the subscription of a delivery is found by. */
export interface Traces {
	/** Its ID, as far as this process knows; another one may have been made since. */
	id: string | undefined;
	/** The secret that the delivery came with. */
	secret: string;
}

/** Finds the subscription that delivers with a secret. */
export function findBySecret(listed: readonly Entry[], secret: string): Entry | undefined {
	return listed.find((entry) => secretOfUrl(toWebhook(entry).url) === secret);
}

/**
 * Asks the service what identity the subscription of a delivery is restricted to: by its ID, and in the list where that is
 * not known, or not shown.
 *
 * @returns null for none; undefined where the service tells it of no subscription
 * @throws NodeApiError when it cannot be asked, Error when it shows no such subscription
 */
export async function askRestriction(
	service: EmailIdentityService,
	{ id, secret }: Traces,
): Promise<string | null | undefined> {
	const single = id === undefined ? undefined : await fetchShown(service, id);
	if (single && tellsIdentity(single)) return toWebhook(single).identityId;
	const listed = await service.listWebhooks();
	// Where URLs are shown without their secrets there is still the ID.
	const named = listed.find((entry) => toWebhook(entry).id === id);
	const own = findBySecret(listed, secret) ?? named ?? single;
	if (own === undefined) throw new Error('The service does not show the subscription');
	return listed.some(tellsIdentity) ? toWebhook(own).identityId : undefined;
}
