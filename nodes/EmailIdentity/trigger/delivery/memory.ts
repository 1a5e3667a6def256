import type { Account } from '../../api/resources';
import { BoundedMap } from '../../lib/boundedMap';
import { OwnIdentityLists } from '../../shared/ownIdentities';
import { Restrictions } from '../restriction';
import { OnceOnly } from './onceOnly';

const MAX_SERVICES = 100;
const MAX_ACCOUNTS = 100;
const MAX_LOG_COUNTERS = 1000;
/** Each takes some two hundred bytes. */
const MAX_CORRESPONDENTS = 10_000;

export interface LogCounter {
	/** When the last line was written, in milliseconds since 1970. */
	loggedAt: number;
	/** How often it happened since then. */
	count: number;
}

/** What this process remembers of deliveries. It is lost when n8n ends; what must not be is in static data. */
export interface DeliveryMemory {
	onceOnly: OnceOnly;
	restrictions: Restrictions;
	ownIdentities: OwnIdentityLists;
	/** By digest of the subscription's secret. */
	accounts: BoundedMap<string, Promise<Account>>;
	/** Base URL → when the service was last seen to have no single messages, in milliseconds since 1970. */
	withoutMessages: BoundedMap<string, number>;
	/** Webhook and correspondent → when their automatic emails started the workflow, in milliseconds since 1970. */
	automaticStarts: BoundedMap<string, number[]>;
	/** By trigger, outcome and reason. */
	logCounters: BoundedMap<string, LogCounter>;
}

/** @param restrictions shared with what looks after the subscriptions */
export function createDeliveryMemory(restrictions = new Restrictions()): DeliveryMemory {
	return {
		onceOnly: new OnceOnly(),
		restrictions,
		ownIdentities: new OwnIdentityLists(),
		accounts: new BoundedMap(MAX_ACCOUNTS),
		withoutMessages: new BoundedMap(MAX_SERVICES),
		automaticStarts: new BoundedMap(MAX_CORRESPONDENTS),
		logCounters: new BoundedMap(MAX_LOG_COUNTERS),
	};
}
