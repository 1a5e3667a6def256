import { unlessAborted } from '../../api/request';
import type { RetryPolicy } from '../../api/retry';
import { createKeyedQueue, monotonicNow, pathOf } from '../../../../lib/basics';
import type { SecretScope } from '../../shared/secret';
import { SampleListening } from '../sampleEmail';
import { stateKey, SubscriptionStates, type SubscriptionState } from '../subscriptionState';
import { SUBSCRIPTION_MS } from '../times';
import { causeOf, FailureReports } from './failureReports';
import {
	explain,
	type HookRequest,
	type Host,
	type Occasion,
	type TriggerRequest,
} from './hookRequest';
import { describe } from './plan';
import { CheckSchedule, everyMinute } from './schedule';
import { SubscriptionSwitch, type ListeningNode } from './subscriptionSwitch';
import { markOf } from './subscriptionUrl';

class TookTooLong extends Error {
	constructor() {
		super(
			'The service took too long to respond. Check that it is running, and the base URL in the credential. Then try again.',
		);
	}
}

const WAY_OUT =
	'Publishing the workflow again repairs the webhook; you can also pause it in the service.';

const TEST_WAY_OUT =
	'n8n tries again at the checks of published triggers, and when it starts with one. You can also delete the webhook in the service.';

/**
 * Keeps the subscription of a trigger node right when n8n calls its hooks.
 *
 * | n8n calls | when | goal |
 * | --- | --- | --- |
 * | `checkExists` | before `create` | none, it returns false: `create` checks for itself, and a second check would be one more request |
 * | `create` | activation, or an edit of an active workflow | on; a failure is thrown, n8n then calls `delete` |
 * | `create`, at a start | n8n starts or becomes the leader | on; paused if the chosen identity is gone. A failure is logged: if it were thrown, n8n would remove its own URL, while the subscription still delivers |
 * | `create`, mode manual | listening for a test event | on, for a separate subscription at the test URL; with Use Sample Email there is none, see `SampleListening` |
 * | `trigger` | together with `create`, in any order | registers the check, at intervals and for a delivery that found the restriction lost: on; paused if the chosen identity is gone |
 * | `delete` | deactivation, before an edit, after a failed activation, after a test event | paused; absent if so chosen, and for a test event. A failure is logged: n8n 1.x would keep its own URL, and both versions deactivate anyway |
 * | `delete`, for a copy | it has the webhook ID of another workflow, so n8n did not publish it | none: the subscription belongs to the other workflow |
 */
export class Lifecycle {
	/** By address: n8n may call a hook while an earlier one still waits for the service. */
	private readonly inQueue = createKeyedQueue();

	/** The active nodes, by the key of their states. */
	private readonly active = new Map<string, ListeningNode>();

	/** By the same key: n8n calls `create` and `trigger` in any order. */
	private readonly triggers = new Map<string, TriggerRequest>();

	/** Test subscriptions that could not be deleted, by the same key. */
	private readonly leftTests = new Map<string, { request: HookRequest; dueAt: number }>();

	readonly states = new SubscriptionStates((scope) => this.repair(scope));

	private readonly subscriptions: SubscriptionSwitch;

	private readonly sampleListening = new SampleListening();

	constructor(
		retry?: Partial<RetryPolicy>,
		private readonly now = monotonicNow,
		private readonly deadline = (delayMs: number) => AbortSignal.timeout(delayMs),
	) {
		this.subscriptions = new SubscriptionSwitch(this.states, now, retry);
	}

	/** @throws NodeOperationError that describes the problem and its solution in one line; never at a start */
	async create(request: HookRequest): Promise<void> {
		const { endpoint, workflowId, occasion, options } = request;
		const { address } = endpoint;
		if (endpoint.listening === 'test' && options.useSampleEmail)
			return await this.sampleListening.begin(request);
		// n8n does not always call `delete` after a sample email.
		this.sampleListening.end(address);
		const key = stateKey(endpoint);
		this.leftTests.delete(key);
		this.states.apply(key, { kind: 'create', address, workflowId, stored: request.stored });
		try {
			if (occasion === 'start') return await this.activate(request);
			await this.inTime(request, SUBSCRIPTION_MS.publish, async (limited) => {
				await this.activate(limited);
			});
		} catch (error) {
			if (occasion === 'start') return request.log('error', explain(error));
			if (error instanceof TookTooLong) this.states.apply(key, { kind: 'timeout' });
			// n8n then calls `delete`, which ends the checks.
			throw request.failure(error);
		}
	}

	private async activate(request: HookRequest): Promise<void> {
		const { endpoint, occasion, options, parameters } = request;
		await this.inQueue(endpoint.address, async () => {
			const node: ListeningNode = {
				...parameters(occasion === 'publish'),
				endpoint,
				verify: options.verify,
				checks: new CheckSchedule(options.checkEvery * SUBSCRIPTION_MS.tick, this.now),
				reports: new FailureReports(occasion === 'start', this.now),
			};
			if (endpoint.listening === 'production') this.active.set(stateKey(endpoint), node);
			if (occasion === 'start') await this.lookAfter(request, node, occasion);
			else await this.subscriptions.bringOn(request, node, occasion);
			this.store(request);
		});
	}

	/** Only what changed, because n8n then saves the static data of the whole workflow. */
	private store({ endpoint, stored: before, store }: HookRequest): void {
		const { stored, look: seen } = this.states.at(stateKey(endpoint));
		if (!stored) return;
		const look = seen?.stored ?? stored.look;
		const subscription = { ...stored, ...(look && { look }) };
		if (JSON.stringify(subscription) !== JSON.stringify(before)) store(subscription);
	}

	async remove(hook: HookRequest): Promise<void> {
		if (this.sampleListening.end(hook.endpoint.address)) return;
		const request = this.located(hook);
		const { stored, endpoint } = request;
		const { address, deliveryUrl, listening } = endpoint;
		const key = stateKey(endpoint);
		const before = this.states.at(key);
		if (isAnothers(before, request)) return;
		this.states.apply(key, { kind: 'delete', address });
		const { removeAfterTimeout, other } = SUBSCRIPTION_MS;
		const delayMs = before.hasActivationTimedOut ? removeAfterTimeout : other;
		try {
			await this.inQueue(address, async () => {
				this.active.delete(key);
				this.triggers.delete(key);
				await this.switchOff(request, delayMs);
			});
		} catch (error) {
			// n8n tries a failed activation several times, and calls `delete` after each attempt.
			const { mayBeOn = stored !== undefined && !stored.retired } = this.states.at(key);
			if (!mayBeOn) return;
			const isTest = listening === 'test';
			if (isTest) this.leftTests.set(key, { request, dueAt: this.now() });
			const at = deliveryUrl === '' || isTest ? address : "the 'Delivery URL'";
			request.log(
				'warn',
				`the webhook could not be switched off, so the service may continue to deliver to ${at}. ` +
					`n8n refuses these deliveries. ${isTest ? TEST_WAY_OUT : WAY_OUT} ${explain(error)}`,
			);
		}
	}

	/** With what n8n listened for. If this is unknown, only a subscription at exactly this address is deleted. */
	private located({ endpoint, stored, ...request }: HookRequest): HookRequest {
		const { address } = endpoint;
		const isStoredHere = stored && pathOf(stored.url) === pathOf(address);
		const told = isStoredHere ? stored.listening : 'unknown';
		const listening = this.states.listeningAt(endpoint, address) ?? told;
		return { ...request, stored, endpoint: { ...endpoint, listening } };
	}

	private async switchOff(request: HookRequest, delayMs: number): Promise<void> {
		const bringOff = async (limited: HookRequest) => await this.subscriptions.bringOff(limited);
		await this.inTime(request, delayMs, bringOff);
	}

	/** With the checks of all nodes, because the node itself may not be published. */
	private async deleteLeftTests(): Promise<void> {
		for (const [key, left] of this.leftTests) {
			const { request, dueAt } = left;
			if (this.now() < dueAt) continue;
			left.dueAt = this.now() + SUBSCRIPTION_MS.leftTests;
			await this.inQueue(request.endpoint.address, async () => {
				// Otherwise n8n listens again.
				if (this.leftTests.get(key) !== left) return;
				await this.switchOff(request, SUBSCRIPTION_MS.other).then(
					() => this.leftTests.delete(key),
					() => undefined,
				);
			});
		}
	}

	trigger(request: TriggerRequest): void {
		const { node, checkEveryMinutes } = request;
		if (!request.isPublished) return;
		const key = stateKey(node);
		this.triggers.set(key, request);
		if (checkEveryMinutes === 0) return;
		request.schedule(everyMinute(markOf(node)), async () => {
			await this.check(request, key, 'check');
			await this.deleteLeftTests();
			request.report(this.active.get(key)?.reports.due());
		});
	}

	/** For a delivery that found the restriction of a subscription lost. */
	private repair(scope: SecretScope): void {
		const key = stateKey(scope);
		const host = this.triggers.get(key);
		if (host) void this.check(host, key, 'repair');
	}

	private async check(host: Host, key: string, occasion: 'check' | 'repair'): Promise<void> {
		const node = this.active.get(key);
		if (!node?.checks.begin(occasion === 'repair')) return;
		await this.inQueue(node.endpoint.address, async () => {
			// Otherwise the node was deactivated or activated again while this waited.
			if (this.active.get(key) === node) await this.lookAfter(host, node, occasion);
		});
	}

	private async lookAfter(host: Host, node: ListeningNode, occasion: Exclude<Occasion, 'publish'>) {
		const { checks, reports } = node;
		try {
			const { kept, needed, done, isIdentityGone, whyPaused } = await this.inTime(
				host,
				SUBSCRIPTION_MS.other,
				async (limited) => await this.subscriptions.lookAfter(limited, node, occasion),
			);
			const withoutEffect = checks.looked(needed);
			if (needed.length === 0 && !isIdentityGone) reports.passed();
			if (withoutEffect.length > 0) {
				const message =
					`repaired the webhook (${describe(withoutEffect)}), but the service still shows the old state. The trigger ` +
					'does not try again. Check the webhook in the service, then publish the workflow again.';
				reports.found('webhook', message);
				host.log('warn', message);
			}
			if (done.length > 0) {
				host.log('info', `repaired the webhook ${kept?.id ?? ''} (${describe(done)}).`);
			}
			if (whyPaused) {
				const message =
					`the webhook is paused and its deliveries are refused. ${explain(whyPaused)} An address that was deleted and ` +
					'added again has a new ID: choose it again, and publish the workflow.';
				reports.found('identity', message);
				host.log('error', message);
			}
		} catch (error) {
			checks.failed();
			const message = `the webhook could not be checked; the workflow stays active. ${explain(error)}`;
			const cause = error instanceof TookTooLong ? undefined : causeOf(error);
			if (cause) reports.found(cause, message);
			host.log(occasion === 'start' ? 'error' : 'warn', message);
		}
	}

	/** Gives all requests of a call one deadline. */
	private async inTime<Limited extends Host, Result>(
		host: Limited,
		delayMs: number,
		work: (limited: Limited) => Promise<Result>,
	): Promise<Result> {
		const signal = this.deadline(delayMs);
		const service: Host['service'] = (options) => host.service({ ...options, signal });
		const done = async () => ({ result: await work({ ...host, service }) });
		const ended = await unlessAborted(done, signal).catch((error: unknown) => {
			if (!signal.aborted) throw error;
		});
		if (!ended) throw new TookTooLong();
		return ended.result;
	}
}

/**
 * An imported or pasted copy has the webhook ID of its original, so the same address and secrets. A workflow that stored a
 * subscription was published by another main: the memory of this one is out of date.
 */
function isAnothers(state: SubscriptionState, { endpoint, workflowId, stored }: HookRequest) {
	if (state.workflowId === undefined || state.workflowId === workflowId) return false;
	return stored?.instanceId !== endpoint.instanceId || stored.retired === true;
}
