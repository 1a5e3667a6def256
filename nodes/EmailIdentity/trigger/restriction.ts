import { tellsIdentity, toWebhook, type Webhook } from '../api/resources';
import type { EmailIdentityService } from '../api/service';
import type { Entry } from '../api/types';
import { monotonicNow } from '../../../lib/basics';
import { secretOfUrl, type SecretScope } from '../shared/secret';

/** The address or domain that a node receives for. */
export interface ReceivingIdentity {
	id: string;
	/** The address or the domain; null if the service does not show it. */
	value: string | null;
	/** Services restrict subscriptions to addresses only; for a domain, the node filters the emails. */
	isDomain: boolean;
}

/** What the service showed of a node's subscription. */
export interface Look {
	/** What it is restricted to: null for all identities; undefined if the service shows this for no subscription. */
	identityId: string | null | undefined;
	/** The chosen identity, if it was looked up. */
	identity?: ReceivingIdentity;
}

/** `seenAt`: see `monotonicNow`. */
type SeenRestriction = Look & { seenAt: number };

/**
 * The last known restriction of each subscription of this process, by node and way of listening. Activations, checks and
 * deliveries record it; deliveries for One Identity rely on it.
 */
export class Restrictions {
	private readonly lastSeen = new Map<string, SeenRestriction>();
	private readonly asking = new Map<string, Promise<Look>>();
	private readonly repairs = new Map<string, () => void>();

	note(scope: SecretScope, look: Look, seenAt = monotonicNow()): void {
		const before = this.seen(scope);
		if (before && before.seenAt > seenAt) return;
		const identity = look.identity ?? before?.identity;
		this.lastSeen.set(keyOf(scope), { ...look, identity, seenAt });
	}

	/** @returns undefined if this process has not looked yet, or is a webhook process of queue mode */
	seen(scope: SecretScope): SeenRestriction | undefined {
		return this.lastSeen.get(keyOf(scope));
	}

	/** Looks once for all waiting deliveries. */
	async ask(scope: SecretScope, look: () => Promise<Look>): Promise<Look> {
		const key = keyOf(scope);
		const underWay = this.asking.get(key);
		if (underWay) return await underWay;
		const askedAt = monotonicNow();
		const asking = look().finally(() => this.asking.delete(key));
		this.asking.set(key, asking);
		const found = await asking;
		this.note(scope, found, askedAt);
		return found;
	}

	/** For a node that is deactivated or receives for all identities. */
	forget(scope: SecretScope): void {
		this.lastSeen.delete(keyOf(scope));
		this.repairs.delete(keyOf(scope));
	}

	/** @param repair looks at the subscription now and repairs it; never throws */
	repairBy(scope: SecretScope, repair: () => void): void {
		this.repairs.set(keyOf(scope), repair);
	}

	/** For a delivery that found the restriction lost. Has no effect in a process that checks no subscriptions. */
	repairNow(scope: SecretScope): void {
		this.repairs.get(keyOf(scope))?.();
	}
}

function keyOf({ instanceId, webhookPath, listening }: SecretScope): string {
	return `${listening} ${instanceId} ${webhookPath}`;
}

/** The subscriptions that deliver with a secret. A shared list may show copies that belong to other users. */
export function findBySecret(listed: readonly Entry[], secret: string): Webhook[] {
	return listed.map(toWebhook).filter(({ url }) => secretOfUrl(url) === secret);
}

/**
 * Asks the service which identity all subscriptions that deliver with a secret are restricted to.
 *
 * @throws NodeApiError when the request fails, Error when the service shows no such subscription
 */
export async function askRestriction(service: EmailIdentityService, secret: string): Promise<Look> {
	const listed = await service.listWebhooks();
	const identityIds = new Set(findBySecret(listed, secret).map(({ identityId }) => identityId));
	const [identityId, ...others] = identityIds;
	if (identityId === undefined) throw new Error('The service does not show the subscription');
	// A service that leaves out empty fields shows them for other subscriptions.
	if (!listed.some(tellsIdentity)) return { identityId: undefined };
	return { identityId: others.length === 0 ? identityId : null };
}
