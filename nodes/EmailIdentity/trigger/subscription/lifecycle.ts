import {
	NodeOperationError,
	type IHookFunctions,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';
import { lacksRight, statusOf } from '../../api/errors';
import type { RetryPolicy } from '../../api/retry';
import { createService } from '../../api/service';
import { createKeyedQueue } from '../../lib/concurrency';
import { pathOf } from '../../lib/hosts';
import { readRetirement, readSubscriptionParameters } from '../parameters';
import { readOptions } from '../options';
import { Restrictions } from '../restriction';
import { SampleListening } from '../sample/sampleListening';
import { digestSecret, type Listening } from '../secret';
import { triggerStaticData } from '../staticData';
import { bringAbout, withhold, type BringAboutOptions, type Occasion } from './bringAbout';
import { everyMinute } from './checks';
import { nodeKey, readEndpoint, readNodeIdentity, type Endpoint } from './endpoint';
import { explain, logMessages, refusals } from './logMessages';
import type { TestSubscription } from './observedState';
import { OwnWrites } from './ownWrites';
import { IdentityUnusable } from './preconditions';
import { isInAnotherAccount, isSameStored } from './storedSubscription';
import { targetOf, type Target } from './target';
import { tearDown } from './teardown';
import { TestListening } from './testListening';
import { Watches, type Watch } from './watch';

export interface LifecycleOptions {
	/** What differs from the patience of a lifecycle hook. */
	retry?: Partial<RetryPolicy>;
	/** Shared with what takes deliveries. */
	restrictions?: Restrictions;
	/** Milliseconds since 1970. */
	now?: () => number;
}

/** What this n8n was last asked to listen for at an address. */
interface Listener {
	listening: Listening;
	/** Whose node it is; undefined once it is over. */
	workflowId: string | undefined;
}

/** n8n 2.x gives a whole publication two minutes, five attempts included. */
const PATIENCE: Partial<RetryPolicy> = {
	attempts: 4,
	total: 8_000,
	firstDelay: 300,
	longestDelay: 3_000,
	timeout: 10_000,
};

/** There is nothing to be mended as long as an identity is gone. */
const NOTHING = { needed: [], done: [], refused: [] };

/** n8n comes up with workflows that were active before. */
const STARTS: ReadonlySet<string> = new Set(['init', 'leadershipChange']);

/**
 * What a trigger node does when n8n calls its hooks, to keep its subscription right.
 *
 * | n8n calls | when | what is done |
 * | --- | --- | --- |
 * | `checkExists` | before `create` | nothing, it answers no: `create` looks for itself, and asking twice would be one request more |
 * | `create` | activation, or an edit of an active workflow | reconcile; a failure is thrown, n8n then calls `delete` |
 * | `create`, at a start | n8n starts, or becomes the leader | reconcile; a failure is logged: throwing would make n8n take down its own address, while the subscription goes on delivering |
 * | `create`, mode manual | listening for a test event | reconcile one of its own at the test address; with Use Sample Email none, see `SampleListening` |
 * | `trigger` | beside `create`, in any order | registers the check at intervals |
 * | `delete` | deactivation, before an edit, after a failed activation, after a test event | tear down; a failure is logged: n8n 1.x would keep its own address alive, and both lines deactivate anyway |
 * | `delete`, for a copy | it has the webhook ID of another workflow, and could not be published beside that | nothing: all that is there is the other one's |
 */
export function createLifecycle({
	retry,
	restrictions = new Restrictions(),
	now = Date.now,
}: LifecycleOptions = {}) {
	const patience = { retry: { ...PATIENCE, ...retry } };
	/**
	 * By address. n8n may call hooks of one node while an earlier one still waits for the service (cancelling
	 * a test event while it is being set up, switching off while the check runs).
	 */
	const inQueue = createKeyedQueue();
	const watches = new Watches();
	/** By address: `delete` is not told what n8n listened for. */
	const listeners = new Map<string, Listener>();
	const testListening = new TestListening(now);
	const sampleListening = new SampleListening();
	/** Addresses whose activation failed before anything was made. n8n tries several times and takes down each time. */
	const neverMade = new Set<string>();
	/** By address and API key: with another account's key other subscriptions are there. */
	const ownWrites = new Map<string, OwnWrites>();
	const shared = { patience, ownWritesAt, restrictions, now };

	/**
	 * For an activation, and for a test event to come.
	 *
	 * @throws NodeOperationError that says in one line what happened and what to do; never at a start
	 */
	async function create(context: IHookFunctions): Promise<boolean> {
		const listening: Listening = context.getMode() === 'manual' ? 'test' : 'production';
		const endpoint = readEndpoint(context);
		if (listening === 'test' && readOptions(context).useSampleEmail) {
			await sampleListening.begin(context, endpoint.address);
			return true;
		}
		// n8n does not always call `delete` for the sample email that was listened for there before.
		sampleListening.end(endpoint.address);
		listeners.set(endpoint.address, { listening, workflowId: context.getWorkflow().id });
		if (listening === 'test') testListening.begin(endpoint.webhookPath);
		const isStart = STARTS.has(context.getActivationMode());
		let watch: Watch | undefined;
		try {
			await inQueue(endpoint.address, async () => {
				watch = watches.begin(context, endpoint, now());
				if (listening === 'production') watches.keep(watch);
				const activating = activate(context, watch, listening, isStart ? 'start' : 'publish');
				const isLeftBehind = leftBehindAt(context);
				await (isStart ? orWithhold(context, watch, { isLeftBehind }, activating) : activating);
			});
			neverMade.delete(endpoint.address);
		} catch (error) {
			const isForbidden = statusOf(error) === 403 && !lacksRight(error);
			const isIdentityRefused = isForbidden && !!watch?.parameters.chosen;
			const reason = isIdentityRefused ? refusals.foreignIdentity : explain(error);
			if (!isStart) {
				watches.end(endpoint);
				if (!mayBeOn(context, endpoint)) neverMade.add(endpoint.address);
				throw new NodeOperationError(context.getNode(), reason);
			}
			context.logger.error(logMessages.unchecked(endpoint, reason));
			watch?.checks.failed(now());
		}
		return true;
	}

	async function activate(
		context: IHookFunctions,
		watch: Watch,
		listening: Listening,
		occasion: Occasion,
	): Promise<void> {
		const { id, stored, done } = await bringAbout(context, watch, {
			...shared,
			listening,
			occasion,
			isLeftBehind: leftBehindAt(context),
		});
		if (stored && !isSameStored(stored, watch.stored)) {
			triggerStaticData(context).subscription = stored;
			watch.stored = stored;
		}
		if (occasion === 'start' && done.length > 0) {
			context.logger.info(logMessages.mended(watch.endpoint, id, done));
		}
	}

	/** Nobody can be listening for a test event when n8n has only just started. */
	function leftBehindAt(context: IHookFunctions): BringAboutOptions['isLeftBehind'] {
		const isStartOfN8n = context.getActivationMode() === 'init';
		return (test) => testListening.isLeftBehind(test, isStartOfN8n);
	}

	/** Where nobody waits in the editor: an identity that is gone pauses the subscription until it is back. */
	async function orWithhold(
		context: IHookFunctions | ITriggerFunctions,
		watch: Watch,
		{ isLeftBehind }: Pick<BringAboutOptions, 'isLeftBehind'>,
		work: Promise<void>,
	): Promise<void> {
		await work.catch(async (error: unknown) => {
			if (!(error instanceof IdentityUnusable)) return await Promise.reject(error);
			await withhold(context, watch, { ...shared, isLeftBehind });
			watch.checks.looked(NOTHING, now());
			if (!watch.isGoneTold) {
				context.logger.error(logMessages.identityGone(watch.endpoint, explain(error)));
			}
			watch.isGoneTold = true;
		});
	}

	/** For the end of listening, whatever it was for. Never throws. */
	async function remove(context: IHookFunctions): Promise<boolean> {
		const endpoint = readEndpoint(context);
		if (sampleListening.end(endpoint.address)) return true;
		if (isAnothers(context, endpoint)) return true;
		const listener = listeners.get(endpoint.address);
		if (listener) listener.workflowId = undefined;
		watches.end(endpoint);
		try {
			await inQueue(endpoint.address, async () => {
				// Again: an activation may have been waiting before this.
				watches.end(endpoint);
				await deactivate(context, endpoint);
			});
		} catch (error) {
			if (!neverMade.has(endpoint.address)) {
				context.logger.warn(logMessages.stillOn(endpoint, explain(error)));
			}
		}
		return true;
	}

	/**
	 * Whether the address is in use by another workflow. A copy that was imported or pasted has the webhook ID of its original,
	 * so the same address and secrets; n8n publishes one of them only, and calls `delete` for the other one all the same. One that
	 * stored a subscription was published, by another main: what this one remembers is out of date then.
	 */
	function isAnothers(context: IHookFunctions, { address, instanceId }: Endpoint): boolean {
		const { workflowId } = listeners.get(address) ?? {};
		if (workflowId === undefined || workflowId === context.getWorkflow().id) return false;
		const stored = triggerStaticData(context).subscription;
		return stored?.instanceId !== instanceId || stored.retired === true;
	}

	/** By what was stored and what this process wrote, whatever the API key was then. */
	function mayBeOn(context: IHookFunctions, { address }: Endpoint): boolean {
		const stored = triggerStaticData(context).subscription;
		if (stored && !stored.retired) return true;
		const written = [...ownWrites].filter(([key]) => key.startsWith(`${address} `));
		return written.some(([, writes]) => writes.mayHaveLeftOneOn());
	}

	async function deactivate(context: IHookFunctions, endpoint: Endpoint): Promise<void> {
		const staticData = triggerStaticData(context);
		const service = createService(context, patience);
		const { apiKey } = await service.credential();
		const target = targetOf(endpoint, apiKey, staticData.subscription);
		const { stored } = target;
		const isStoredHere = stored && pathOf(stored.url) === pathOf(endpoint.address);
		const listening =
			listeners.get(endpoint.address)?.listening ?? (isStoredHere ? stored.listening : undefined);
		if (listening === 'test') testListening.end(endpoint.webhookPath);
		if (listening !== undefined) restrictions.forget({ ...endpoint, listening });
		const { found, listFailure } = await tearDown(service, {
			target,
			listening,
			retirement: readRetirement(context),
			ownWrites: ownWritesAt(target),
		});
		if (listFailure !== undefined && !neverMade.has(endpoint.address)) {
			context.logger.warn(logMessages.unlisted(endpoint, explain(listFailure)));
		}
		if (!stored || stored.retired || stored.listening !== listening) return;
		if (!found.includes(stored.id)) {
			if (isInAnotherAccount(stored, await service.ownerId())) {
				context.logger.warn(logMessages.formerAccount(endpoint, stored));
			}
		}
		staticData.subscription = { ...stored, retired: true };
	}

	/** Registers the check at intervals with n8n's scheduler, which forgets it on deactivation. */
	async function trigger(context: ITriggerFunctions): Promise<ITriggerResponse> {
		if (context.getMode() !== 'manual' && readSubscriptionParameters(context).checkEvery > 0) {
			const key = nodeKey(readNodeIdentity(context));
			// n8n does not wait for it.
			context.helpers.registerCron(
				{ expression: everyMinute(key) },
				async () => await check(context, key),
			);
		}
		return {};
	}

	/** Looks at the subscription of an active node when that is due, and mends it. Never throws. */
	async function check(context: ITriggerFunctions, key: string): Promise<void> {
		const watch = watches.of(key);
		if (!watch?.checks.begin(now())) return;
		await inQueue(watch.endpoint.address, async () => {
			// Switched off, or activated anew, while this waited.
			if (watches.of(key) !== watch) return;
			try {
				const isLeftBehind = stillLeftBehind;
				await orWithhold(context, watch, { isLeftBehind }, lookAndMend(context, watch));
			} catch (error) {
				watch.checks.failed(now());
				context.logger.warn(logMessages.unchecked(watch.endpoint, explain(error)));
			}
		});
	}

	function stillLeftBehind(test: TestSubscription): boolean {
		return testListening.isLeftBehind(test, false);
	}

	async function lookAndMend(context: ITriggerFunctions, watch: Watch): Promise<void> {
		const { endpoint, checks } = watch;
		const result = await bringAbout(context, watch, {
			...shared,
			listening: 'production',
			occasion: 'check',
			isLeftBehind: stillLeftBehind,
			approve: (actions) => checks.approve(actions),
			isFutile: (action) => checks.isFutile(action),
		});
		watch.stored = result.stored ?? watch.stored;
		watch.isGoneTold = false;
		const futile = checks.looked(result, now());
		if (futile.length > 0) context.logger.warn(logMessages.futile(endpoint, futile));
		if (result.done.length > 0) {
			context.logger.info(logMessages.mended(endpoint, result.id, result.done));
		}
	}

	function ownWritesAt({ address, secrets }: Target): OwnWrites {
		const key = `${address} ${digestSecret(secrets.production)}`;
		const known = ownWrites.get(key) ?? new OwnWrites();
		ownWrites.set(key, known);
		return known;
	}

	return { create, remove, trigger };
}
