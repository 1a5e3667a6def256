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

/** What a look at a node's subscription showed. */
export interface SeenRestriction {
	/** What it is restricted to: null for all identities; undefined where the service tells it of no subscription. */
	identityId: string | null | undefined;
	/** The subscription that was seen; static data may still name an earlier one. */
	subscriptionId?: string;
	/** The chosen identity, where it was looked up. */
	identity?: ReceivingIdentity;
	/** Milliseconds since 1970. */
	seenAt: number;
}

/**
 * What the subscriptions of this process were last seen to be restricted to, by node and way of listening. Activations, checks
 * and deliveries note it; deliveries for One Identity go by it.
 */
export class Restrictions {
	private readonly lastSeen = new Map<string, SeenRestriction>();
	private readonly repairs = new Map<string, () => void>();

	note(scope: SecretScope, seen: Omit<SeenRestriction, 'seenAt'>): void {
		this.lastSeen.set(keyOf(scope), { ...seen, seenAt: Date.now() });
	}

	seen(scope: SecretScope): SeenRestriction | undefined {
		return this.lastSeen.get(keyOf(scope));
	}

	/** For a node that is switched off, or that receives for all identities. */
	forget(scope: SecretScope): void {
		this.lastSeen.delete(keyOf(scope));
		this.repairs.delete(keyOf(scope));
	}

	/** @param repair looks at the subscription now and repairs it; never throws */
	repairBy(scope: SecretScope, repair: () => void): void {
		this.repairs.set(keyOf(scope), repair);
	}

	/** For a delivery that found the restriction lost. Does nothing in a process that looks after no subscriptions. */
	repairNow(scope: SecretScope): void {
		this.repairs.get(keyOf(scope))?.();
	}
}
