import {
	NodeOperationError,
	type IHookFunctions,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';
import { statusOf } from '../../api/errors';
import type { RetryPolicy } from '../../api/retryPolicy';
import { createService } from '../../api/service';
import { webhookUrlProblem } from '../../api/webhookUrl';
import { createKeyedQueue } from '../../shared/keyedQueue';
import { pathOf } from '../../shared/urlEquality';
import {
	readRetirement,
	readSubscriptionParameters,
	type SubscriptionParameters,
} from '../parameters';
import { digestSecret, type Listening } from '../secret';
import { triggerStaticData, type StoredSubscription } from '../staticData';
import { Checks, everyMinute } from './checks';
import { desiredStateOf } from './desiredState';
import { explain, logMessages, refusals } from './logMessages';
import { OwnWrites } from './ownWrites';
import { reconcile, type Reconciliation, type ReconcileOptions } from './reconcile';
import { isInAnotherAccount, isSameStored, toStored } from './storedSubscription';
import {
	nodeKey,
	readEndpoint,
	readNodeIdentity,
	targetOf,
	type Endpoint,
	type Target,
} from './target';
import { tearDown } from './teardown';
import { TestListening } from './testListening';

export interface LifecycleOptions {
	/** What differs from the patience of a lifecycle hook. */
	retry?: Partial<RetryPolicy>;
	/** Milliseconds since 1970. */
	now?: () => number;
}

/** What is remembered of an active node while n8n runs, for the check at intervals. */
interface Watch {
	endpoint: Endpoint;
	parameters: SubscriptionParameters;
	stored: StoredSubscription | undefined;
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
 * | `create`, mode manual | listening for a test event | reconcile one of its own at the test address |
 * | `trigger` | beside `create`, in any order | registers the check at intervals |
 * | `delete` | deactivation, before an edit, after a failed activation, after a test event | tear down; a failure is logged: n8n 1.x would keep its own address alive, and both lines deactivate anyway |
 */
export function createLifecycle({ retry, now = Date.now }: LifecycleOptions = {}) {
	const patience = { retry: { ...PATIENCE, ...retry } };
	/**
	 * By address. n8n may call hooks of one node while an earlier one still waits for the service (cancelling
	 * a test event while it is being set up, switching off while the check runs).
	 */
	const inQueue = createKeyedQueue();
	/** By node. */
	const watches = new Map<string, Watch>();
	/** By address, what this n8n was asked to listen for: `delete` is not told. */
	const listenedFor = new Map<string, Listening>();
	const testListening = new TestListening(now);
	/** By address and API key: with another account's key other subscriptions are there. */
	const ownWrites = new Map<string, OwnWrites>();

	/**
	 * For an activation, and for a test event to come.
	 *
	 * @throws NodeOperationError that says in one line what happened and what to do; never at a start
	 */
	async function create(context: IHookFunctions): Promise<boolean> {
		const listening: Listening = context.getMode() === 'manual' ? 'test' : 'production';
		const endpoint = readEndpoint(context);
		listenedFor.set(endpoint.address, listening);
		if (listening === 'test') testListening.begin(endpoint.webhookPath);
		let watch: Watch | undefined;
		try {
			await inQueue(endpoint.address, async () => {
				watch = beginWatch(context, endpoint);
				if (listening === 'production') watches.set(nodeKey(endpoint), watch);
				await activate(context, watch, listening);
			});
		} catch (error) {
			const isIdentityRefused = statusOf(error) === 403 && !!watch?.parameters.identityId;
			const reason = isIdentityRefused ? refusals.foreignIdentity : explain(error);
			if (!STARTS.has(context.getActivationMode())) {
				endWatch(endpoint);
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
	): Promise<void> {
		const activation = context.getActivationMode();
		const isStart = STARTS.has(activation);
		const { id, stored, done } = await bringAbout(context, watch, listening, {
			isActivation: true,
			verifiesUrl: !isStart,
			// Nobody can be listening for a test event when n8n has only just started.
			isLeftBehind: (test) => testListening.isLeftBehind(test, activation === 'init'),
		});
		if (stored && !isSameStored(stored, watch.stored)) {
			triggerStaticData(context).subscription = stored;
			watch.stored = stored;
		}
		if (isStart && done.length > 0) {
			context.logger.info(logMessages.mended(watch.endpoint, id, done));
		}
	}

	/** For the end of listening, whatever it was for. Never throws. */
	async function remove(context: IHookFunctions): Promise<boolean> {
		const endpoint = readEndpoint(context);
		endWatch(endpoint);
		try {
			await inQueue(endpoint.address, async () => {
				// Again: an activation may have been waiting before this.
				endWatch(endpoint);
				await deactivate(context, endpoint);
			});
		} catch (error) {
			context.logger.warn(logMessages.stillOn(endpoint, explain(error)));
		}
		return true;
	}

	async function deactivate(context: IHookFunctions, endpoint: Endpoint): Promise<void> {
		const staticData = triggerStaticData(context);
		const service = createService(context, patience);
		const { apiKey } = await service.credential();
		const target = targetOf(endpoint, apiKey, staticData.subscription);
		const { stored } = target;
		const isStoredHere = stored && pathOf(stored.url) === pathOf(endpoint.address);
		const listening =
			listenedFor.get(endpoint.address) ?? (isStoredHere ? stored.listening : undefined);
		if (listening === 'test') testListening.end(endpoint.webhookPath);
		const { found, listFailure } = await tearDown(service, {
			target,
			listening,
			retirement: readRetirement(context),
			ownWrites: ownWritesAt(target),
		});
		if (listFailure !== undefined) {
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
		const watch = watches.get(key);
		if (!watch?.checks.begin(now())) return;
		await inQueue(watch.endpoint.address, async () => {
			// Switched off, or activated anew, while this waited.
			if (watches.get(key) !== watch) return;
			try {
				await lookAndMend(context, watch);
			} catch (error) {
				watch.checks.failed(now());
				context.logger.warn(logMessages.unchecked(watch.endpoint, explain(error)));
			}
		});
	}

	async function lookAndMend(context: ITriggerFunctions, watch: Watch): Promise<void> {
		const { endpoint, checks } = watch;
		const result = await bringAbout(context, watch, 'production', {
			isActivation: false,
			verifiesUrl: false,
			isLeftBehind: (test) => testListening.isLeftBehind(test, false),
			approve: (actions) => checks.approve(actions),
		});
		watch.stored = result.stored ?? watch.stored;
		const futile = checks.looked(result, now());
		if (futile.length > 0) context.logger.warn(logMessages.futile(endpoint, futile));
		if (result.done.length > 0) {
			context.logger.info(logMessages.mended(endpoint, result.id, result.done));
		}
	}

	/** Reconciles what the service has with what the node asks for, and says what only n8n's log can. */
	async function bringAbout(
		context: IHookFunctions | ITriggerFunctions,
		{ endpoint, parameters, stored }: Pick<Watch, 'endpoint' | 'parameters' | 'stored'>,
		listening: Listening,
		options: Omit<ReconcileOptions, 'target' | 'listening' | 'ownWrites' | 'now'>,
	): Promise<Reconciliation & { stored: StoredSubscription | undefined }> {
		const service = createService(context, patience);
		const { apiKey, allowPrivateWebhookUrls } = await service.credential();
		const problem = webhookUrlProblem(endpoint.address, allowPrivateWebhookUrls);
		if (problem !== undefined) {
			throw new NodeOperationError(context.getNode(), refusals.address(endpoint, problem));
		}
		const target = targetOf(endpoint, apiKey, stored);
		const result = await reconcile(service, desiredStateOf(target, listening, parameters), {
			...options,
			target,
			listening,
			ownWrites: ownWritesAt(target),
			now,
		});
		if (target.stored && isInAnotherAccount(target.stored, result.ownerId ?? '')) {
			context.logger.warn(logMessages.formerAccount(endpoint, target.stored));
		}
		if (result.refused.length > 0) {
			context.logger.warn(logMessages.refused(endpoint, result.refused));
		}
		return { ...result, stored: toStored(target, listening, result) };
	}

	function beginWatch(context: IHookFunctions, endpoint: Endpoint): Watch {
		const parameters = readSubscriptionParameters(context);
		return {
			endpoint,
			parameters,
			stored: triggerStaticData(context).subscription,
			checks: new Checks(parameters.checkEvery, now()),
		};
	}

	/** No check begins after this. Test events have another address, and leave the watch alone. */
	function endWatch(endpoint: Endpoint): void {
		const key = nodeKey(endpoint);
		if (watches.get(key)?.endpoint.address === endpoint.address) watches.delete(key);
	}

	function ownWritesAt({ address, secrets }: Target): OwnWrites {
		const key = `${address} ${digestSecret(secrets.production)}`;
		const known = ownWrites.get(key) ?? new OwnWrites();
		ownWrites.set(key, known);
		return known;
	}

	return { create, remove, trigger };
}
