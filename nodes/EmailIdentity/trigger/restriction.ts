import type { SecretScope } from './secret';

/** The one address or domain that a node receives for. */
export interface ReceivingIdentity {
	id: string;
	/** The address, or the domain; null where the service does not tell it. */
	value: string | null;
	/** Services restrict subscriptions to addresses; mail to a domain is picked out by the node. */
	isDomain: boolean;
}

/**
 * What the last look at a node's subscription showed:
 *
 * - `held`: it is restricted as the node asks for
 * - `lost`: it is not, until it is mended
 * - `gone`: it is not and cannot be, for there is no such identity any more
 */
export type Restriction = 'held' | 'lost' | 'gone';

export interface LastLook {
	restriction: Restriction;
	/** Undefined where it could not be looked up. */
	identity: ReceivingIdentity | undefined;
	/** The subscription that it found or made; static data may still name an earlier one. */
	subscriptionId?: string;
}

/** By node and way of listening. In this process only: n8n saves no static data that a check at intervals changes. */
const lastLooks = new Map<string, LastLook>();

/** Notes what a look showed, for the deliveries that come until the next one. */
export function noteLook(scope: SecretScope, look: LastLook): void {
	lastLooks.set(keyOf(scope), look);
}

/** For a node that is switched off, or that receives for all identities. */
export function forgetLook(scope: SecretScope): void {
	lastLooks.delete(keyOf(scope));
}

/** @returns undefined where this process has not looked: a webhook process of queue mode, or before the first look */
export function lastLookOf(scope: SecretScope): LastLook | undefined {
	return lastLooks.get(keyOf(scope));
}

function keyOf({ instanceId, webhookPath, listening }: SecretScope): string {
	return `${listening} ${instanceId} ${webhookPath}`;
}
