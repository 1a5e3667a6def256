import { isDomainIdentity } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import { lookUpIdentity } from '../../shared/identities';
import type { SubscriptionParameters } from '../settings/settings';
import type { ReceivingIdentity } from '../staticData';
import { explain } from '../hooks/hookRequest';

/** The identity does not exist for this API key. The subscription must not deliver for all identities instead. */
export class IdentityUnusable extends Error {}

/**
 * @returns undefined for all identities
 * @throws IdentityUnusable if the chosen identity does not exist
 */
export async function lookUpChosen(
	service: EmailIdentityService,
	chosen: SubscriptionParameters['chosen'],
): Promise<ReceivingIdentity | undefined> {
	if (chosen === null) return undefined;
	const look = await lookUpIdentity(service, chosen.id, chosen.name);
	if ('problem' in look) throw new IdentityUnusable(explain(look.problem));
	const { value, workspaceId } = look.identity;
	return { id: chosen.id, value, isDomain: isDomainIdentity(look.identity), workspaceId };
}
