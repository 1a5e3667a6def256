import { isMissing, isRouteMissing } from '../../api/errors';
import type { Entry } from '../../api/json';
import { readDeliveredTo, readMessage } from '../../api/messages';
import {
	isSameId,
	mayBelongTo,
	readAccount,
	tellsIdentity,
	toWebhook,
	type Account,
} from '../../api/resources';
import { isMailFor, monotonicNow } from '../../../../lib/basics';
import { toRecipient } from '../../../../lib/email';
import { isDomainIdentity, lookUpIdentity } from '../../shared/identities';
import { withEmail } from '../../shared/messageWithEmail';
import { toldRecipient } from '../../shared/simplifiedEmail';
import type { Look, ReceivingIdentity } from '../staticData';
import { DELIVERY_MS } from '../times';
import { digestSecret, secretOfUrl } from '../../shared/secret';
import { ignore, refuse, refuseFor, type Refused } from './outcomes';
import { hasStoredSecret } from './readDelivery';
import { askOwnIdentities, oneAttempt, type DeliveryHost, type Letter, type Step } from './stages';
import { whyUnwanted } from './unwanted';

/** With Verify With the API, fetches the message with the user's key. Only the ID of the delivery is used. */
export const verified: Step = async (letter, host) => {
	if (!letter.parameters.verify) return letter;
	// The service's copy may lack the folder, headers and raw email. Unwanted mail need not be fetched.
	const ignored = await whyUnwanted(letter, host);
	if (ignored) return ignored;
	const { id } = letter.delivered.received;
	if (id === null) return refuse('messageUnknown', 'the delivery has no message ID');
	const known = await host
		.service(DELIVERY_MS.verifying)
		.getMessage(id)
		.then(readMessage, (error: unknown) =>
			refuseFor(isMissing(error) ? 'messageUnknown' : 'messageUnverified', error),
		);
	if ('outcome' in known) return known;
	if ((known.id ?? id) !== id)
		return refuse('messageUnknown', 'the service returned another message');
	return { ...letter, email: withEmail({ ...known, id }, host.pause) };
};

/**
 * Ignores mail of another account, which Kurrier 3.5.0 delivers. If the service names no owner and no workspace, as in the
 * contract, all mail is the account's own. Another owner in the same workspace may share the identity: the mail belongs to
 * the account if the API key can read it or, without single messages, can see the identity that it is for.
 *
 * Without an answer of the service, starting could show mail to someone else, and ignoring could lose it: 503.
 */
export const foreign: Step = async (letter, host) => {
	const { email, parameters } = letter;
	const { ownerId, workspaceId } = readAccount(email.received.message);
	if (ownerId === null && workspaceId === null) return letter;
	const own = await ownAccount(letter, host);
	if ('outcome' in own) return own;
	const areWorkspacesTold = workspaceId !== null && own.workspaceId !== null;
	if (areWorkspacesTold && !isSameId(workspaceId, own.workspaceId))
		return ignore('foreign', { isForOthers: true });
	// The API key can read a verified message.
	if (ownerId === null || isSameId(ownerId, own.ownerId) || parameters.verify) return letter;
	return (await whyForeign(letter, host)) ?? letter;
};

/** The subscriptions that deliver with the letter's secret. A service may list copies of other users, too. */
const withSecretOf = ({ secret }: Letter, listed: readonly Entry[]) =>
	listed.map(toWebhook).filter(({ url }) => secretOfUrl(url) === secret);

async function ownAccount(letter: Letter, { memory, service }: DeliveryHost) {
	const { stored, secret } = letter;
	if (stored?.ownerId && stored.workspaceId !== undefined && hasStoredSecret(letter))
		return { ownerId: stored.ownerId, workspaceId: stored.workspaceId };
	const ask = async (): Promise<Account> => {
		const asked = service(oneAttempt());
		const [ownerId, listed] = await Promise.all([asked.ownerId(), asked.listWebhooks()]);
		const own = withSecretOf(letter, listed).find((webhook) => mayBelongTo(ownerId, webhook));
		return { ownerId, workspaceId: own?.workspaceId ?? null };
	};
	return await memory.accounts
		.once(digestSecret(secret), ask)
		.catch((error: unknown) => refuseFor('ownerUnknown', error));
}

/**
 * Without single messages, only the service's own field for the recipient counts: To and Cc are the same in everybody's copy.
 * An identity may have been shared a moment ago, so an old list does not prove that it was not.
 */
async function whyForeign(letter: Letter, host: DeliveryHost) {
	const { id, message } = letter.email.received;
	try {
		if (id !== null) {
			await host.service(oneAttempt()).getMessage(id);
			return undefined;
		}
	} catch (error) {
		if (isMissing(error)) return ignore('foreign');
		if (!isRouteMissing(error)) return refuseFor('ownerUnknown', error);
	}
	const recipient = readDeliveredTo(message);
	if (recipient === '') return ignore('foreign', MAY_BE_SHARED);
	if ((await askOwnIdentities(host))?.isOwn(recipient)) return undefined;
	const identities = await askOwnIdentities(host, letter.arrivedAt);
	if (!identities) return refuse('ownerUnknown', 'the service did not return its identities');
	return identities.isOwn(recipient) ? undefined : ignore('foreign', MAY_BE_SHARED);
}

/** Kurrier 3.5.0 shows neither the messages nor the identities that others share. */
const MAY_BE_SHARED = {
	level: 'info',
	warning:
		'It may be for an identity that others share with you: this service does not list these identities.',
} as const;

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
export const ofOtherIdentity: Step = async (letter, host) => {
	const { identityId } = letter.parameters;
	if (identityId === null) return letter;
	const identity = await identityFor(identityId, letter, host);
	if ('outcome' in identity) return identity;
	const { value, isDomain: isForDomain } = identity;
	const { received, open } = letter.email;
	const opened = await open();
	const recipient = toldRecipient(received, opened);
	const isForIt = (address: string) => value !== null && isMailFor(value, address);
	if (isForDomain) {
		const named = [...opened.to, ...opened.cc].map(({ address }) => address);
		const addresses = recipient === null ? named : [recipient];
		return addresses.some(isForIt) ? letter : ignore('otherIdentity');
	}
	const accepted = { ...letter, restrictedTo: value ?? undefined };
	if (isForIt(toRecipient(readDeliveredTo(received.message)) ?? '')) return accepted;
	const isHeld = await isRestricted(identityId, letter, host);
	if (typeof isHeld === 'boolean') return isHeld ? accepted : ignore('otherIdentity');
	// Anyone can write a header: it counts only if the service cannot be asked.
	return isForIt(recipient ?? '') ? accepted : isHeld;
};

/** Before n8n saved the identity, and after the node was renamed, only the service knows it. */
async function identityFor(
	id: string,
	{ scope, stored }: Letter,
	{ memory, service }: DeliveryHost,
): Promise<ReceivingIdentity | Refused> {
	const known = [stored?.identity, memory.subscriptions.seen(scope)?.identity];
	const found = known.find((identity) => identity?.id === id);
	if (found) return found;
	const look = await lookUpIdentity(service(oneAttempt()), id).catch((error: unknown) =>
		refuseFor('restrictionUnknown', error),
	);
	if ('outcome' in look) return look;
	if ('problem' in look) return { id, value: null, isDomain: false };
	return { id, value: look.identity.value, isDomain: isDomainIdentity(look.identity) };
}

/** A service that shows the restriction of no subscription is believed to keep it. */
async function isRestricted(
	identityId: string,
	letter: Letter,
	{ memory: { subscriptions }, service }: DeliveryHost,
): Promise<boolean | Refused> {
	const { scope, stored } = letter;
	const holds = ({ restrictedTo }: Look) =>
		restrictedTo === undefined || isSameId(identityId, restrictedTo);
	const ask = async (): Promise<Look> => {
		const listed = await service(oneAttempt(DELIVERY_MS.restrictionRequest)).listWebhooks();
		const [first, ...others] = withSecretOf(letter, listed).map((webhook) => webhook.identityId);
		if (first === undefined) throw new Error('The service does not show the subscription');
		// A service that leaves out empty fields shows them for other subscriptions.
		if (!listed.some(tellsIdentity)) return { restrictedTo: undefined };
		return { restrictedTo: others.every((other) => other === first) ? first : null };
	};
	const last = subscriptions.seen(scope);
	const age = last ? monotonicNow() - last.seenAt : Infinity;
	if (last && age <= DELIVERY_MS.restrictionFresh && holds(last)) return true;
	const look = await subscriptions
		.ask(scope, ask)
		.catch(
			(error: unknown) =>
				subscriptions.believed(scope, stored?.look) ?? refuseFor('restrictionUnknown', error),
		);
	if ('outcome' in look) return look;
	const isHeld = holds(look);
	if (!isHeld) subscriptions.repair(scope);
	return isHeld;
}
