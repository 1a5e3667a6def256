import { isRouteMissing } from '../../api/errors';
import type { RetryPolicy } from '../../api/retry';
import type { EmailIdentityService } from '../../api/service';
import type { Advice } from '../../api/types';
import { pathOf } from '../../lib/hosts';
import { isDomain, lookUpIdentity } from '../../shared/identities';
import type { SubscriptionParameters } from '../parameters';
import type { ReceivingIdentity, Restrictions } from '../restriction';
import { digestSecret, type Listening } from '../secret';
import {
	identityOfStored,
	isInAnotherAccount,
	storedIdentity,
	type StoredSubscription,
} from '../staticData';
import { addressRefusal, originOf, usesGateway, type Endpoint } from './address';
import type { HookRequest, Host, Occasion } from './hookRequest';
import { OwnWrites, targetOf, TestListening, type Target } from './observe';
import { desiredStateOf, restricts, type Action, type Checks, type Goal } from './plan';
import { reconcile, type Outcome, type ReconcileOptions } from './reconcile';

/** An active node, for its checks. */
export interface Watch {
	endpoint: Endpoint;
	listening: Listening;
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
	private readonly patience: { retry: Partial<RetryPolicy> };

	readonly testListening: TestListening;

	/** By address and secret: another account's API key sees other subscriptions. */
	private readonly ownWrites = new Map<string, OwnWrites>();

	/** @param now milliseconds since 1970 */
	constructor(
		private readonly restrictions: Restrictions,
		retry: Partial<RetryPolicy>,
		now: () => number,
	) {
		this.patience = { retry: { ...PATIENCE, ...retry } };
		this.testListening = new TestListening(now);
	}

	/**
	 * Creates, resumes or repairs the subscription.
	 *
	 * Looks up the chosen identity at every activation and start. A check does so only if the subscription is not restricted
	 * to it, or it was gone the last time: the usual check is one request.
	 *
	 * @throws IdentityUnusable when the chosen identity does not exist
	 */
	async bringOn(host: Host, watch: Watch, occasion: Occasion | 'check'): Promise<Outcome> {
		const { endpoint, listening, parameters, checks } = watch;
		const service = host.service(this.patience);
		const { apiKey, allowPrivateWebhookUrls } = await service.credential();
		const refusal = addressRefusal(endpoint, listening, allowPrivateWebhookUrls);
		if (refusal !== undefined) throw new Error(refusal);
		if (occasion === 'publish' && parameters.verify) await this.checkVerification(host);
		const target = targetOf(endpoint, listening, apiKey, watch.stored);
		const isCheck = occasion === 'check';
		const isLookedUp = !isCheck || watch.identity === undefined;
		if (isLookedUp) watch.identity = await lookUpChosen(service, watch);
		const { identity } = watch;
		const desired = desiredStateOf(target, parameters.events, identity);
		const goal = { state: 'on', desired, isActivation: !isCheck } as const;
		const outcome = await this.reach(goal, service, target, occasion, async (actions) => {
			const isRestricting = actions.some((action) => restricts(action, goal));
			// The service may accept a restriction to an identity that is gone.
			if (isRestricting && !isLookedUp) await lookUpChosen(service, watch);
			return isCheck ? checks.approve(actions) : actions;
		});
		this.noteRestriction(watch, outcome, goal);
		logFindings(host, occasion, target, outcome);
		watch.stored = toStored(target, desired.url, outcome, identity) ?? watch.stored;
		return outcome;
	}

	/** Pauses the subscription while the chosen identity is gone. Deliveries that still arrive are refused. */
	async pause(host: Host, watch: Watch, occasion: Occasion | 'check'): Promise<void> {
		const { endpoint, listening, stored } = watch;
		watch.identity = undefined;
		this.restrictions.note({ ...endpoint, listening }, { identityId: null });
		const service = host.service(this.patience);
		const { apiKey } = await service.credential();
		const target = targetOf(endpoint, listening, apiKey, stored);
		await this.reach({ state: 'paused' }, service, target, occasion);
	}

	/**
	 * Pauses or deletes the subscription.
	 *
	 * @param told what n8n listened for, if this process knows
	 */
	async bringOff(request: HookRequest, told: Listening | undefined): Promise<void> {
		const { endpoint, stored: known, onDeactivation } = request;
		const { address, webhookPath } = endpoint;
		const service = request.service(this.patience);
		const { apiKey } = await service.credential();
		const isStoredHere = known && pathOf(known.url) === pathOf(address);
		const listening = told ?? (isStoredHere ? known.listening : undefined);
		if (listening === 'test') this.testListening.end(webhookPath);
		if (listening !== undefined) this.restrictions.forget({ ...endpoint, listening });
		// If unknown, only a subscription at exactly this address is changed, as for a test event.
		const target = targetOf(endpoint, listening ?? 'test', apiKey, known);
		const isDeleted = listening === 'test' || onDeactivation === 'delete';
		const goal = { state: isDeleted ? 'absent' : 'paused' } as const;
		const { done } = await this.reach(goal, service, target, 'publish');
		const { stored } = target;
		if (!stored || stored.retired) return;
		const isDone = done.some((action) => 'id' in action && action.id === stored.id);
		if (!isDone && isInAnotherAccount(stored, await service.ownerId())) {
			logFormerAccount(request, stored);
		}
		request.store({ ...stored, retired: true });
	}

	private async reach(
		goal: Goal,
		service: EmailIdentityService,
		target: Target,
		occasion: Occasion | 'check',
		approve?: ReconcileOptions['approve'],
	): Promise<Outcome> {
		return await reconcile(goal, {
			service,
			target,
			writes: this.writesAt(target),
			isLeftBehind: (id, path) => this.testListening.isLeftBehind(id, path, occasion === 'start'),
			approve,
		});
	}

	/**
	 * Fetches a message that does not exist. The error shows whether the service supports fetching single messages. Other errors
	 * are no reason to refuse: each delivery that cannot be verified is logged.
	 *
	 * @throws Error when Verify With the API would refuse every delivery
	 */
	private async checkVerification(host: Host): Promise<void> {
		const service = host.service({ retry: { ...this.patience.retry, attempts: 1 } });
		const failure = await service.getMessage(NO_MESSAGE).catch((error: unknown) => error);
		if (!isRouteMissing(failure)) return;
		throw new Error(
			'This service does not support fetching single messages, so Verify With the API would refuse every email. ' +
				'Turn off Verify With the API in the Advanced settings of the Email Identity Trigger.',
		);
	}

	private noteRestriction(
		{ endpoint, listening, identity }: Watch,
		{ kept, needed, done }: Outcome,
		goal: Extract<Goal, { state: 'on' }>,
	): void {
		const scope = { ...endpoint, listening };
		if (!identity) return this.restrictions.forget(scope);
		const isRestricting = (action: Action) => restricts(action, goal);
		const isRestricted = !needed.some(isRestricting) || done.some(isRestricting);
		const identityId = isRestricted ? goal.desired.identityId : null;
		this.restrictions.note(scope, { identityId, identity, subscriptionId: kept?.id });
	}

	/** Judged by what was stored and what this process wrote, with any API key. */
	mayBeOn({ endpoint, stored }: HookRequest): boolean {
		if (stored && !stored.retired) return true;
		const written = [...this.ownWrites].filter(([key]) => key.startsWith(`${endpoint.address} `));
		return written.some(([, writes]) => writes.mayHaveLeftOneOn());
	}

	private writesAt({ address, secret }: Target): OwnWrites {
		const key = `${address} ${digestSecret(secret)}`;
		const known = this.ownWrites.get(key) ?? new OwnWrites();
		this.ownWrites.set(key, known);
		return known;
	}
}

/** @throws IdentityUnusable when it is missing or belongs to another account; NodeApiError when the request fails */
async function lookUpChosen(
	service: EmailIdentityService,
	{ parameters: { chosen }, identity, stored }: Watch,
): Promise<ReceivingIdentity | undefined> {
	if (chosen === null) return undefined;
	const { id, name } = chosen;
	const former = identity ?? identityOfStored(stored);
	const formerValue = former?.id === id ? former.value : undefined;
	const look = await lookUpIdentity(service, id, formerValue ?? name);
	if ('refusal' in look) throw new IdentityUnusable(look.refusal);
	return { id, value: look.identity.value, isDomain: isDomain(look.identity) };
}

/**
 * The static data for a subscription. It is only a hint: without it, the address and the secret identify the subscription.
 *
 * @returns undefined if there is no subscription
 */
function toStored(
	{ instanceId, address, secret, stored, listening }: Target,
	url: string,
	{ kept }: Outcome,
	identity: ReceivingIdentity | undefined,
): StoredSubscription | undefined {
	if (!kept) return undefined;
	return {
		id: kept.id,
		instanceId,
		url: address,
		ownerId: kept.ownerId ?? stored?.ownerId ?? '',
		workspaceId: kept.workspaceId ?? null,
		secretDigest: digestSecret(secret),
		urlDigest: digestSecret(url),
		listening,
		...storedIdentity(identity),
	};
}

function logFindings(
	host: Host,
	occasion: Occasion | 'check',
	target: Target,
	{ kept }: Outcome,
): void {
	const { stored, address, deliveryUrl, listening } = target;
	if (stored && isInAnotherAccount(stored, kept?.ownerId ?? '')) logFormerAccount(host, stored);
	// n8n's panel shows the URL only while the workflow is edited.
	const isNew = occasion === 'publish' || stored?.url !== address;
	if (usesGateway(target, listening) && isNew) {
		host.log(
			'info',
			`the service delivers to the Delivery URL at ${originOf(deliveryUrl)}. The gateway must forward each ` +
				`delivery, including the query, to ${address}`,
		);
	}
}

function logFormerAccount(host: Host, { id, ownerId }: StoredSubscription): void {
	const user = ownerId === '' ? '' : ` (user ${ownerId})`;
	host.log(
		'warn',
		`the credential now belongs to another account. The trigger can no longer switch off the webhook ${id} of the ` +
			`former account${user}: delete it there.`,
	);
}
