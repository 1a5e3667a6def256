import type { IWebhookFunctions } from 'n8n-workflow';

import { isSameId } from '../../api/resources';
import { createService } from '../../api/service';
import { isMailFor } from '../../lib/addresses';
import { lookUpIdentity } from '../../shared/chosenIdentity';
import { isDomain } from '../../shared/identityKinds';
import { toldRecipient } from '../../shared/recipient';
import { lastLookOf, type ReceivingIdentity } from '../restriction';
import { secretOfQuery, secretScope, type SecretScope } from '../secret';
import { triggerStaticData, type StoredSubscription } from '../staticData';
import { identityOfStored } from '../subscription/storedSubscription';
import { listeningOf } from './authenticate';
import type { DeliveredEmail } from './deliveredEmail';
import { askRestriction } from './ownSubscription';
import { reject } from './responses';

/** The sender of the delivery is waiting meanwhile. Times in milliseconds. */
const RETRY = { attempts: 1, total: 2_000, timeout: 2_000 };

const NOT_RESTRICTED = {
	status: 503,
	message: 'The subscription is not restricted to its identity just now',
	retryAfter: 600,
};
const CANNOT_ASK = {
	status: 503,
	message: 'Whom the email is for cannot be checked just now',
	retryAfter: 60,
};

/**
 * Whether an email is for the one identity that is chosen: services were seen to deliver everything to a subscription whose
 * identity was deleted, and nothing to one for a domain (Kurrier 3.5.0), so that their word is not enough.
 *
 * | chosen | recipient | then |
 * | --- | --- | --- |
 * | an address | is the address, whatever the case, the plus tag or the spelling of its domain | meant |
 * | | is another one: an alias, a catch-all, a forwarding, or another identity's mail | meant if the subscription is restricted to the identity at this moment: the service is asked, and believed to keep what it was given if it does not tell |
 * | | is not known | meant, unless the last look found the subscription unrestricted: 503 |
 * | a domain | is in it | meant |
 * | | is elsewhere | not meant |
 * | | is not known | meant if To or Cc name an address in it |
 * | either, which is gone | | 503 |
 *
 * @param emails the same email, the most trustworthy account of it first
 * @throws RefusedDelivery 503 when it cannot be told and may be another identity's
 */
export async function isForIdentity(
	context: IWebhookFunctions,
	identityId: string,
	emails: readonly DeliveredEmail[],
): Promise<boolean> {
	const scope = secretScope(context, listeningOf(context));
	const { restriction, subscriptionId } = lastLookOf(scope) ?? {};
	if (restriction === 'gone') reject(NOT_RESTRICTED);
	const stored = storedFor(context, scope);
	const { value, isDomain: isForDomain } = await identityFor(context, scope, stored, identityId);
	const recipient = await recipientOf(emails);
	if (value !== null && recipient !== undefined && isMailFor(value, recipient)) return true;
	if (isForDomain) return recipient === undefined && (await isNamed(value ?? '', emails));
	if (restriction === 'lost' && recipient === undefined) reject(NOT_RESTRICTED);
	if (restriction === 'lost') return false;
	const id = subscriptionId ?? stored?.id;
	return recipient === undefined || (await isRestricted(context, id, identityId));
}

/** What this n8n stored of the subscription that deliveries come by. */
function storedFor(
	context: IWebhookFunctions,
	{ instanceId, listening }: SecretScope,
): StoredSubscription | undefined {
	const { subscription } = triggerStaticData(context);
	const isOwn = subscription?.instanceId === instanceId && subscription.listening === listening;
	return isOwn ? subscription : undefined;
}

/** Asked for only before n8n saved it, and after the node was renamed. */
async function identityFor(
	context: IWebhookFunctions,
	scope: SecretScope,
	stored: StoredSubscription | undefined,
	id: string,
): Promise<ReceivingIdentity> {
	const known = [identityOfStored(stored), lastLookOf(scope)?.identity];
	const found = known.find((identity) => identity?.id === id);
	if (found) return found;
	const service = createService(context, { retry: RETRY });
	const look = await lookUpIdentity(service, id).catch(() => reject(CANNOT_ASK));
	if ('refusal' in look) reject(NOT_RESTRICTED);
	return { id, value: look.identity.value, isDomain: isDomain(look.identity) };
}

async function recipientOf(emails: readonly DeliveredEmail[]): Promise<string | undefined> {
	for (const { received, origin } of emails) {
		const told = toldRecipient(received, await origin());
		if (told !== null) return told;
	}
	return undefined;
}

async function isNamed(domain: string, emails: readonly DeliveredEmail[]): Promise<boolean> {
	for (const email of emails) {
		const { to, cc } = await email.open();
		if ([...to, ...cc].some(({ address }) => isMailFor(domain, address))) return true;
	}
	return false;
}

/**
 * The service knows best whom an alias belongs to, as long as it picks out the mail at all. One that tells of no subscription
 * what it is restricted to is believed to keep what it was given.
 *
 * @param id the subscription's, as far as it is known
 */
async function isRestricted(
	context: IWebhookFunctions,
	id: string | undefined,
	identityId: string,
): Promise<boolean> {
	const signal = AbortSignal.timeout(RETRY.total);
	const service = createService(context, { retry: RETRY, signal });
	const secret = secretOfQuery(context.getQueryData()) ?? '';
	const restriction = await askRestriction(service, { id, secret }).catch(() => reject(CANNOT_ASK));
	return restriction === undefined || isSameId(identityId, restriction);
}
