import { toIdentity } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import { isMailFor, isSameMailbox } from '../../../../lib/basics';
import { plainAddressesIn } from './addressPatterns';
import type { DeliveryParameters } from './settings';

/**
 * Checks whether the filter To names another identity than the chosen one. Such an email starts the workflow only if it was
 * also sent to the chosen one, so it may be meant, and is no reason to refuse publishing.
 *
 * @returns a sentence for the log; undefined if there is nothing to say, without a request unless both settings are used
 * @throws NodeApiError if the service cannot list its identities
 */
export async function recipientWarning(
	{ identityId, filters }: Pick<DeliveryParameters, 'filters' | 'identityId'>,
	service: Pick<EmailIdentityService, 'listIdentities'>,
): Promise<string | undefined> {
	const addresses = plainAddressesIn(filters.to ?? '');
	if (identityId === null || addresses.length === 0) return undefined;
	const identities = (await service.listIdentities()).map(toIdentity);
	const chosen = identities.find(({ id }) => id === identityId);
	const others = identities.filter(({ id }) => id !== identityId);
	const foreign = addresses.find((address) => {
		const isForChosen = isMailFor(chosen?.value ?? '', address);
		return !isForChosen && others.some(({ value }) => isSameMailbox(value ?? '', address));
	});
	if (foreign === undefined) return undefined;
	return `the filter 'To' names ${foreign}, which is another identity than the one under 'Receive For'. The workflow starts only for emails that were sent to both.`;
}
