import type { IHookFunctions } from 'n8n-workflow';

import { toIdentity } from '../../api/data/resources';
import type { EmailIdentityService } from '../../api/service';
import { isMailFor, isSameMailbox } from '../../../../lib/basics';
import { plainAddressesIn } from '../settings/addressPatterns';
import { readDeliveryParameters } from '../settings/parameters';
import type { DeliveryParameters } from '../settings/settings';
import { explain } from '../logLines';
import type { HookRequest } from '../state/hookRequest';

/** After publishing, says in n8n's log if the filter To names another identity. The user does not wait for it. */
export function checkRecipient(context: IHookFunctions, request: HookRequest): void {
	const { endpoint, occasion, service, log } = request;
	const isPublished = occasion === 'publish' && endpoint.listening === 'production';
	if (!isPublished) return;
	const parameters = readDeliveryParameters(context);
	void recipientWarning(parameters, service({})).then(
		(warning) => {
			if (warning !== undefined) log('warn', warning);
		},
		(error: unknown) => log('info', `the filter 'To' could not be checked. ${explain(error)}`),
	);
}

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
	const listed = await service.listIdentities();
	const identities = listed.map(toIdentity);
	const chosen = identities.find(({ id }) => id === identityId);
	const others = identities.filter(({ id }) => id !== identityId);

	const other = addresses.find((address) => {
		if (isMailFor(chosen?.value ?? '', address)) return false;
		return others.some(({ value }) => isSameMailbox(value ?? '', address));
	});
	if (other === undefined) return undefined;
	return `the filter 'To' names ${other}, which is another identity than the one under 'Receive For'. The workflow starts only for emails that were sent to both.`;
}
