import type { IBinaryData } from 'n8n-workflow';

import type { Account } from '../../api/data/resources';
import type { RetryPolicy } from '../../api/requests/retry';
import type { EmailIdentityService } from '../../api/service';
import { BoundedMap, Cache, LogThrottle, type Pause } from '../../../../lib/basics';
import type { CheckedMessage, SenderCheckFields } from '../../shared/reading/authenticateSender';
import { OwnIdentityLists, type OwnIdentities } from '../../shared/reading/ownIdentities';
import type { MessageWithEmail } from '../../shared/reading/messageWithEmail';
import { SubscriptionStates, type SubscriptionView } from '../state/subscriptionState';
import { DELIVERY_MS } from '../times';
import { ClaimsByWebhook } from './memory/messageClaims';
import type { SeenMessages } from './memory/seenMessages';
import { OpenDeliveries } from './memory/openDeliveries';
import type { LogLevel } from './outcomes';

/** Functions of n8n, and the memory of this process, for one delivery. */
export interface DeliveryHost {
	memory: DeliveryMemory;
	credentialId: string;
	pause: Pause;
	service(budget: RequestBudget): EmailIdentityService;
	authenticateSender(message: MessageWithEmail, fields: SenderCheckFields): Promise<CheckedMessage>;
	prepareFile(content: Buffer, fileName: string, mimeType: string): Promise<IBinaryData>;
	/** n8n saves what is known when it answers; nothing of messages if duplicates are not ignored. */
	remember(seen: SeenMessages | undefined): void;
	/** Neither the outcome nor the reason may contain anything of the delivery. */
	log(level: LogLevel, outcome: string, why: string, throttle?: LogThrottle): void;
}

/** The time for requests: the sender of the delivery waits, and on some services every user's mail behind it. */
export interface RequestBudget extends Partial<RetryPolicy> {
	/** Until all requests of the service end. */
	withinMs?: number;
}

export function oneAttempt(withinMs = DELIVERY_MS.request): RequestBudget {
	return { attempts: 1, timeout: withinMs, withinMs };
}

/** The deliveries that this process remembers. This is lost when n8n ends; the rest is in static data. */
export interface DeliveryMemory {
	messageClaims: ClaimsByWebhook;
	openDeliveries: OpenDeliveries;
	subscriptions: SubscriptionView;
	ownIdentities: OwnIdentityLists;
	/** The key is the digest of the subscription's secret. */
	accounts: Cache<Account>;
	/** When automatic emails of a webhook and a correspondent started the workflow, see `monotonicNow`. The key: `countedAs`. */
	automaticStarts: BoundedMap<string, number[]>;
	logThrottle: LogThrottle;
	/** For what only a person can change. */
	hourlyThrottle: LogThrottle;
}

/** A stranger can use another address in each email: then the oldest counts are forgotten, instead of filling the memory. */
const MAX_CORRESPONDENTS = 10_000;
const MAX_ACCOUNTS = 1000;

export function createDeliveryMemory(
	subscriptions: SubscriptionView = new SubscriptionStates(),
): DeliveryMemory {
	return {
		messageClaims: new ClaimsByWebhook(),
		openDeliveries: new OpenDeliveries(),
		subscriptions,
		ownIdentities: new OwnIdentityLists(),
		accounts: new Cache<Account>({ maxWeight: MAX_ACCOUNTS }),
		automaticStarts: new BoundedMap<string, number[]>(MAX_CORRESPONDENTS),
		logThrottle: new LogThrottle(),
		hourlyThrottle: new LogThrottle(DELIVERY_MS.warning),
	};
}

/**
 * The account's identities, requested once for all waiting deliveries; undefined if the service does not return them.
 *
 * @param notBefore an older list does not count, see `monotonicNow`
 */
export async function askOwnIdentities(
	{ memory, credentialId, service }: DeliveryHost,
	notBefore?: number,
): Promise<OwnIdentities | undefined> {
	const list = async () => await service(oneAttempt()).listIdentities();
	return await memory.ownIdentities.ask(credentialId, list, notBefore);
}
