import { NodeOperationError, type IHookFunctions, type ITriggerFunctions } from 'n8n-workflow';
import { isRouteMissing } from '../../api/errors';
import type { EmailIdentityService } from '../../api/service';
import type { ApiContext } from '../../api/types';
import { webhookUrlProblem } from '../../api/webhookUrl';
import { dnsResolverProblem } from '../../shared/dnsResolver';
import { parseUrl } from '../../lib/hosts';
import { lookUpIdentity } from '../../shared/chosenIdentity';
import { isDomain } from '../../shared/identityKinds';
import { filterProblem } from '../delivery/filters';
import type { ChosenIdentity, SubscriptionParameters } from '../parameters';
import type { ReceivingIdentity } from '../restriction';
import type { Listening } from '../secret';
import { checkSwitches } from '../switches';
import { RESERVED_PARAMETERS, usesGateway } from './gateway';
import { refusals } from './logMessages';
import type { Endpoint } from './endpoint';

/** There is no such identity for this API key: what is there must not deliver for all of them instead. */
export class IdentityUnusable extends NodeOperationError {}

/** No message has it (RFC 9562, section 5.4: a random UUID is never all zeros). */
const NO_MESSAGE = '00000000-0000-4000-8000-000000000000';

/** @throws NodeOperationError when no email can ever start the workflow as the node is set, or a switch of it cannot be read */
export function checkParameters(
	context: IHookFunctions | ITriggerFunctions,
	{ checkSender, dnsResolver, filters }: SubscriptionParameters,
): void {
	checkSwitches(context);
	const asksDns = checkSender || filters.onlyAuthenticated === true;
	const problem = filterProblem(filters) ?? (asksDns ? resolverProblem(dnsResolver) : undefined);
	if (problem !== undefined) throw new NodeOperationError(context.getNode(), problem);
}

function resolverProblem(dnsResolver: string): string | undefined {
	const problem = dnsResolverProblem(dnsResolver);
	return problem === undefined ? undefined : `${problem}.`;
}

/**
 * Where the service delivers to a gateway, it is the gateway that has to reach n8n.
 *
 * @throws NodeOperationError when the service could not deliver to n8n's address for the node, or to the Delivery URL
 */
export async function checkAddress(
	context: ApiContext,
	endpoint: Endpoint,
	listening: Listening,
	service: EmailIdentityService,
): Promise<void> {
	const { allowPrivateWebhookUrls } = await service.credential();
	const refusal = usesGateway(endpoint, listening)
		? gatewayRefusal(endpoint, allowPrivateWebhookUrls)
		: addressRefusal(endpoint, listening, allowPrivateWebhookUrls);
	if (refusal !== undefined) throw new NodeOperationError(context.getNode(), refusal);
}

function addressRefusal(
	endpoint: Endpoint,
	listening: Listening,
	allowPrivate: boolean,
): string | undefined {
	const problem = webhookUrlProblem(endpoint.address, allowPrivate);
	if (problem === undefined) return undefined;
	// Only test events need n8n's own address then.
	return endpoint.deliveryUrl === ''
		? refusals.address(endpoint, problem, listening)
		: refusals.testAddress(endpoint, problem);
}

function gatewayRefusal({ deliveryUrl }: Endpoint, allowPrivate: boolean): string | undefined {
	const problem = webhookUrlProblem(deliveryUrl, allowPrivate);
	if (problem !== undefined) {
		const isPrivate = webhookUrlProblem(deliveryUrl, true) === undefined;
		return refusals.deliveryUrl(problem, isPrivate);
	}
	const query = parseUrl(deliveryUrl)?.searchParams;
	const taken = RESERVED_PARAMETERS.find((name) => query?.has(name));
	return taken && refusals.reservedParameter(taken);
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
