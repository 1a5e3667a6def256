import { isResourceMissing, isRouteMissing } from '../../../api/failures/errors';
import type { Entry } from '../../../api/data/json';
import { readDeliveredTo, readMessage } from '../../../api/data/messages';
import {
	isSameId,
	mayBelongTo,
	readAccount,
	toWebhook,
	type Account,
	type Webhook,
} from '../../../api/data/resources';
import { withEmail } from '../../../shared/reading/messageWithEmail';
import { digestSecret, secretOfUrl } from '../../../shared/secret';
import { DELIVERY_MS } from '../../times';
import { askOwnIdentities, oneAttempt, type DeliveryHost } from '../deliveryHost';
import { ignore, refuse, refuseFor, type Ignored, type Refused } from '../outcomes';
import { hasStoredSecret } from './checkSecret';
import type { ParsedDelivery, Step } from '../stages';
import { whyUnwanted } from './unwanted';

/** With Verify With the API, fetches the message with the user's key. Of the delivery, only the message ID is used. */
export const verified: Step = async (delivery, host) => {
	if (!delivery.parameters.verify) return delivery;
	// Unwanted mail need not be fetched, and the service's copy may lack the folder, headers and raw email that show it.
	const ignored = await whyUnwanted(delivery, host);
	if (ignored) return ignored;
	const { id } = delivery.delivered.received;
	if (id === null) return refuse('messageUnknown', 'the delivery has no message ID');

	const service = host.service(DELIVERY_MS.verifying);
	const known = await service.getMessage(id).then(readMessage, (error: unknown) => {
		const isUnknown = isResourceMissing(error);
		return refuseFor(isUnknown ? 'messageUnknown' : 'messageUnverified', error);
	});
	if ('outcome' in known) return known;
	const isAnother = known.id !== null && known.id !== id;
	if (isAnother) return refuse('messageUnknown', 'the service returned another message');
	return { ...delivery, email: withEmail({ ...known, id }, host.pause) };
};

/**
 * Ignores mail of another account, which Kurrier 3.5.0 delivers. If the service names no owner and no workspace, as in the
 * contract, all mail is the account's own. Another owner in the same workspace may share the identity: the mail belongs to
 * the account if the API key can read it, or, if the service has no single messages, can see the identity that it is for.
 *
 * If the service does not answer, the delivery is refused with 503: starting could show mail to someone else, and ignoring could lose it.
 */
export const ofOtherAccount: Step = async (delivery, host) => {
	const { email, parameters } = delivery;
	const { ownerId, workspaceId } = readAccount(email.received.message);
	if (ownerId === null && workspaceId === null) return delivery;
	const own = await ownAccount(delivery, host);
	if ('outcome' in own) return own;

	if (workspaceId !== null && own.workspaceId !== null) {
		const isSameWorkspace = isSameId(workspaceId, own.workspaceId);
		// The editor goes on listening for a test event.
		if (!isSameWorkspace) return ignore('otherAccount', { isForOthers: true });
	}
	if (ownerId === null || isSameId(ownerId, own.ownerId)) return delivery;
	// The API key can read a verified message.
	if (parameters.verify) return delivery;
	const why = await whyForeign(delivery, host);
	return why ?? delivery;
};

/** The subscriptions with the secret of a delivery. A service may also list other users' copies of them. */
export function withSecretOf(
	{ secret }: Pick<ParsedDelivery, 'secret'>,
	listed: readonly Entry[],
): Webhook[] {
	return listed.map(toWebhook).filter(({ url }) => secretOfUrl(url) === secret);
}

async function ownAccount(
	delivery: ParsedDelivery,
	{ memory, service }: DeliveryHost,
): Promise<Account | Refused> {
	const { stored, secret } = delivery;
	if (stored && hasStoredSecret(delivery)) {
		const { ownerId, workspaceId } = stored;
		if (ownerId !== '' && workspaceId !== undefined) return { ownerId, workspaceId };
	}
	const ask = async (): Promise<Account> => {
		const asked = service(oneAttempt());
		const [ownerId, listed] = await Promise.all([asked.ownerId(), asked.listWebhooks()]);
		const webhooks = withSecretOf(delivery, listed);
		const own = webhooks.find((webhook) => mayBelongTo(ownerId, webhook));
		return { ownerId, workspaceId: own?.workspaceId ?? null };
	};
	return await memory.accounts
		.once(digestSecret(secret), ask)
		.catch((error: unknown) => refuseFor('ownerUnknown', error));
}

/**
 * If the service has no single messages, only its own field for the recipient counts: To and Cc are the same in everybody's copy.
 * An identity may have been shared a moment ago, so a cached list is not enough to ignore the email.
 */
async function whyForeign(
	delivery: ParsedDelivery,
	host: DeliveryHost,
): Promise<Ignored | Refused | undefined> {
	const { id, message } = delivery.email.received;
	if (id !== null) {
		const failure = await failureToRead(id, host);
		if (failure === undefined) return undefined;
		if (isResourceMissing(failure)) return ignore('otherAccount');
		if (!isRouteMissing(failure)) return refuseFor('ownerUnknown', failure);
	}
	const recipient = readDeliveredTo(message);
	if (recipient === '') return ignore('otherAccount', MAY_BE_SHARED);
	const cached = await askOwnIdentities(host);
	if (cached?.isOwn(recipient)) return undefined;
	const fresh = await askOwnIdentities(host, delivery.arrivedAt);
	if (!fresh) return refuse('ownerUnknown', 'the service did not return its identities');
	return fresh.isOwn(recipient) ? undefined : ignore('otherAccount', MAY_BE_SHARED);
}

/** Undefined if the API key can read the message. */
async function failureToRead(id: string, { service }: DeliveryHost): Promise<unknown> {
	try {
		await service(oneAttempt()).getMessage(id);
		return undefined;
	} catch (error) {
		return error;
	}
}

/** Kurrier 3.5.0 shows neither the messages nor the identities that others share. */
const MAY_BE_SHARED = {
	level: 'info',
	warning:
		'The email may be for an identity that another user shares with you. This service does not list shared identities.',
} as const;
