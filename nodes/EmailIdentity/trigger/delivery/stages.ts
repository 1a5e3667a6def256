import type { IBinaryData, IDataObject } from 'n8n-workflow';

import type { Account } from '../../api/resources';
import type { RetryPolicy } from '../../api/retry';
import type { EmailIdentityService } from '../../api/service';
import { BoundedMap, Cache, LogThrottle, type Pause } from '../../../../lib/basics';
import type { CheckedMessage, CheckedSender, SenderCheckFields } from '../../shared/dnsAccess';
import { OwnIdentityLists, type OwnIdentities } from '../../shared/identities';
import type { MessageWithEmail } from '../../shared/messageWithEmail';
import type { SecretScope } from '../../shared/secret';
import type { DeliveryParameters } from '../settings/settings';
import type { StoredSubscription } from '../staticData';
import { SubscriptionStates, type SubscriptionView } from '../subscriptionState';
import { DELIVERY_MS } from '../times';
import { OnceOnly, type MessageClaim, type SeenMessages } from './onceOnly';
import { OpenDeliveries } from './openDeliveries';
import type { Ignored, LogLevel, Refused } from './outcomes';

/** A delivery as n8n hands it over. Nothing of it is believed. */
export interface Arrived {
	scope: SecretScope;
	workflowId: string;
	arrivedAt: number;
	secret: string | undefined;
	/** The subscription that this n8n made for this address. */
	stored: StoredSubscription | undefined;
	seen: unknown;
	/** Resolves when the connection is closed: with n8n's status, or undefined if the sender hung up before. */
	closed: Promise<number | undefined>;
}

/** A delivery with the right secret. Only then are the body read and the expressions of parameters evaluated. */
export interface Authenticated extends Arrived {
	secret: string;
	/** JSON. */
	body: unknown;
	parameters: DeliveryParameters;
}

/** A delivery of a message, with what the steps found. */
export interface ParsedDelivery extends Omit<Authenticated, 'body'> {
	/** Both as the service delivered them (contract, section 6). */
	event: string;
	data: IDataObject;
	delivered: MessageWithEmail;
	/** What the workflow gets: with Verify With the API, the service's own copy; with Sender Check, what was signed. */
	email: MessageWithEmail;
	/** The address that the subscription is restricted to. */
	restrictedTo?: string;
	sender?: CheckedSender;
	/** Undefined if duplicates are not ignored. */
	once?: { messages: SeenMessages; keys: string[]; claim?: MessageClaim };
}

/** Returns why the email does not start the workflow, or the delivery with what it found. Never throws because of its content. */
export type Step = (
	delivery: ParsedDelivery,
	host: DeliveryHost,
) => Promise<Ignored | ParsedDelivery | Refused>;

/** How long a request may take: the sender of the delivery waits, and on some services every user's mail behind it. */
export interface RequestBudget extends Partial<RetryPolicy> {
	/** Until all requests of the service end. */
	withinMs?: number;
}

export function oneAttempt(withinMs = DELIVERY_MS.request): RequestBudget {
	return { attempts: 1, timeout: withinMs, withinMs };
}

const MAX_CORRESPONDENTS = 10_000;
const MAX_ACCOUNTS = 1000;

/** What this process remembers of deliveries. It is lost when n8n ends; the rest is in static data. */
export interface DeliveryMemory {
	onceOnly: OnceOnly;
	openDeliveries: OpenDeliveries;
	subscriptions: SubscriptionView;
	ownIdentities: OwnIdentityLists;
	/** By digest of the subscription's secret. */
	accounts: Cache<Account>;
	/** By webhook and correspondent: when their automatic emails started the workflow, see `monotonicNow`. */
	automaticStarts: BoundedMap<string, number[]>;
	logThrottle: LogThrottle;
	/** For what only a person can change. */
	hourlyThrottle: LogThrottle;
}

export function createDeliveryMemory(
	subscriptions: SubscriptionView = new SubscriptionStates(),
): DeliveryMemory {
	return {
		onceOnly: new OnceOnly(),
		openDeliveries: new OpenDeliveries(),
		subscriptions,
		ownIdentities: new OwnIdentityLists(),
		accounts: new Cache<Account>({ maxWeight: MAX_ACCOUNTS }),
		automaticStarts: new BoundedMap<string, number[]>(MAX_CORRESPONDENTS),
		logThrottle: new LogThrottle(),
		hourlyThrottle: new LogThrottle(DELIVERY_MS.warning),
	};
}

/** What n8n and this process lend to a delivery. */
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
