import { createHash } from 'crypto';

import { readAccount, type Account, isSameId } from '../../api/resources';
import { isRouteMissing } from '../../api/errors';
import { readMessage, type ServiceMessage, readDeliveredTo } from '../../api/messages';
import type { EmailIdentityService } from '../../api/service';
import type { Entry } from '../../api/types';
import { findBySecret } from '../restriction';
import type { StoredSubscription } from '../staticData';
import { withEmail, type Mail } from './mail';
import {
	describeFailure,
	isAboutMessage,
	once,
	ownIdentitiesOf,
	RefusedDelivery,
	reject,
	type DeliveryRequest,
	type Ignored,
	type Patience,
	type Refusal,
} from './request';
import { openingOf } from './senderProof';
import { unwanted } from './unwanted';

/** Milliseconds. */
const FOR_VERIFYING: Patience = {
	attempts: 3,
	total: 8_000,
	firstDelay: 250,
	longestDelay: 2_000,
	timeout: 5_000,
};
const MAX_WAIT = 2_000;

/** How long a service that has no single messages is not asked for one again. Milliseconds. */
const ROUTE_MISSING_FOR = 5 * 60_000;

const UNKNOWN_MESSAGE = { status: 403, message: 'The service does not know this message' };
const CANNOT_VERIFY = {
	status: 503,
	message: 'The message cannot be verified at the moment',
	retryAfter: 60,
};
const CANNOT_ASK = {
	status: 503,
	message: 'The owner of the message cannot be looked up at the moment',
	retryAfter: 60,
};

const cannotAsk = (error: unknown): Refusal => ({
	...CANNOT_ASK,
	because: describeFailure(error),
});

/** Another workspace's, so that whoever listens for a test event is not the one who waits for it. */
const OF_OTHERS: Ignored = { reason: 'foreign', isForOthers: true };
/** The same workspace's, or of an unknown one: it may have been meant. */
const NOT_READABLE: Ignored = { reason: 'foreign' };

/**
 * With Verify With the API, fetches the message with the user's own key, so that nothing of what was delivered has to be
 * believed but the ID.
 *
 * @throws RefusedDelivery 403 for a message that the service does not know or that is someone else's, 503 when it cannot be
 * asked, or gives no single messages at all
 */
export async function verified(mail: Mail, request: DeliveryRequest): Promise<Ignored | undefined> {
	if (!request.parameters.verify) return undefined;
	// The service's copy may come without folder, headers and raw email, and need not be asked for what is unwanted.
	const ignored = await unwanted(mail, request);
	if (ignored) return ignored;
	const { id } = mail.delivered.received;
	if (id === null) reject({ ...UNKNOWN_MESSAGE, because: 'the delivery names none' });
	const known = readMessage(await fetchMessage(request, id));
	if (known.id !== null && known.id !== id) {
		reject({ ...UNKNOWN_MESSAGE, because: 'the service gave another one' });
	}
	mail.email = withEmail({ ...known, id }, openingOf(request));
	return undefined;
}

async function fetchMessage(request: DeliveryRequest, id: string): Promise<Entry> {
	try {
		return await request.service(FOR_VERIFYING).getMessage(id);
	} catch (error) {
		const refusal = isAboutMessage(error) ? UNKNOWN_MESSAGE : CANNOT_VERIFY;
		reject({ ...refusal, because: describeFailure(error) });
	}
}

/** `unclear`: of another owner, who may share it. */
export type Ownership = 'own' | 'foreign' | 'unclear';

/**
 * Who owns a message, by what the delivery says of it. A subscription gets other accounts' mail on some services (seen on
 * a running one), and rightly that of shared identities on others.
 *
 * | the message's workspace | its owner | it is |
 * | --- | --- | --- |
 * | another one than the subscription's | any | foreign |
 * | the same, or one of them is not told | the subscription's, or not told | own |
 * | the same, or one of them is not told | another one | unclear |
 */
export function ownershipOf({ ownerId, workspaceId }: Account, own: Account): Ownership {
	const isElsewhere = workspaceId !== null && own.workspaceId !== null;
	if (isElsewhere && !isSameId(workspaceId, own.workspaceId)) return 'foreign';
	return ownerId === null || isSameId(ownerId, own.ownerId) ? 'own' : 'unclear';
}

/**
 * Ignores mail of another account. What the API key may read was meant for its account, and where single messages can't be
 * read, what came for an identity that the key can see. Where the service tells of no owner and no workspace, as in the
 * contract, all mail is the account's own.
 *
 * @throws RefusedDelivery 503 when the service can't be asked within two seconds: starting might show somebody's mail to
 * somebody else, and ignoring might lose it, while a service that repeats deliveries brings it again
 */
export async function foreign(mail: Mail, request: DeliveryRequest): Promise<Ignored | undefined> {
	const account = readAccount(mail.email.received.message);
	if (account.ownerId === null && account.workspaceId === null) return undefined;
	const own = accountOfStored(mail.subscription);
	if (own && ownershipOf(account, own) === 'own') return undefined;
	const expired = new Promise<never>((_resolve, fail) => {
		const signal = AbortSignal.timeout(MAX_WAIT);
		signal.addEventListener('abort', () => fail(new Error('Expired')), { once: true });
	});
	try {
		return await Promise.race([askIfForeign(mail, request, account, own), expired]);
	} catch (error) {
		reject(error instanceof RefusedDelivery ? error.refusal : cannotAsk(error));
	}
}

/** Static data that are not saved yet, or older than this, do not tell. */
function accountOfStored(stored: StoredSubscription | undefined): Account | undefined {
	if (!stored?.ownerId || stored.workspaceId === undefined) return undefined;
	return { ownerId: stored.ownerId, workspaceId: stored.workspaceId };
}

async function askIfForeign(
	{ email }: Mail,
	request: DeliveryRequest,
	account: Account,
	stored: Account | undefined,
): Promise<Ignored | undefined> {
	const service = request.service(once(MAX_WAIT));
	const own = stored ?? (await askOwnAccount(request, service));
	const ownership = ownershipOf(account, own);
	if (ownership === 'own') return undefined;
	if (ownership === 'foreign') return OF_OTHERS;
	// What was verified the API key may read.
	if (request.parameters.verify) return undefined;
	const isMeant =
		(await isReadable(request, service, email.received.id)) ??
		(await isForOwnIdentity(request, email.received));
	return isMeant ? undefined : NOT_READABLE;
}

/** Asks the service once in each process who owns the subscription that delivers with this secret. */
async function askOwnAccount(
	{ memory, secret = '' }: DeliveryRequest,
	service: EmailIdentityService,
): Promise<Account> {
	const key = createHash('sha256').update(secret).digest('base64');
	const known = memory.accounts.get(key);
	if (known) return await known;
	const asking = findAccount(service, secret);
	memory.accounts.set(key, asking);
	asking.catch(() => memory.accounts.delete(key));
	return await asking;
}

async function findAccount(service: EmailIdentityService, secret: string): Promise<Account> {
	const own = findBySecret(await service.listWebhooks(), secret);
	const { ownerId = null, workspaceId = null } = own ? readAccount(own) : {};
	return { ownerId: ownerId ?? (await service.ownerId()), workspaceId };
}

/** @returns undefined where the service has no single messages, or the message no ID */
async function isReadable(
	{ memory }: DeliveryRequest,
	service: EmailIdentityService,
	id: string | null,
): Promise<boolean | undefined> {
	const { baseUrl } = await service.credential();
	const missingSince = memory.withoutMessages.get(baseUrl) ?? -Infinity;
	if (id === null || Date.now() - missingSince < ROUTE_MISSING_FOR) return undefined;
	try {
		await service.getMessage(id);
		return true;
	} catch (error) {
		if (isAboutMessage(error)) return false;
		if (!isRouteMissing(error)) reject(cannotAsk(error));
		memory.withoutMessages.set(baseUrl, Date.now());
		return undefined;
	}
}

/**
 * By the service's word alone: To and Cc stand in everybody's copy, and in other people's drafts. An identity may have been
 * shared a moment ago, so a list that is older than the delivery does not count against it.
 */
async function isForOwnIdentity(
	request: DeliveryRequest,
	{ message }: ServiceMessage,
): Promise<boolean> {
	const recipient = readDeliveredTo(message);
	if (recipient === '') return false;
	if ((await ownIdentitiesOf(request))?.isOwn(recipient)) return true;
	const identities = await ownIdentitiesOf(request, request.arrivedAt);
	if (identities === undefined) {
		reject({ ...CANNOT_ASK, because: 'the service does not tell its identities' });
	}
	return identities.isOwn(recipient);
}
