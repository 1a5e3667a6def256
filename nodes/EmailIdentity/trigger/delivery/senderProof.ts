import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import type { ServiceMessage } from '../../api/messages';
import type { Authentication } from '../../dns/authentication';
import type { OpenedEmail } from '../../email';
import { authenticateSender } from '../../shared/senderAuthentication';
import type { DeliveryParameters } from '../parameters';
import { listeningOf } from './authenticate';
import { PROOF_FILTER } from './filters';
import type { HeldBack, Unproved } from './heldBack';
import { addressToProve } from './provedSenders';
import { reject } from './responses';

const CANNOT_CHECK = {
	status: 503,
	message: 'The sender of the email cannot be checked just now',
	retryAfter: 60,
};

export interface Proof {
	/** Undefined where nobody asked for it. */
	authentication?: Authentication;
}

type Wishes = Pick<DeliveryParameters, 'checkSender' | 'filters' | 'simplify'>;

/** Whether the sender is to be checked: for the filter, or for an output that can show it. */
export function isSenderChecked({ checkSender, filters, simplify }: Wishes): boolean {
	return filters.onlyAuthenticated === true || (checkSender && simplify);
}

/**
 * Checks the sender of an email that nothing else holds back, where that was asked for.
 *
 * @returns why it is held back, where only proved senders are let through
 * @throws RefusedDelivery 503 when that cannot be found out because the DNS cannot be asked: a service that repeats
 * deliveries brings it again. Whoever listens for a test event is told instead
 */
export async function proveSender(
	context: IWebhookFunctions,
	received: ServiceMessage,
	opened: OpenedEmail,
	parameters: DeliveryParameters,
): Promise<Proof | HeldBack> {
	if (!isSenderChecked(parameters)) return {};
	const check = await authenticateSender(context, received, opened, parameters);
	const { authentication, retryable, because = '' } = check;
	if (parameters.filters.onlyAuthenticated !== true) return { authentication };
	if (retryable) {
		if (listeningOf(context) === 'test') return { ...heldBackFor('dns'), because };
		reject({ ...CANNOT_CHECK, because: `no DNS resolver gave an answer (${because})` });
	}
	const unproved = whyUnproved(authentication, received, opened);
	return unproved === undefined ? { authentication } : heldBackFor(unproved);
}

/**
 * Looks at the items once more: a fault while the email was read puts other words than its own into them.
 *
 * @returns why they are held back, where only proved senders are let through
 */
export function withProof(
	items: INodeExecutionData[],
	{ filters }: DeliveryParameters,
): INodeExecutionData[] | HeldBack {
	const isLost =
		filters.onlyAuthenticated === true && items.some(({ json }) => json.parsed === false);
	return isLost ? heldBackFor('unknown') : items;
}

function heldBackFor(unproved: Unproved): HeldBack {
	return { reason: 'filtered', filter: PROOF_FILTER, unproved };
}

function whyUnproved(
	{ domain, result }: Authentication,
	{ rawEmail = '' }: ServiceMessage,
	{ from }: OpenedEmail,
): Unproved | undefined {
	if (rawEmail === '') return 'noRawEmail';
	if (result !== 'pass') return result;
	// What the workflow and the filter From are given must be what was proved, whoever else reads the header otherwise.
	const isSame = domain !== null && addressToProve(from)?.endsWith(`@${domain}`) === true;
	return isSame ? undefined : 'fail';
}
