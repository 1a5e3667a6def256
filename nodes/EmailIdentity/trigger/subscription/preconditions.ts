import { NodeOperationError } from 'n8n-workflow';
import { isRouteMissing } from '../../api/errors';
import type { EmailIdentityService } from '../../api/service';
import type { ApiContext } from '../../api/types';
import { webhookUrlProblem } from '../../api/webhookUrl';
import { isDomain, lookUpIdentity } from '../../shared/chosenIdentity';
import { filterProblem } from '../delivery/filters';
import type { Filters } from '../options';
import type { ChosenIdentity } from '../parameters';
import type { ReceivingIdentity } from '../restriction';
import { refusals } from './logMessages';
import type { Endpoint } from './target';

/** There is no such identity for this API key: what is there must not deliver for all of them instead. */
export class IdentityUnusable extends NodeOperationError {}

/** No message has it (RFC 9562, section 5.4: a random UUID is never all zeros). */
const NO_MESSAGE = '00000000-0000-4000-8000-000000000000';

/** @throws NodeOperationError when a filter is set so that no email can ever start the workflow */
export function checkFilters(context: ApiContext, filters: Filters): void {
	const problem = filterProblem(filters);
	if (problem !== undefined) throw new NodeOperationError(context.getNode(), problem);
}

/** @throws NodeOperationError when the service could not deliver to n8n's address for the node */
export async function checkAddress(
	context: ApiContext,
	endpoint: Endpoint,
	service: EmailIdentityService,
): Promise<void> {
	const { allowPrivateWebhookUrls } = await service.credential();
	const problem = webhookUrlProblem(endpoint.address, allowPrivateWebhookUrls);
	if (problem !== undefined) {
		throw new NodeOperationError(context.getNode(), refusals.address(endpoint, problem));
	}
}

/**
 * Asks for a message that does not exist: how the service says so tells whether it has single messages. Whatever else goes
 * wrong is no reason to refuse: each delivery that cannot be verified is logged.
 *
 * @throws NodeOperationError when Verify With the API would refuse every delivery
 */
export async function checkVerification(
	context: ApiContext,
	service: EmailIdentityService,
): Promise<void> {
	const failure = await service.getMessage(NO_MESSAGE).catch((error: unknown) => error);
	if (isRouteMissing(failure)) {
		throw new NodeOperationError(context.getNode(), refusals.cannotVerify);
	}
}

/**
 * Looks up the chosen identity.
 *
 * @param formerValue its address or domain, where an earlier look told it
 * @throws IdentityUnusable when it is not there, or another account's; NodeApiError when the service can't be asked
 */
export async function checkIdentity(
	context: ApiContext,
	service: EmailIdentityService,
	{ id, name }: ChosenIdentity,
	formerValue: string | null | undefined,
): Promise<ReceivingIdentity> {
	const look = await lookUpIdentity(service, id, formerValue ?? name);
	if ('refusal' in look) {
		const { message, description } = look.refusal;
		throw new IdentityUnusable(context.getNode(), message, { description });
	}
	const { identity } = look;
	return { id, value: identity.value, isDomain: isDomain(identity) };
}
