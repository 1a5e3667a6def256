import { readDeliveredTo } from '../../../api/data/messages';
import { isDomainIdentity, isSameId, tellsIdentity } from '../../../api/data/resources';
import { isMailFor, monotonicNow } from '../../../../../lib/basics';
import { toRecipient } from '../../../../../lib/email';
import { lookUpIdentity } from '../../../shared/identityLookup';
import { toldRecipient } from '../../../shared/reading/recipient';
import type { ReceivingIdentity, ShownRestriction } from '../../staticData';
import { DELIVERY_MS } from '../../times';
import { oneAttempt, type DeliveryHost } from '../deliveryHost';
import { ignore, refuseFor, type Ignored, type Refused } from '../outcomes';
import type { ParsedDelivery, Step } from '../stages';
import { withSecretOf } from './whoseMail';

/**
 * Ignores mail that is not for the chosen identity. Kurrier 3.5.0 loses the restriction when the identity is deleted, and
 * delivers nothing for a domain.
 *
 * | chosen | told recipient | then |
 * | --- | --- | --- |
 * | an address | the address, by the service | started |
 * | | the address by a header, which anyone can write; another one, such as an alias; none | started only if the subscription is restricted to the identity at this moment |
 * | a domain | in it | started |
 * | | elsewhere | ignored |
 * | | none | started if To or Cc name an address in it |
 */
export const ofOtherIdentity: Step = async (delivery, host) => {
	const { identityId } = delivery.parameters;
	if (identityId === null) return delivery;
	const identity = await identityFor(identityId, delivery, host);
	if ('outcome' in identity) return identity;
	if (identity.isDomain) return await ofOtherDomain(delivery, identity);

	const { received, open } = delivery.email;
	const accepted = { ...delivery, restrictedTo: identity.value ?? undefined };
	const recipient = toRecipient(readDeliveredTo(received.message));
	if (isFor(identity, recipient)) return accepted;
	const restriction = await findRestriction(identityId, delivery, host);
	if (restriction === 'kept') return accepted;
	if (restriction === 'lost') return ignore('otherIdentity');

	// Anyone can write a header: it counts only if the service cannot be asked.
	const told = toldRecipient(received, await open());
	return isFor(identity, told) ? accepted : restriction;
};

async function ofOtherDomain(
	delivery: ParsedDelivery,
	identity: ReceivingIdentity,
): Promise<Ignored | ParsedDelivery> {
	const { received, open } = delivery.email;
	const opened = await open();
	const recipient = toldRecipient(received, opened);
	const named = [...opened.to, ...opened.cc].map(({ address }) => address);
	const addresses = recipient === null ? named : [recipient];
	const isForIt = addresses.some((address) => isFor(identity, address));
	return isForIt ? delivery : ignore('otherIdentity');
}

function isFor({ value }: ReceivingIdentity, address: string | null): boolean {
	return value !== null && address !== null && isMailFor(value, address);
}

/** Before n8n saved the identity, and after the node was renamed, only the service knows it. */
async function identityFor(
	id: string,
	{ scope, stored }: ParsedDelivery,
	{ memory, service }: DeliveryHost,
): Promise<ReceivingIdentity | Refused> {
	if (stored?.identity?.id === id) return stored.identity;
	const seen = memory.subscriptions.lastSeen(scope);
	if (seen?.identity?.id === id) return seen.identity;

	const shown = await lookUpIdentity(service(oneAttempt()), id).catch((error: unknown) =>
		refuseFor('restrictionUnknown', error),
	);
	if ('outcome' in shown) return shown;
	if ('problem' in shown) return { id, value: null, isDomain: false };
	return { id, value: shown.identity.value, isDomain: isDomainIdentity(shown.identity) };
}

/**
 * Finds out whether the subscription is restricted to the chosen identity.
 *
 * | known to this process or from static data | then |
 * | --- | --- |
 * | seen within 30 seconds, and it was restricted | kept, without a request |
 * | anything else | the service is asked, once for all deliveries that wait |
 * | the service does not answer; last seen within an hour | as it was seen |
 * | the service does not answer; seen earlier, or never | not known: 503 |
 *
 * A subscription that lost its restriction is repaired at once.
 */
async function findRestriction(
	identityId: string,
	delivery: ParsedDelivery,
	host: DeliveryHost,
): Promise<'kept' | 'lost' | Refused> {
	const { subscriptions } = host.memory;
	const { scope, stored } = delivery;
	const last = subscriptions.lastSeen(scope);
	if (last && isRestricted(last, identityId)) {
		const age = monotonicNow() - last.seenAt;
		if (age <= DELIVERY_MS.restrictionFresh) return 'kept';
	}
	const ask = async () => await askRestriction(delivery, host);
	const found = await subscriptions.askOnce(scope, ask).catch((error: unknown) => {
		const recent = subscriptions.recentlySeen(scope, stored?.restriction);
		return recent ?? refuseFor('restrictionUnknown', error);
	});
	if ('outcome' in found) return found;
	if (isRestricted(found, identityId)) return 'kept';
	subscriptions.repair(scope);
	return 'lost';
}

function isRestricted({ restrictedTo }: ShownRestriction, identityId: string): boolean {
	return restrictedTo === undefined || isSameId(identityId, restrictedTo);
}

/** A service that shows the restriction of no subscription is believed to keep it. */
async function askRestriction(
	delivery: ParsedDelivery,
	{ service }: DeliveryHost,
): Promise<ShownRestriction> {
	const listed = await service(oneAttempt(DELIVERY_MS.restrictionRequest)).listWebhooks();
	const [first, ...others] = withSecretOf(delivery, listed).map(({ identityId }) => identityId);
	if (first === undefined) throw new Error('The service does not show the subscription');
	// A service that leaves out empty fields shows them for other subscriptions.
	if (!listed.some(tellsIdentity)) return { restrictedTo: undefined };
	const isSame = others.every((other) => other === first);
	return { restrictedTo: isSame ? first : null };
}
