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

/** What is remembered of an active node while n8n runs, for the checks. */
export interface Watch {
	endpoint: Endpoint;
	listening: Listening;
	parameters: SubscriptionParameters;
	stored: StoredSubscription | undefined;
	/** The chosen one, as it was last found; undefined for all, and where it is gone. */
	identity?: ReceivingIdentity;
	/** Whether n8n's log says that the identity is gone. */
	isGoneLogged: boolean;
	checks: Checks;
}

/** n8n 2.x gives a whole publication two minutes, five attempts included. */
const PATIENCE: Partial<RetryPolicy> = {
	attempts: 4,
	total: 8_000,
	firstDelay: 300,
	longestDelay: 3_000,
	timeout: 10_000,
};

/** No message has it (RFC 9562, section 5.4: a random UUID is never all zeros). */
const NO_MESSAGE = '00000000-0000-4000-8000-000000000000';

/** There is no such identity for this API key: the subscription must not deliver for all of them instead. */
export class IdentityUnusable extends Error {
	readonly description: string;

	constructor({ message, description }: Advice) {
		super(message);
		this.description = description;
	}
}

/** The subscriptions of all trigger nodes of a process: each is brought to what its node asks for. */
export class Subscriptions {
	private readonly patience: { retry: Partial<RetryPolicy> };

	readonly testListening: TestListening;

	/** By address and secret: with another account's key other subscriptions are there. */
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
	 * Brings the subscription to what the node asks for.
	 *
	 * The chosen identity is looked up at every activation and start, and by a check when the subscription is not restricted
	 * to it, or it was gone the last time: the usual check costs one request.
	 *
	 * @throws IdentityUnusable when there is no such identity
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
			// The service may take a restriction to an identity that is gone.
			if (isRestricting && !isLookedUp) await lookUpChosen(service, watch);
			return isCheck ? checks.approve(actions) : actions;
		});
		this.noteRestriction(watch, outcome, goal);
		logFindings(host, occasion, target, outcome);
		watch.stored = toStored(target, desired.url, outcome, identity) ?? watch.stored;
		return outcome;
	}

	/** Pauses what would deliver for all identities, as long as the chosen one is gone. Deliveries that come all the same are refused. */
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
	 * Pauses or removes what was listened with.
	 *
	 * @param told what n8n listened for, where this process knows
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
		// Where it is not known, only what is at this very address is touched, as for a test event.
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
	 * Asks for a message that does not exist: how the service says so tells whether it has single messages. Whatever else goes
	 * wrong is no reason to refuse: each delivery that cannot be verified is logged.
	 *
	 * @throws Error when Verify With the API would refuse every delivery
	 */
	private async checkVerification(host: Host): Promise<void> {
		const service = host.service({ retry: { ...this.patience.retry, attempts: 1 } });
		const failure = await service.getMessage(NO_MESSAGE).catch((error: unknown) => error);
		if (!isRouteMissing(failure)) return;
		throw new Error(
			'This service cannot give single messages, so Verify With the API would refuse every email. ' +
				'Switch Verify With the API off in the options of the Email Identity Trigger.',
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

	/** By what was stored and what this process wrote, whatever the API key was then. */
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

/** @throws IdentityUnusable when it is not there, or another account's; NodeApiError when the service can't be asked */
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
 * What static data keep of a subscription. It is a hint: without it everything is found again by the
 * address and the secret.
 *
 * @returns undefined when there is no subscription
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
	// n8n's panel shows the address only while the node is built.
	const isNew = occasion === 'publish' || stored?.url !== address;
	if (usesGateway(target, listening) && isNew) {
		host.log(
			'info',
			`the service delivers to the Delivery URL at ${originOf(deliveryUrl)}. The gateway there has to ` +
				`hand on each delivery, with its query, to ${address}`,
		);
	}
}

function logFormerAccount(host: Host, { id, ownerId }: StoredSubscription): void {
	const user = ownerId === '' ? '' : ` (user ${ownerId})`;
	host.log(
		'warn',
		`the credential belongs to another account now. The webhook subscription ${id} of the former account${user} ` +
			'can no longer be switched off from here: delete it there.',
	);
}
