import type { Account } from '../../api/resources';
import { BoundedMap, LogThrottle } from '../../../../lib/basics';
import { OwnIdentityLists } from '../../shared/identities';
import { SubscriptionLooks, type SubscriptionView } from '../subscriptionLooks';
import { OnceOnly } from './onceOnly';

const MAX_ACCOUNTS = 100;
const MAX_CORRESPONDENTS = 10_000;

/** What this process remembers of deliveries. It is lost when n8n ends; the rest is in static data. */
export type DeliveryMemory = ReturnType<typeof createDeliveryMemory>;

export function createDeliveryMemory(subscriptions: SubscriptionView = new SubscriptionLooks()) {
	return {
		onceOnly: new OnceOnly(),
		subscriptions,
		ownIdentities: new OwnIdentityLists(),
		/** By digest of the subscription's secret. */
		accounts: new BoundedMap<string, Promise<Account>>(MAX_ACCOUNTS),
		/** Webhook and correspondent → when their automatic emails started the workflow, see `monotonicNow`. */
		automaticStarts: new BoundedMap<string, number[]>(MAX_CORRESPONDENTS),
		logThrottle: new LogThrottle(),
		/** For settings that someone must correct. */
		hourlyThrottle: new LogThrottle(3_600_000),
	};
}
