import { isRouteMissing } from '../../api/errors';
import type { RetryPolicy } from '../../api/retry';
import type { EmailIdentityService } from '../../api/service';
import type { Advice } from '../../api/types';
import { pathOf } from '../../lib/hosts';
import { isDomain, lookUpIdentity } from '../../shared/identities';
import type { SubscriptionParameters } from '../parameters';
import type { ReceivingIdentity, Restrictions } from '../restriction';
import { digestSecret, type Listening } from '../../shared/secret';
import type { StoredSubscription } from '../staticData';
import { addressRefusal, type Endpoint } from './address';
import type { HookRequest, Host, Occasion } from './hookRequest';
import { desiredStateOf, restricts, type Action, type Checks, type Goal } from './plan';
import { targetOf } from './recognise';
import { reconcile, type Created, type Outcome, type ReconcileOptions } from './reconcile';

/** An active node, for its checks. */
export interface Watch {
	endpoint: Endpoint;
	parameters: SubscriptionParameters;
	stored: StoredSubscription | undefined;
	/** The chosen identity when it was last found; undefined for all identities, and if it is gone. */
	identity?: ReceivingIdentity;
	/** Whether it was logged that the identity is gone. */
	isGoneLogged: boolean;
	checks: Checks;
}

/** n8n 2.x publishes within two minutes, including five attempts. */
const PATIENCE: Partial<RetryPolicy> = {
	attempts: 4,
	total: 8_000,
	firstDelay: 300,
	longestDelay: 3_000,
	timeout: 10_000,
};

/** No message has this ID (RFC 9562, section 5.4: a random UUID is never all zeros). */
const NO_MESSAGE = '00000000-0000-4000-8000-000000000000';

/** The identity does not exist for this API key. The subscription must not deliver for all identities instead. */
export class IdentityUnusable extends Error {
	readonly description: string;

	constructor({ message, description }: Advice) {
		super(message);
		this.description = description;
	}
}

/** The subscriptions of all trigger nodes of a process. */
export class Subscriptions {
	private readonly retry: Partial<RetryPolicy>;

	/** By address and secret: another account's API key sees other subscriptions. */
	private readonly created = new Map<string, Created>();

	/** @param isListenedAt whether n8n listens for a test event at a URL */
	constructor(
		private readonly restrictions: Restrictions,
		retry: Partial<RetryPolicy>,
		private readonly isListenedAt: (url: string) => boolean,
	) {
		this.retry = { ...PATIENCE, ...retry };
	}

	/**
	 * Creates, resumes or repairs the subscription.
	 *
	 * Looks up the chosen identity at every activation and start. A check does so only if the subscription is not restricted
	 * to it, or it was gone the last time: the usual check is one request.
	 *
	 * @throws IdentityUnusable when the chosen identity does not exist
	 */
	async bringOn(host: Host, watch: Watch, occasion: Occasion): Promise<Outcome> {
		const { endpoint, parameters, checks } = watch;
		const opened = await this.open(host, endpoint, watch.stored, occasion);
		const { service, target, reach } = opened;
		const refusal = addressRefusal(endpoint, opened.allowPrivateWebhookUrls);
		if (refusal !== undefined) throw new Error(refusal);
		if (occasion === 'publish' && parameters.verify) await this.checkVerification(host);
		const isCheck = occasion === 'check';
		const isLookedUp = !isCheck || watch.identity === undefined;
		if (isLookedUp) watch.identity = await lookUpChosen(service, watch);
		const desired = desiredStateOf(target, parameters.events, watch.identity);
		const goal = { state: 'on', desired, isActivation: !isCheck } as const;
		const outcome = await reach(goal, async (actions) => {
			const isRestricting = actions.some((action) => restricts(action, goal));
			// The service may accept a restriction to an identity that is gone.
			if (isRestricting && !isLookedUp) await lookUpChosen(service, watch);
			return isCheck ? checks.approve(actions) : actions;
		});
		this.noteRestriction(watch, outcome, goal);
		const { stored } = target;
		const { kept } = outcome;
		if (stored && isInAnotherAccount(stored, kept?.ownerId)) logFormerAccount(host, stored);
		if (kept) {
			watch.stored = {
				id: kept.id,
				instanceId: endpoint.instanceId,
				url: endpoint.address,
				ownerId: kept.ownerId ?? stored?.ownerId ?? '',
				workspaceId: kept.workspaceId,
				secretDigest: digestSecret(target.secret),
				listening: endpoint.listening,
				...(watch.identity && { identity: watch.identity }),
			};
		}
		return outcome;
	}

	/** Pauses the subscription while the chosen identity is gone. Deliveries that still arrive are refused. */
	async pause(host: Host, watch: Watch, occasion: Occasion): Promise<void> {
		const { endpoint, stored } = watch;
		watch.identity = undefined;
		this.restrictions.note(endpoint, { identityId: null });
		const { service, target, reach } = await this.open(host, endpoint, stored, occasion);
		const { done } = await reach({ state: 'paused' });
		if (!watch.isGoneLogged) await noteFormerAccount(host, service, target.stored, done);
	}

	/**
	 * Pauses or deletes the subscription.
	 *
	 * @param told what n8n listened for, if this process knows
	 */
	async bringOff(request: HookRequest, told: Listening | undefined): Promise<void> {
		const { endpoint, stored: known, onDeactivation } = request;
		const isStoredHere = known && pathOf(known.url) === pathOf(endpoint.address);
		// If unknown, only a subscription at exactly this address is changed, as for a test event.
		const listening = told ?? (isStoredHere ? known.listening : 'test');
		const off = { ...endpoint, listening };
		this.restrictions.forget(off);
		const { service, target, reach } = await this.open(request, off, known, request.occasion);
		const isDeleted = listening === 'test' || onDeactivation === 'delete';
		const { done } = await reach({ state: isDeleted ? 'absent' : 'paused' });
		const { stored } = target;
		await noteFormerAccount(request, service, stored, done);
		if (stored && !stored.retired) request.store({ ...stored, retired: true });
	}

	/** Judged by what was stored and what this process created, with any API key. */
	mayBeOn({ endpoint, stored }: HookRequest): boolean {
		if (stored) return !stored.retired;
		const created = [...this.created].filter(([key]) => key.startsWith(`${endpoint.address} `));
		return created.some(([, { ids, mayBeMore }]) => ids.size > 0 || mayBeMore);
	}

	private async open(
		host: Host,
		endpoint: Endpoint,
		stored: StoredSubscription | undefined,
		occasion: Occasion,
	) {
		const service = host.service({ retry: this.retry });
		const { apiKey, allowPrivateWebhookUrls } = await service.credential();
		const target = targetOf(endpoint, apiKey, stored);
		const key = `${target.address} ${digestSecret(target.secret)}`;
		const created = this.created.get(key) ?? { ids: new Set(), mayBeMore: false };
		this.created.set(key, created);
		// `kill -9` leaves test subscriptions behind, and so does n8n 1.x (`registrations.deregisterAll`). They may be in use until
		// n8n starts again.
		const isInUse = (url: string) => occasion !== 'start' || this.isListenedAt(url);
		const reach = async (goal: Goal, approve?: ReconcileOptions['approve']) =>
			await reconcile(goal, { service, target, created, isInUse, approve });
		return { service, target, reach, allowPrivateWebhookUrls };
	}

	/**
	 * Fetches a message that does not exist. The error shows whether the service supports fetching single messages. Other errors
	 * are no reason to refuse: each delivery that cannot be verified is logged.
	 *
	 * @throws Error when Verify With the API would refuse every delivery
	 */
	private async checkVerification(host: Host): Promise<void> {
		const service = host.service({ retry: { ...this.retry, attempts: 1 } });
		const failure = await service.getMessage(NO_MESSAGE).catch((error: unknown) => error);
		if (!isRouteMissing(failure)) return;
		throw new Error(
			'This service does not support fetching single messages, so Verify With the API would refuse every email. ' +
				'Turn off Verify With the API in the Advanced settings of the Email Identity Trigger.',
		);
	}

	private noteRestriction(
		{ endpoint, identity }: Watch,
		{ needed, done }: Outcome,
		goal: Extract<Goal, { state: 'on' }>,
	): void {
		if (!identity) return this.restrictions.forget(endpoint);
		const isRestricting = (action: Action) => restricts(action, goal);
		const isRestricted = !needed.some(isRestricting) || done.some(isRestricting);
		const identityId = isRestricted ? goal.desired.identityId : null;
		this.restrictions.note(endpoint, { identityId, identity });
	}
}

/** @throws IdentityUnusable when it is missing or belongs to another account; NodeApiError when the request fails */
async function lookUpChosen(
	service: EmailIdentityService,
	{ parameters: { chosen }, identity, stored }: Watch,
): Promise<ReceivingIdentity | undefined> {
	if (chosen === null) return undefined;
	const { id, name } = chosen;
	const former = identity ?? stored?.identity;
	const formerValue = former?.id === id ? former.value : undefined;
	const look = await lookUpIdentity(service, id, formerValue ?? name);
	if ('refusal' in look) throw new IdentityUnusable(look.refusal);
	return { id, value: look.identity.value, isDomain: isDomain(look.identity) };
}

/**
 * Whether the stored subscription may still deliver from another account. When the credential changed accounts, the
 * trigger could not pause it: the old API key was gone.
 */
function isInAnotherAccount(stored: StoredSubscription, ownerId?: string | null): boolean {
	return !stored.retired && !!stored.ownerId && !!ownerId && stored.ownerId !== ownerId;
}

/** For a subscription that could not be switched off. */
async function noteFormerAccount(
	host: Host,
	service: EmailIdentityService,
	stored: StoredSubscription | undefined,
	done: readonly Action[],
): Promise<void> {
	if (!stored || stored.retired) return;
	const isDone = done.some((action) => 'id' in action && action.id === stored.id);
	if (isDone || !isInAnotherAccount(stored, await service.ownerId())) return;
	logFormerAccount(host, stored);
}

function logFormerAccount(host: Host, { id, ownerId }: StoredSubscription): void {
	host.log(
		'warn',
		`the credential now belongs to another account. The trigger can no longer switch off the webhook ${id} of the ` +
			`former account (user ${ownerId}): delete it there.`,
	);
}
