import { isMissing, isRouteMissing, statusOf } from '../../api/errors';
import { readDeliveredTo, readMessage, type ServiceMessage } from '../../api/messages';
import { isSameId, mayBelongTo, readAccount, type Account } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import { isMailFor, monotonicNow } from '../../../../lib/basics';
import { isDomain, lookUpIdentity } from '../../shared/identities';
import { toldRecipient } from '../../shared/simplifiedEmail';
import { askRestriction, findBySecret, type ReceivingIdentity } from '../restriction';
import { digestSecret } from '../../shared/secret';
import { withEmail, type Step } from './mail';
import { ignore, reject } from './outcomes';
import { hasStoredSecret, once, ownIdentitiesOf, type DeliveryRequest } from './request';
import { unwanted } from './unwanted';

/** Milliseconds. */
const FOR_VERIFYING = { attempts: 3, total: 8_000, timeout: 5_000 };
const MAX_WAIT_FOR_RESTRICTION = 10_000;

/** How old the last look at the subscription may be, and how old where the service cannot be asked. Milliseconds. */
const FRESH_FOR = 30_000;
const BELIEVED_FOR = 60 * 60_000;

/** For the log. */
function describeFailure(error: unknown): string {
	if (isRouteMissing(error)) return 'the service does not support fetching single messages';
	const status = statusOf(error);
	return status === undefined
		? 'the service sent no readable answer in time'
		: `the service answered ${status}`;
}

/**
 * With Verify With the API, fetches the message with the user's own key, so that nothing of the delivery is used but the ID.
 *
 * @throws RefusedDelivery 403 for a message that the key may not read, 503 when the service cannot be asked for it
 */
export const verified: Step = async (mail, request) => {
	if (!request.parameters.verify) return undefined;
	// The service's copy may come without folder, headers and raw email, and need not be asked for what is unwanted.
	const ignored = await unwanted(mail, request);
	if (ignored) return ignored;
	const { id } = mail.delivered.received;
	if (id === null) reject('messageUnknown', 'the delivery has no message ID');
	const fetched = await request
		.service(FOR_VERIFYING)
		.getMessage(id)
		.catch((error: unknown) =>
			reject(isMissing(error) ? 'messageUnknown' : 'messageUnverified', describeFailure(error)),
		);
	const known = readMessage(fetched);
	if ((known.id ?? id) !== id) reject('messageUnknown', 'the service returned another message');
	mail.email = withEmail({ ...known, id }, request);
	return undefined;
};

/**
 * Ignores mail of another account, which some services deliver (seen on a running one). Where the service names no owner and no
 * workspace, as in the contract, all mail is the account's own. Another owner in the same workspace may share the identity:
 * mail that the API key may read belongs to its account; where single messages can't be read, so does mail to an identity
 * that the key can see.
 *
 * @throws RefusedDelivery 503 when the service can't be asked within seconds: starting might show somebody's mail to
 * somebody else, and ignoring might lose it, while a service that repeats deliveries brings it again
 */
export const foreign: Step = async ({ email }, request) => {
	const { ownerId, workspaceId } = readAccount(email.received.message);
	if (ownerId === null && workspaceId === null) return undefined;
	const own = accountOfStored(request) ?? (await askOwnAccount(request));
	const areWorkspacesTold = workspaceId !== null && own.workspaceId !== null;
	if (areWorkspacesTold && !isSameId(workspaceId, own.workspaceId))
		return ignore('foreign', { isForOthers: true });
	// The API key may read what was verified.
	if (ownerId === null || isSameId(ownerId, own.ownerId) || request.parameters.verify)
		return undefined;
	return (await isShared(request, email.received)) ? undefined : ignore('foreign');
};

/** Static data that are not saved yet, or older than this, do not tell. */
function accountOfStored(request: DeliveryRequest): Account | undefined {
	const { stored } = request;
	if (!stored?.ownerId || stored.workspaceId === undefined || !hasStoredSecret(request))
		return undefined;
	return { ownerId: stored.ownerId, workspaceId: stored.workspaceId };
}

/** Asks the service once in each process who owns the subscription that delivers with this secret. */
async function askOwnAccount({ memory, service, secret = '' }: DeliveryRequest): Promise<Account> {
	const key = digestSecret(secret);
	const asking = memory.accounts.get(key) ?? findAccount(service(once()), secret);
	memory.accounts.set(key, asking);
	return await asking.catch((error: unknown) => {
		memory.accounts.delete(key);
		return reject('ownerUnknown', describeFailure(error));
	});
}

async function findAccount(service: EmailIdentityService, secret: string): Promise<Account> {
	const [ownerId, listed] = await Promise.all([service.ownerId(), service.listWebhooks()]);
	const own = findBySecret(listed, secret).find((webhook) => mayBelongTo(ownerId, webhook));
	return { ownerId, workspaceId: own?.workspaceId ?? null };
}

/**
 * Where the service has no single messages, its own word for the recipient decides: To and Cc stand in everybody's copy, and
 * in other people's drafts. An identity may have been shared a moment ago, so a list that is older than the delivery does
 * not count against it.
 */
async function isShared(request: DeliveryRequest, received: ServiceMessage): Promise<boolean> {
	const { id, message } = received;
	try {
		const service = request.service(once());
		if (id !== null) return await service.getMessage(id).then(() => true);
	} catch (error) {
		if (isMissing(error)) return false;
		if (!isRouteMissing(error)) reject('ownerUnknown', describeFailure(error));
	}
	const recipient = readDeliveredTo(message);
	if (recipient === '') return false;
	if ((await ownIdentitiesOf(request))?.isOwn(recipient)) return true;
	const identities = await ownIdentitiesOf(request, request.arrivedAt);
	if (!identities) reject('ownerUnknown', 'the service did not return its identities');
	return identities.isOwn(recipient);
}

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
export const ofOtherIdentity: Step = async (mail, request) => {
	const { identityId } = request.parameters;
	if (identityId === null) return undefined;
	const { value, isDomain: isForDomain } = await identityFor(request, identityId);
	const { received, open } = mail.email;
	const opened = await open();
	const recipient = toldRecipient(received, opened);
	const isForIt = (address: string) => value !== null && isMailFor(value, address);
	if (isForDomain) {
		const named = [...opened.to, ...opened.cc].map(({ address }) => address);
		const addresses = recipient === null ? named : [recipient];
		return addresses.some(isForIt) ? undefined : ignore('otherIdentity');
	}
	const isTold = recipient !== null && isForIt(recipient);
	if (!isTold && !(await isRestricted(request, identityId))) return ignore('otherIdentity');
	mail.restrictedTo = value ?? undefined;
	return undefined;
};

/** Asked for only before n8n saved it, and after the node was renamed. */
async function identityFor(request: DeliveryRequest, id: string): Promise<ReceivingIdentity> {
	const { memory, scope, stored } = request;
	const known = [stored?.identity, memory.restrictions.seen(scope)?.identity];
	const found = known.find((identity) => identity?.id === id);
	if (found) return found;
	const service = request.service(once());
	const look = await lookUpIdentity(service, id).catch((error: unknown) =>
		reject('restrictionUnknown', describeFailure(error)),
	);
	if ('refusal' in look) return { id, value: null, isDomain: false };
	return { id, value: look.identity.value, isDomain: isDomain(look.identity) };
}

/**
 * The service knows best whom an alias belongs to, as long as it picks out the mail at all. One that tells of no subscription
 * what it is restricted to is believed to keep what it was given.
 */
async function isRestricted(request: DeliveryRequest, identityId: string): Promise<boolean> {
	const { memory, scope, secret = '' } = request;
	const { restrictions } = memory;
	const holds = (seen: { identityId: string | null | undefined }) =>
		seen.identityId === undefined || isSameId(identityId, seen.identityId);
	const last = restrictions.seen(scope);
	const age = last ? monotonicNow() - last.seenAt : Infinity;
	if (last && age <= FRESH_FOR && holds(last)) return true;
	const service = request.service(once(MAX_WAIT_FOR_RESTRICTION));
	const ask = async () => await askRestriction(service, secret);
	const isHeld = await restrictions.ask(scope, ask).then(holds, (error: unknown) => {
		if (last && age <= BELIEVED_FOR) return holds(last);
		reject('restrictionUnknown', describeFailure(error));
	});
	if (!isHeld) restrictions.repairNow(scope);
	return isHeld;
}
