import type { StoredWebhook } from './types';

/**
 * What a service may do to subscriptions within the contract's words, and against what a caller expects.
 * For tests in the same process: some of it is code.
 */
export interface Oddities {
	/** What `GET /webhooks` shows in place of what there is: a list that lags, or never shows anything. */
	list?: readonly StoredWebhook[];
	/** `GET /webhooks/{id}` is answered 404 for all. */
	hidesSingle?: boolean;
	/** Turns a subscription as it is answered otherwise into what is answered. */
	show?: (webhook: Record<string, unknown>) => Record<string, unknown>;
	/** What becomes of what is given, before it is stored. */
	keep?: (given: Partial<StoredWebhook>) => Partial<StoredWebhook>;
	/** The IDs of new subscriptions; UUIDs when left out. */
	newId?: () => string;
}
