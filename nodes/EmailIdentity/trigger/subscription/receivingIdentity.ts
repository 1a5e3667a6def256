import { isDomainIdentity } from '../../api/data/resources';
import type { EmailIdentityService } from '../../api/service';
import { lookUpIdentity } from '../../shared/identityLookup';
import type { SubscriptionParameters } from '../settings/settings';
import type { ReceivingIdentity } from '../staticData';
import { explain } from '../logLines';

/** The identity does not exist for this API key. The subscription must not deliver for all identities instead. */
export class IdentityUnusable extends Error {}

/**
 * @returns undefined for all identities
 * @throws IdentityUnusable if the chosen identity does not exist
 */
export async function findChosenIdentity(
	service: EmailIdentityService,
	chosen: SubscriptionParameters['chosen'],
): Promise<ReceivingIdentity | undefined> {
	if (chosen === null) return undefined;
	const found = await lookUpIdentity(service, chosen.id, chosen.name);
	if ('problem' in found) throw new IdentityUnusable(explain(found.problem));
	const { value, workspaceId } = found.identity;
	return { id: chosen.id, value, isDomain: isDomainIdentity(found.identity), workspaceId };
}
