import type { Entry } from '../api/json';
import { tellsIdentity, toWebhook, type Webhook } from '../api/resources';
import type { EmailIdentityService } from '../api/service';
import { BoundedMap, Cache, monotonicNow, wallClockNow } from '../../../lib/basics';
import { secretOfUrl, type SecretScope } from '../shared/secret';

/** The address or domain that a node receives for. */
export interface ReceivingIdentity {
	id: string;
	/** The address or the domain; null if the service does not show it. */
	value: string | null;
	/** Services restrict subscriptions to addresses only; for a domain, the node filters the emails. */
	isDomain: boolean;
	/** Null if the service does not show it; left out in static data of older versions. */
	workspaceId?: string | null;
}

/** What the service showed of a node's subscription. */
export interface Look {
	/** The ID of an identity; null for all identities; undefined if the service shows this for no subscription. */
	restrictedTo: string | null | undefined;
	/** The chosen identity, if it was looked up. */
	identity?: ReceivingIdentity | undefined;
}

/** `seenAt`: see `monotonicNow`. */
type DatedLook = Look & { seenAt: number; stored: StoredLook };

/** A look in static data, so that it outlives n8n. `seenAt`: see `wallClockNow`. */
export type StoredLook = Pick<Look, 'restrictedTo'> & { seenAt: number };

/** How long a look is believed if the service cannot be asked. */
const BELIEVED_FOR_MS = 60 * 60_000;

/** Webhook processes of queue mode are not told when a workflow ends. */
const MAX_LOOKS = 1000;

/** What deliveries can see of the subscription, and do about it. */
export type SubscriptionView = Pick<SubscriptionLooks, 'seen' | 'ask' | 'believed' | 'repair'>;

/** The last look at each subscription, by node and way of listening. Activations, checks and deliveries record it. */
export class SubscriptionLooks {
	private readonly looks = new BoundedMap<string, DatedLook>(MAX_LOOKS);
	private readonly asking = new Cache<Look>();

	/** @param repair for a delivery that found the restriction lost; never throws */
	constructor(readonly repair: (scope: SecretScope) => void = () => undefined) {}

	note(scope: SecretScope, look: Look, seenAt = monotonicNow()): void {
		const before = this.seen(scope);
		if (before && before.seenAt > seenAt) return;
		const identity = look.identity ?? before?.identity;
		const stored = { restrictedTo: look.restrictedTo, seenAt: wallClockNow() };
		this.looks.set(keyOf(scope), { ...look, identity, seenAt, stored });
	}

	seen(scope: SecretScope): DatedLook | undefined {
		return this.looks.get(keyOf(scope));
	}

	/** The last look, for when the service cannot be asked; undefined if it is too old, or in the future of a clock that was set. */
	believed(scope: SecretScope, stored: StoredLook | undefined): Look | undefined {
		const seen = this.seen(scope);
		if (seen && monotonicNow() - seen.seenAt <= BELIEVED_FOR_MS) return seen;
		const ageMs = stored ? wallClockNow() - stored.seenAt : Infinity;
		return ageMs >= 0 && ageMs <= BELIEVED_FOR_MS ? stored : undefined;
	}

	/** Once for all waiting deliveries. */
	async ask(scope: SecretScope, look: () => Promise<Look>): Promise<Look> {
		const key = keyOf(scope);
		return await this.asking.once(key, async () => {
			const askedAt = monotonicNow();
			const found = await look().finally(() => this.asking.forget(key));
			this.note(scope, found, askedAt);
			return found;
		});
	}

	forget(scope: SecretScope): void {
		this.looks.delete(keyOf(scope));
	}
}

function keyOf({ instanceId, webhookPath, listening }: SecretScope): string {
	return `${listening} ${instanceId} ${webhookPath}`;
}

/** The subscriptions that deliver with a secret. A shared list may show copies that belong to other users. */
export function findBySecret(listed: readonly Entry[], secret: string): Webhook[] {
	return listed.map(toWebhook).filter(({ url }) => secretOfUrl(url) === secret);
}

/** The identity that all subscriptions that deliver with a secret are restricted to. */
export async function askRestriction(service: EmailIdentityService, secret: string): Promise<Look> {
	const listed = await service.listWebhooks();
	const identityIds = new Set(findBySecret(listed, secret).map(({ identityId }) => identityId));
	const [identityId, ...others] = identityIds;
	if (identityId === undefined) throw new Error('The service does not show the subscription');
	// A service that leaves out empty fields shows them for other subscriptions.
	if (!listed.some(tellsIdentity)) return { restrictedTo: undefined };
	return { restrictedTo: others.length === 0 ? identityId : null };
}
