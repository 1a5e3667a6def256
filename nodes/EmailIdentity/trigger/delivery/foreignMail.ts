import type { IWebhookFunctions } from 'n8n-workflow';

import { type Account, isSameId, readAccount } from '../../api/resources';
import { isRouteMissing, lacksRight, statusOf } from '../../api/errors';
import { readDeliveredTo, type ServiceMessage } from '../../api/messages';
import { createService, type EmailIdentityService } from '../../api/service';
import { BoundedMap } from '../../lib/boundedMap';
import { askOwnIdentities } from '../../shared/ownIdentities';
import type { StoredSubscription } from '../staticData';
import type { HeldBack } from './heldBack';
import { accountOfStored, askOwnAccount } from './ownAccount';
import { RefusedDelivery, reject, type Refusal } from './responses';

/** The sender of the delivery is waiting meanwhile, and on some services every user's mail behind it. Milliseconds. */
const LONGEST_WAIT = 2_000;
const ONE_ATTEMPT = { attempts: 1, timeout: LONGEST_WAIT };

/** How long a service that has no single messages is not asked for one again. Milliseconds. */
const ROUTE_MISSING_FOR = 5 * 60_000;
const MOST_SERVICES = 100;

const CANNOT_ASK = {
	status: 503,
	message: 'Whose message this is cannot be asked just now',
	retryAfter: 60,
};

/** With these the service says something about the key or itself, not about the message. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([401, 408, 425, 429]);

/** Another workspace's, so that whoever listens for a test event is not the one who waits for it. */
const OTHERS: HeldBack = { reason: 'foreign', isForOthers: true };
/** The same workspace's, or of nobody knows which: it may have been meant. */
const NOT_READABLE: HeldBack = { reason: 'foreign' };

/** What is known of a message beside what the delivery says. */
interface Known {
	/** The subscription whose secret the delivery carries, where it is known. */
	subscription: StoredSubscription | undefined;
	/** Whether it was verified: the API key may read it. */
	isReadable: boolean;
}

/** `unclear`: of another owner, who may share it. */
export type Standing = 'own' | 'foreign' | 'unclear';

/** Base URL → when it was last seen to have no single messages, in milliseconds since 1970. */
const withoutMessages = new BoundedMap<string, number>(MOST_SERVICES);

/**
 * Whose a message is, by what the delivery says of it. A subscription gets other accounts' mail on some services (seen on
 * a running one), and rightly that of shared identities on others.
 *
 * | the message's workspace | its owner | it is |
 * | --- | --- | --- |
 * | another one than the subscription's | whoever | foreign |
 * | the same, or one of them is not told | the subscription's, or not told | own |
 * | the same, or one of them is not told | another one | unclear |
 */
export function standingOf(message: Account, own: Account): Standing {
	const { ownerId, workspaceId } = message;
	const isElsewhere = workspaceId !== null && own.workspaceId !== null;
	if (isElsewhere && !isSameId(workspaceId, own.workspaceId)) return 'foreign';
	return ownerId === null || isSameId(ownerId, own.ownerId) ? 'own' : 'unclear';
}

/**
 * Whether a message is the subscription's own by what is known without asking anybody. So it is where the service
 * tells of no owner and no workspace, as in the contract.
 *
 * @param stored the subscription whose secret the delivery carries, where it is known
 */
export function isOwnMail(
	{ message }: ServiceMessage,
	stored: StoredSubscription | undefined,
): boolean {
	const account = readAccount(message);
	if (account.ownerId === null && account.workspaceId === null) return true;
	const own = accountOfStored(stored);
	return own !== undefined && standingOf(account, own) === 'own';
}

/**
 * Finds out whether a message that is not the subscription's own was meant for its account all the same: what the API key may
 * read was, and where single messages can't be read, what came for an identity that the key can see.
 *
 * @returns why it is held back; undefined when it was meant
 * @throws RefusedDelivery 503 when the service can't be asked within two seconds: starting might show somebody's mail to
 * somebody else, and ignoring might lose it, while a service that repeats deliveries brings it again
 */
export async function whyForeign(
	context: IWebhookFunctions,
	received: ServiceMessage,
	known: Known,
): Promise<HeldBack | undefined> {
	const signal = AbortSignal.timeout(LONGEST_WAIT);
	const service = createService(context, { retry: ONE_ATTEMPT, signal });
	const expired = new Promise<never>((_resolve, fail) => {
		signal.addEventListener('abort', () => fail(new Error('Expired')), { once: true });
	});
	try {
		return await Promise.race([judge(context, service, received, known), expired]);
	} catch (error) {
		reject(error instanceof RefusedDelivery ? error.refusal : cannotAsk(error));
	}
}

async function judge(
	context: IWebhookFunctions,
	service: EmailIdentityService,
	received: ServiceMessage,
	{ subscription, isReadable }: Known,
): Promise<HeldBack | undefined> {
	const own = accountOfStored(subscription) ?? (await askOwnAccount(context, service));
	const standing = standingOf(readAccount(received.message), own);
	if (standing === 'own') return undefined;
	if (standing === 'foreign') return OTHERS;
	if (isReadable) return undefined;
	const isMeant =
		(await askMessage(service, received.id)) ?? (await isForOwnIdentity(context, received));
	return isMeant ? undefined : NOT_READABLE;
}

/**
 * Whether the API key may read a message.
 *
 * @returns undefined where the service has no single messages, or the message no ID
 */
async function askMessage(
	service: EmailIdentityService,
	id: string | null,
): Promise<boolean | undefined> {
	const { baseUrl } = await service.credential();
	const missingSince = withoutMessages.get(baseUrl) ?? -Infinity;
	if (id === null || Date.now() - missingSince < ROUTE_MISSING_FOR) return undefined;
	try {
		await service.getMessage(id);
		return true;
	} catch (error) {
		if (isRouteMissing(error)) {
			withoutMessages.set(baseUrl, Date.now());
			return undefined;
		}
		if (!isAboutMessage(error)) reject(cannotAsk(error));
		return false;
	}
}

/** A right that the key lacks is missing for every message, its own account's too. */
function isAboutMessage(error: unknown): boolean {
	const status = statusOf(error) ?? 500;
	return status >= 400 && status < 500 && !SAYS_NOTHING.has(status) && !lacksRight(error);
}

function cannotAsk(error: unknown): Refusal {
	const status = statusOf(error);
	return {
		...CANNOT_ASK,
		because: status === undefined ? 'it gave no answer in time' : `it answered ${status}`,
	};
}

/** By the service's word alone: To and Cc stand in everybody's copy, and in other people's drafts. */
async function isForOwnIdentity(
	context: IWebhookFunctions,
	{ message }: ServiceMessage,
): Promise<boolean> {
	const recipient = readDeliveredTo(message);
	if (recipient === '') return false;
	const identities = await askOwnIdentities(context);
	if (identities === undefined) {
		reject({ ...CANNOT_ASK, because: 'it does not tell its identities' });
	}
	return identities.isOwn(recipient);
}
