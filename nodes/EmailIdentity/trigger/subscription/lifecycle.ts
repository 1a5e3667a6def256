import type { RetryPolicy } from '../../api/retry';
import { createKeyedQueue } from '../../lib/concurrency';
import { isSameAddress } from '../../lib/hosts';
import type { Restrictions } from '../restriction';
import { SampleListening } from '../sample/sampleListening';
import type { Listening } from '../../shared/secret';
import { nodeKey, type Endpoint } from './address';
import {
	explain,
	type HookRequest,
	type Host,
	type Occasion,
	type TriggerRequest,
} from './hookRequest';
import { Checks, describe, everyMinute } from './plan';
import type { Outcome } from './reconcile';
import { IdentityUnusable, Subscriptions, type Watch } from './subscription';

/** The last request to listen at an address. */
interface Listener {
	listening: Listening;
	/** The workflow of the node; undefined when it no longer listens. */
	workflowId: string | undefined;
}

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
	/**
	 * By address. n8n may call a hook while an earlier one of the same node still waits for the service: cancelling a test
	 * event during its set-up, deactivating during a check.
	 */
	private readonly inQueue = createKeyedQueue();

	/** The active nodes of this process, see `nodeKey`. */
	private readonly watches = new Map<string, Watch>();

	/** By address: n8n does not tell `delete` what it listened for. */
	private readonly listeners = new Map<string, Listener>();

	private readonly subscriptions: Subscriptions;

	private readonly sampleListening = new SampleListening();

	/** @param now milliseconds since 1970 */
	constructor(
		private readonly restrictions: Restrictions,
		private readonly now: () => number = Date.now,
		retry: Partial<RetryPolicy> = {},
	) {
		this.subscriptions = new Subscriptions(restrictions, retry, (url) =>
			[...this.listeners].some(
				([address, { workflowId }]) => workflowId !== undefined && isSameAddress(url, address),
			),
		);
	}

	/**
	 * For an activation or a test event.
	 *
	 * @throws NodeOperationError that describes the problem and its solution in one line; never at a start
	 */
	async create(request: HookRequest): Promise<true> {
		const { endpoint, workflowId, occasion } = request;
		const { address, listening } = endpoint;
		if (listening === 'test' && request.useSampleEmail) {
			await this.sampleListening.begin(request);
			return true;
		}
		// n8n does not always call `delete` after a sample email.
		this.sampleListening.end(address);
		this.listeners.set(address, { listening, workflowId });
		try {
			await this.inQueue(address, async () => {
				const watch = this.beginWatch(request);
				if (occasion === 'publish') await this.subscriptions.bringOn(request, watch, occasion);
				else await this.lookAfter(request, watch, occasion);
				const { stored } = watch;
				// n8n saves the static data of the whole workflow when one key is set.
				const isNew = JSON.stringify(stored) !== JSON.stringify(request.stored);
				if (stored && isNew) request.store(stored);
			});
		} catch (error) {
			if (occasion === 'publish') {
				this.endWatch(endpoint);
				throw request.failure(error);
			}
			logUnchecked(request, occasion, error);
		}
		return true;
	}

	/** For a deactivation or the end of a test event. Never throws. */
	async remove(request: HookRequest): Promise<true> {
		const { endpoint } = request;
		const { address, deliveryUrl } = endpoint;
		if (this.sampleListening.end(address)) return true;
		if (this.isAnothers(request)) return true;
		const listener = this.listeners.get(address);
		if (listener) listener.workflowId = undefined;
		this.endWatch(endpoint);
		try {
			await this.inQueue(address, async () => {
				// Again: an activation may have been in the queue.
				this.endWatch(endpoint);
				await this.subscriptions.bringOff(request, listener?.listening);
			});
		} catch (error) {
			// n8n tries a failed activation several times, and calls `delete` after each attempt.
			if (this.subscriptions.mayBeOn(request)) {
				const where = deliveryUrl === '' ? address : 'the Delivery URL';
				request.log(
					'warn',
					`the webhook could not be switched off, so the service may continue to deliver to ${where}. ` +
						'n8n refuses these deliveries. Publishing the workflow again repairs the webhook; you can also pause it in ' +
						'the service. ' +
						explain(error),
				);
			}
		}
		return true;
	}

	/** Registers the check with n8n's scheduler, which removes it on deactivation. */
	trigger(request: TriggerRequest): void {
		const { node, checkEvery } = request;
		if (!request.isActive) return;
		const key = nodeKey(node);
		this.restrictions.repairBy(node, () => {
			void this.check(request, key, true);
		});
		if (checkEvery > 0) {
			// n8n does not wait for the check.
			request.schedule(
				{ expression: everyMinute(key) },
				async () => await this.check(request, key, false),
			);
		}
	}

	/** Checks the subscription of an active node if that is due, and repairs it. Never throws. */
	private async check(host: Host, key: string, isHurried: boolean): Promise<void> {
		const watch = this.watches.get(key);
		if (!watch?.checks.begin(this.now(), isHurried)) return;
		await this.inQueue(watch.endpoint.address, async () => {
			// Otherwise the node was deactivated or activated again while this waited.
			if (this.watches.get(key) === watch) await this.lookAfter(host, watch, 'check');
		});
	}

	/** For starts and checks: logs instead of throwing. */
	private async lookAfter(host: Host, watch: Watch, occasion: Occasion): Promise<void> {
		const bringing = this.subscriptions.bringOn(host, watch, occasion);
		const looking = bringing.then(
			(outcome) => this.noteRepair(host, watch, outcome),
			async (error: unknown) => {
				if (!(error instanceof IdentityUnusable)) throw error;
				await this.subscriptions.pause(host, watch, occasion);
				this.notePause(host, watch, error);
			},
		);
		await looking.catch((error: unknown) => {
			watch.checks.failed(this.now());
			logUnchecked(host, occasion, error);
		});
	}

	private noteRepair(host: Host, watch: Watch, { kept, needed, done }: Outcome): void {
		watch.isGoneLogged = false;
		const withoutEffect = watch.checks.looked(needed, done, this.now());
		if (withoutEffect.length > 0) {
			host.log(
				'warn',
				`repaired the webhook (${describe(withoutEffect)}), but the service still shows the old state. The trigger does ` +
					'not try again. Check the webhook in the service, then publish the workflow again.',
			);
		}
		if (done.length > 0) {
			host.log('info', `repaired the webhook ${kept?.id ?? ''} (${describe(done)}).`);
		}
	}

	private notePause(host: Host, watch: Watch, reason: IdentityUnusable): void {
		watch.checks.looked([], [], this.now());
		if (watch.isGoneLogged) return;
		watch.isGoneLogged = true;
		host.log(
			'error',
			`the webhook is paused and its deliveries are refused. ${explain(reason)} If the service shows the identity ` +
				'again, the trigger resumes the webhook. Otherwise choose another identity and publish the workflow again.',
		);
	}

	private beginWatch(request: HookRequest): Watch {
		const { endpoint, occasion, stored } = request;
		const parameters = request.parameters(occasion === 'publish');
		const checks = new Checks(parameters.checkEvery, this.now());
		const watch: Watch = { endpoint, parameters, stored, checks, isGoneLogged: false };
		if (endpoint.listening === 'production') this.watches.set(nodeKey(endpoint), watch);
		return watch;
	}

	/** No check begins after this. Test events have another address and do not end the watch. */
	private endWatch(endpoint: Endpoint): void {
		const key = nodeKey(endpoint);
		if (this.watches.get(key)?.endpoint.address === endpoint.address) this.watches.delete(key);
	}

	/**
	 * Whether the address belongs to another workflow. A copy that was imported or pasted has the webhook ID of its original,
	 * so the same address and secrets. n8n publishes only one of them, but calls `delete` for the other one too. A workflow that
	 * stored a subscription was published by another main: the memory of this one is out of date.
	 */
	private isAnothers({ endpoint, workflowId, stored }: HookRequest): boolean {
		const listener = this.listeners.get(endpoint.address)?.workflowId;
		if (listener === undefined || listener === workflowId) return false;
		return stored?.instanceId !== endpoint.instanceId || stored.retired === true;
	}
}

function logUnchecked(host: Host, occasion: Occasion, error: unknown): void {
	const level = occasion === 'check' ? 'warn' : 'error';
	const what = 'the webhook could not be checked; the workflow stays active.';
	host.log(level, `${what} ${explain(error)}`);
}
