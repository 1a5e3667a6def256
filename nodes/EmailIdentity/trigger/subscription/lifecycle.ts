import { isRouteMissing, lacksRight, statusOf } from '../../api/errors';
import type { RetryPolicy } from '../../api/retry';
import type { EmailIdentityService } from '../../api/service';
import type { Advice } from '../../api/types';
import { createKeyedQueue } from '../../lib/concurrency';
import { pathOf } from '../../lib/hosts';
import { lookUpIdentity } from '../../shared/chosenIdentity';
import { isDomain } from '../../shared/identityKinds';
import type { SubscriptionParameters } from '../parameters';
import { Restrictions, type ReceivingIdentity } from '../restriction';
import { SampleListening } from '../sample/sampleListening';
import { digestSecret, type Listening } from '../secret';
import {
	identityOfStored,
	isInAnotherAccount,
	isSameStored,
	storedIdentity,
	type StoredSubscription,
} from '../staticData';
import { nodeKey, usesGateway, type Endpoint } from './address';
import { Checks, everyMinute } from './checks';
import {
	addressRefusal,
	type HookOccasion,
	type HookRequest,
	type Host,
	type TriggerRequest,
} from './hookRequest';
import { explain, logMessages, refusals } from './logMessages';
import { OwnWrites, TestListening } from './memory';
import { targetOf, type IsLeftBehind, type Target } from './observe';
import { desiredStateOf, restricts, type Action, type DesiredState } from './plan';
import { reconcile, type Outcome } from './reconcile';

export interface LifecycleOptions {
	/** What differs from the patience of a lifecycle hook. */
	retry?: Partial<RetryPolicy>;
	/** Milliseconds since 1970. */
	now?: () => number;
	/** What deliveries go by. */
	restrictions?: Restrictions;
}

type Occasion = HookOccasion | 'check';

/** What this n8n was last asked to listen for at an address. */
interface Listener {
	listening: Listening;
	/** Whose node it is; undefined once it is over. */
	workflowId: string | undefined;
}

/** What is remembered of an active node while n8n runs, for the checks. */
interface Watch {
	endpoint: Endpoint;
	listening: Listening;
	parameters: SubscriptionParameters;
	stored: StoredSubscription | undefined;
	/** The chosen one, as the last look that found it showed it; undefined for all, and where it is gone. */
	identity: ReceivingIdentity | undefined;
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

/** There is nothing to be repaired as long as an identity is gone. */
const NOTHING = { needed: [], done: [], refused: [] };

/** No message has it (RFC 9562, section 5.4: a random UUID is never all zeros). */
const NO_MESSAGE = '00000000-0000-4000-8000-000000000000';

/** There is no such identity for this API key: the subscription must not deliver for all of them instead. */
class IdentityUnusable extends Error {
	readonly description: string;

	constructor({ message, description }: Advice) {
		super(message);
		this.description = description;
	}
}

/**
 * What a trigger node does when n8n calls its hooks, to keep its subscription right.
 *
 * | n8n calls | when | then the goal is |
 * | --- | --- | --- |
 * | `checkExists` | before `create` | none, it answers no: `create` looks for itself, and asking twice would be one request more |
 * | `create` | activation, or an edit of an active workflow | on; a failure is thrown, n8n then calls `delete` |
 * | `create`, at a start | n8n starts, or becomes the leader | on; paused where the chosen identity is gone. A failure is logged: throwing would make n8n take down its own address, while the subscription goes on delivering |
 * | `create`, mode manual | listening for a test event | on, for a subscription of its own at the test address; with Use Sample Email there is none, see `SampleListening` |
 * | `trigger` | beside `create`, in any order | registers the check, at intervals and for a delivery that found the restriction lost: on; paused where the chosen identity is gone |
 * | `delete` | deactivation, before an edit, after a failed activation, after a test event | paused, or absent if so chosen, and for a test event; a failure is logged: n8n 1.x would keep its own address alive, and both lines deactivate anyway |
 * | `delete`, for a copy | it has the webhook ID of another workflow, and could not be published beside that | none: all that is there is the other one's |
 */
export class Lifecycle {
	private readonly patience: { retry: Partial<RetryPolicy> };

	private readonly now: () => number;

	private readonly restrictions: Restrictions;

	/**
	 * By address. n8n may call hooks of one node while an earlier one still waits for the service (cancelling
	 * a test event while it is being set up, switching off while the check runs).
	 */
	private readonly inQueue = createKeyedQueue();

	/** The active nodes of this process, see `nodeKey`. */
	private readonly watches = new Map<string, Watch>();

	/** By address: `delete` is not told what n8n listened for. */
	private readonly listeners = new Map<string, Listener>();

	private readonly testListening: TestListening;

	private readonly sampleListening = new SampleListening();

	/** Addresses whose activation failed before anything was made. n8n tries several times and takes down each time. */
	private readonly neverMade = new Set<string>();

	/** By address and secret: with another account's key other subscriptions are there. */
	private readonly ownWrites = new Map<string, OwnWrites>();

	constructor({ retry, now = Date.now, restrictions = new Restrictions() }: LifecycleOptions = {}) {
		this.patience = { retry: { ...PATIENCE, ...retry } };
		this.now = now;
		this.restrictions = restrictions;
		this.testListening = new TestListening(now);
	}

	/**
	 * For an activation, and for a test event to come.
	 *
	 * @throws NodeOperationError that says in one line what happened and what to do; never at a start
	 */
	async create(request: HookRequest): Promise<true> {
		const { endpoint, listening, workflowId } = request;
		const { address, webhookPath } = endpoint;
		if (listening === 'test' && request.useSampleEmail) {
			await this.sampleListening.begin(request);
			return true;
		}
		// n8n does not always call `delete` for the sample email that was listened for there before.
		this.sampleListening.end(address);
		this.listeners.set(address, { listening, workflowId });
		if (listening === 'test') this.testListening.begin(webhookPath);
		let watch: Watch | undefined;
		try {
			await this.inQueue(address, async () => {
				watch = this.beginWatch(request);
				await this.activate(request, watch);
			});
			this.neverMade.delete(address);
		} catch (error) {
			const isForbidden = statusOf(error) === 403 && !lacksRight(error);
			const isIdentityRefused = isForbidden && !!watch?.parameters.chosen;
			const reason = isIdentityRefused ? refusals.foreignIdentity : explain(error);
			if (request.occasion === 'publish') {
				this.endWatch(endpoint);
				if (!this.mayBeOn(request)) this.neverMade.add(address);
				throw request.failure(reason);
			}
			request.log('error', logMessages.unchecked(endpoint, reason));
			watch?.checks.failed(this.now());
		}
		return true;
	}

	/** For the end of listening, for mail or for a test event. Never throws. */
	async remove(request: HookRequest): Promise<true> {
		const { endpoint } = request;
		const { address } = endpoint;
		if (this.sampleListening.end(address)) return true;
		if (this.isAnothers(request)) return true;
		const listener = this.listeners.get(address);
		if (listener) listener.workflowId = undefined;
		this.endWatch(endpoint);
		try {
			await this.inQueue(address, async () => {
				// Again: an activation may have been waiting before this.
				this.endWatch(endpoint);
				await this.deactivate(request);
			});
		} catch (error) {
			if (!this.neverMade.has(address)) {
				request.log('warn', logMessages.stillOn(endpoint, explain(error)));
			}
		}
		return true;
	}

	/** Registers the check with n8n's scheduler, which forgets it on deactivation. */
	trigger(request: TriggerRequest): void {
		const { node, checkEvery } = request;
		if (!request.isActive) return;
		const key = nodeKey(node);
		this.restrictions.repairBy({ ...node, listening: 'production' }, () => {
			void this.check(request, key, true);
		});
		if (checkEvery > 0) {
			// n8n does not wait for it.
			request.schedule(
				{ expression: everyMinute(key) },
				async () => await this.check(request, key, false),
			);
		}
	}

	private async activate(request: HookRequest, watch: Watch): Promise<void> {
		const { endpoint, occasion } = request;
		const isStart = occasion !== 'publish';
		const outcome = isStart
			? await this.bringOnOrPause(request, watch, occasion)
			: await this.bringOn(request, watch, occasion);
		const { stored } = watch;
		if (stored && !isSameStored(stored, request.stored)) request.store(stored);
		if (isStart && outcome && outcome.done.length > 0) {
			request.log('info', logMessages.repaired(endpoint, outcome.kept?.id, outcome.done));
		}
	}

	/** Looks at the subscription of an active node when that is due, and repairs it. Never throws. */
	private async check(host: Host, key: string, isHurried: boolean): Promise<void> {
		const watch = this.watches.get(key);
		if (!watch) return;
		const { endpoint, checks } = watch;
		if (!(isHurried ? checks.hurry(this.now()) : checks.begin(this.now()))) return;
		await this.inQueue(endpoint.address, async () => {
			// Switched off, or activated anew, while this waited.
			if (this.watches.get(key) !== watch) return;
			try {
				const outcome = await this.bringOnOrPause(host, watch, 'check');
				if (!outcome) return;
				watch.isGoneLogged = false;
				const unlogged = checks.looked(outcome, this.now());
				if (unlogged.length > 0) host.log('warn', logMessages.noEffect(endpoint, unlogged));
				if (outcome.done.length > 0) {
					host.log('info', logMessages.repaired(endpoint, outcome.kept?.id, outcome.done));
				}
			} catch (error) {
				checks.failed(this.now());
				host.log('warn', logMessages.unchecked(endpoint, explain(error)));
			}
		});
	}

	/**
	 * Where nobody waits in the editor: as long as the chosen identity is gone, what would deliver for all identities is
	 * paused, and deliveries that come all the same are refused.
	 *
	 * @returns undefined where it is paused
	 */
	private async bringOnOrPause(
		host: Host,
		watch: Watch,
		occasion: Occasion,
	): Promise<Outcome | undefined> {
		const bringing = this.bringOn(host, watch, occasion);
		return await bringing.catch(async (error: unknown) => {
			if (!(error instanceof IdentityUnusable)) throw error;
			await this.pause(host, watch, occasion);
			if (!watch.isGoneLogged) {
				host.log('error', logMessages.identityGone(watch.endpoint, explain(error)));
			}
			watch.isGoneLogged = true;
			return undefined;
		});
	}

	private async pause(host: Host, watch: Watch, occasion: Occasion): Promise<void> {
		const { endpoint, listening, stored, checks } = watch;
		watch.identity = undefined;
		this.restrictions.note({ ...endpoint, listening }, { identityId: null });
		const service = host.service(this.patience);
		const { apiKey } = await service.credential();
		const target = targetOf(endpoint, listening, apiKey, stored);
		const writes = this.writesAt(target);
		const isLeftBehind = this.leftBehind(occasion);
		const options = { service, target, writes, isLeftBehind, now: this.now };
		const { listFailure } = await reconcile({ state: 'paused' }, options);
		if (listFailure !== undefined) throw listFailure;
		checks.looked(NOTHING, this.now());
	}

	/**
	 * Brings the subscription to what the node asks for, and says what only n8n's log can.
	 *
	 * The chosen identity is looked up at every activation and start, and by a check when the subscription is not restricted
	 * to it, or it was gone the last time: the usual check costs one request.
	 *
	 * @throws IdentityUnusable when there is no such identity
	 */
	private async bringOn(host: Host, watch: Watch, occasion: Occasion): Promise<Outcome> {
		const { endpoint, listening, parameters, checks } = watch;
		const service = host.service(this.patience);
		const { apiKey, allowPrivateWebhookUrls } = await service.credential();
		const refusal = addressRefusal(endpoint, listening, allowPrivateWebhookUrls);
		if (refusal !== undefined) throw new Error(refusal);
		if (occasion === 'publish' && parameters.verify) await this.checkVerification(host);
		const target = { ...targetOf(endpoint, listening, apiKey, watch.stored), listening };
		const isLookedUp = occasion !== 'check' || watch.identity === undefined;
		if (isLookedUp) watch.identity = await lookUpChosen(service, watch);
		const { identity } = watch;
		const desired = desiredStateOf(target, parameters.events, identity);
		const outcome = await reconcile(
			{ state: 'on', desired, isActivation: occasion !== 'check' },
			{
				service,
				target,
				writes: this.writesAt(target),
				isLeftBehind: this.leftBehind(occasion),
				verifiesUrl: occasion === 'publish',
				confirmIdentity: async () => {
					if (!isLookedUp) await lookUpChosen(service, watch);
				},
				approve: (actions) => (occasion === 'check' ? checks.approve(actions) : actions),
				now: this.now,
			},
		);
		this.noteRestriction(watch, outcome, desired);
		this.logFindings(host, occasion, target, outcome);
		watch.stored = toStored(target, desired, outcome, identity) ?? watch.stored;
		return outcome;
	}

	private async deactivate(request: HookRequest): Promise<void> {
		const { endpoint, stored: known, onDeactivation } = request;
		const { address, webhookPath } = endpoint;
		const service = request.service(this.patience);
		const { apiKey } = await service.credential();
		const isStoredHere = known && pathOf(known.url) === pathOf(address);
		const listening =
			this.listeners.get(address)?.listening ?? (isStoredHere ? known.listening : undefined);
		if (listening === 'test') this.testListening.end(webhookPath);
		if (listening !== undefined) this.restrictions.forget({ ...endpoint, listening });
		const target = targetOf(endpoint, listening, apiKey, known);
		const isDeleted = listening === 'test' || onDeactivation === 'delete';
		const { found, listFailure } = await reconcile(
			{ state: isDeleted ? 'absent' : 'paused' },
			{
				service,
				target,
				writes: this.writesAt(target),
				isLeftBehind: () => false,
				now: this.now,
			},
		);
		if (listFailure !== undefined && !this.neverMade.has(address)) {
			request.log('warn', logMessages.unlisted(endpoint, explain(listFailure)));
		}
		const { stored } = target;
		if (!stored || stored.retired) return;
		if (!found.includes(stored.id) && isInAnotherAccount(stored, await service.ownerId())) {
			request.log('warn', logMessages.formerAccount(endpoint, stored));
		}
		request.store({ ...stored, retired: true });
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
		if (isRouteMissing(failure)) throw new Error(refusals.cannotVerify);
	}

	/** A service that tells of no subscription what it is restricted to is believed to keep what it was given. */
	private noteRestriction(
		{ endpoint, listening, identity, checks }: Watch,
		{ kept, needed, done, tellsIdentities }: Outcome,
		desired: DesiredState,
	): void {
		const scope = { ...endpoint, listening };
		if (!identity) return this.restrictions.forget(scope);
		const isHeld = (action: Action) =>
			!restricts(action, desired) ||
			done.includes(action) ||
			(checks.hadNoEffect(action) && !tellsIdentities);
		const holds = needed.every(isHeld) || done.some((action) => restricts(action, desired));
		const subscriptionId = kept?.id;
		const identityId = holds ? desired.identityId : null;
		this.restrictions.note(scope, { identityId, identity, subscriptionId });
	}

	private logFindings(
		host: Host,
		occasion: Occasion,
		target: Target,
		{ kept, refused, neighbours }: Outcome,
	): void {
		const { stored, address, listening } = target;
		if (stored && isInAnotherAccount(stored, kept?.ownerId ?? '')) {
			host.log('warn', logMessages.formerAccount(target, stored));
		}
		if (usesGateway(target, listening)) {
			// n8n's panel shows the address only while the node is built.
			if (occasion === 'publish' || stored?.url !== address) {
				host.log('info', logMessages.handsOn(target));
			}
			if (occasion === 'publish' && neighbours.length > 0) {
				host.log('warn', logMessages.sharedGateway(target, neighbours));
			}
		}
		if (refused.length > 0) host.log('warn', logMessages.refused(target, refused));
	}

	private beginWatch(request: HookRequest): Watch {
		const { endpoint, listening, occasion, stored } = request;
		const parameters = request.parameters(occasion === 'publish');
		const checks = new Checks(parameters.checkEvery, this.now());
		const nothingYet = { identity: undefined, isGoneLogged: false };
		const watch = { endpoint, listening, parameters, stored, checks, ...nothingYet };
		if (listening === 'production') this.watches.set(nodeKey(endpoint), watch);
		return watch;
	}

	/** No check begins after this. Test events have another address, and leave the watch alone. */
	private endWatch(endpoint: Endpoint): void {
		const key = nodeKey(endpoint);
		if (this.watches.get(key)?.endpoint.address === endpoint.address) this.watches.delete(key);
	}

	/**
	 * Whether the address is in use by another workflow. A copy that was imported or pasted has the webhook ID of its original,
	 * so the same address and secrets; n8n publishes one of them only, and calls `delete` for the other one all the same. One that
	 * stored a subscription was published, by another main: what this one remembers is out of date then.
	 */
	private isAnothers({ endpoint, workflowId, stored }: HookRequest): boolean {
		const listener = this.listeners.get(endpoint.address)?.workflowId;
		if (listener === undefined || listener === workflowId) return false;
		return stored?.instanceId !== endpoint.instanceId || stored.retired === true;
	}

	/** By what was stored and what this process wrote, whatever the API key was then. */
	private mayBeOn({ endpoint, stored }: HookRequest): boolean {
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

	/** Nobody can be listening for a test event when n8n has only just started. */
	private leftBehind(occasion: Occasion): IsLeftBehind {
		return (id, path) => this.testListening.isLeftBehind(id, path, occasion === 'start');
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
	{ instanceId, address, secret, stored, listening }: Target & { listening: Listening },
	{ url }: DesiredState,
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
