import { isSameId } from '../../api/resources';
import { isMailFor } from '../../lib/addresses';
import { lookUpIdentity } from '../../shared/chosenIdentity';
import { isDomain } from '../../shared/identityKinds';
import { toldRecipient } from '../../shared/recipient';
import { askRestriction, type ReceivingIdentity } from '../restriction';
import { identityOfStored } from '../staticData';
import type { Mail } from './mail';
import { describeFailure, once, reject, type DeliveryRequest, type Ignored } from './request';

/** Milliseconds. */
const MAX_WAIT = 2_000;
const MAX_WAIT_FOR_RESTRICTION = 10_000;

/** How old the last look at the subscription may be, and how old where the service cannot be asked. Milliseconds. */
const FRESH_FOR = 30_000;
const BELIEVED_FOR = 60 * 60_000;

const CANNOT_ASK = {
	status: 503,
	message: 'It cannot be checked at the moment if the subscription is restricted to its identity',
	retryAfter: 60,
	level: 'error',
} as const;

const OTHER: Ignored = { reason: 'otherIdentity' };

/**
 * Ignores what is not for the one identity that is chosen. Services were seen to deliver everything to a subscription whose
 * identity was deleted, and nothing to one for a domain (Kurrier 3.5.0), so that their word is not enough.
 *
 * | chosen | told recipient | then |
 * | --- | --- | --- |
 * | an address | the address, whatever the case, the plus tag or the spelling of its domain | started |
 * | | another one (an alias, a catch-all, another identity's), or none | started only if the subscription is restricted to the identity at this moment |
 * | a domain | in it | started |
 * | | elsewhere | ignored |
 * | | none | started if To or Cc name an address in it |
 *
 * @throws RefusedDelivery 503 when it cannot be told and may be another identity's
 */
export async function ofOtherIdentity(
	mail: Mail,
	request: DeliveryRequest,
): Promise<Ignored | undefined> {
	const { identityId } = request.parameters;
	if (identityId === null) return undefined;
	const { value, isDomain: isForDomain } = await identityFor(request, identityId);
	const recipient = await recipientOf(mail);
	const isTold = value !== null && recipient !== undefined && isMailFor(value, recipient);
	if (isForDomain) {
		const isNamed = recipient === undefined && (await isNamedIn(mail, value ?? ''));
		return isTold || isNamed ? undefined : OTHER;
	}
	if (!isTold && !(await isRestricted(request, identityId))) return OTHER;
	mail.restrictedTo = value ?? undefined;
	return undefined;
}

/** Asked for only before n8n saved it, and after the node was renamed. */
async function identityFor(request: DeliveryRequest, id: string): Promise<ReceivingIdentity> {
	const { memory, scope, stored } = request;
	const known = [identityOfStored(stored), memory.restrictions.seen(scope)?.identity];
	const found = known.find((identity) => identity?.id === id);
	if (found) return found;
	const service = request.service(once(MAX_WAIT));
	const look = await lookUpIdentity(service, id).catch((error: unknown) =>
		reject({ ...CANNOT_ASK, because: describeFailure(error) }),
	);
	if ('refusal' in look) return { id, value: null, isDomain: false };
	return { id, value: look.identity.value, isDomain: isDomain(look.identity) };
}

async function recipientOf({ email, delivered }: Mail): Promise<string | undefined> {
	for (const { received, origin } of [email, delivered]) {
		const told = toldRecipient(received, await origin());
		if (told !== null) return told;
	}
	return undefined;
}

async function isNamedIn({ email, delivered }: Mail, domain: string): Promise<boolean> {
	for (const { open } of [email, delivered]) {
		const { to, cc } = await open();
		if ([...to, ...cc].some(({ address }) => isMailFor(domain, address))) return true;
	}
	return false;
}

/**
 * The service knows best whom an alias belongs to, as long as it picks out the mail at all. One that tells of no subscription
 * what it is restricted to is believed to keep what it was given.
 */
async function isRestricted(request: DeliveryRequest, identityId: string): Promise<boolean> {
	const { memory, scope, stored, secret = '' } = request;
	const { restrictions } = memory;
	const holds = (seen: { identityId: string | null | undefined }) =>
		seen.identityId === undefined || isSameId(identityId, seen.identityId);
	const last = restrictions.seen(scope);
	const age = last ? Date.now() - last.seenAt : Infinity;
	if (last && age <= FRESH_FOR && holds(last)) return true;
	const service = request.service(once(MAX_WAIT_FOR_RESTRICTION));
	const id = last?.subscriptionId ?? stored?.id;
	const ask = async () => await askRestriction(service, { id, secret });
	const isHeld = await restrictions.ask(scope, ask).then(holds, (error: unknown) => {
		if (last && age <= BELIEVED_FOR) return holds(last);
		reject({ ...CANNOT_ASK, because: describeFailure(error) });
	});
	if (!isHeld) restrictions.repairNow(scope);
	return isHeld;
}
