import type { RetryPolicy } from '../../api/retry';
import {
	createKeyedQueue,
	createMemory,
	isSameAddress,
	monotonicNow,
} from '../../../../lib/basics';
import type { Restrictions } from '../restriction';
import { SampleListening } from '../sample/sampleListening';
import { markOf, type Endpoint } from './address';
import { explain, type HookRequest, type Host, type TriggerRequest } from './hookRequest';
import { Checks, describe, everyMinute } from './plan';
import type { Outcome } from './reconcile';
import { Subscription, type Watch } from './subscription';

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

	/** The active nodes of this process, see `markOf`. */
	private readonly watches = new Map<string, Watch>();

	/** By address. */
	private readonly subscriptions = new Map<string, Subscription>();

	private readonly owners = createMemory();

	private readonly sampleListening = new SampleListening();

	/** @param now a clock for the checks, in milliseconds */
	constructor(
		private readonly restrictions: Restrictions,
		private readonly now: () => number = monotonicNow,
		private readonly retry?: Partial<RetryPolicy>,
	) {}

	/**
	 * For an activation or a test event.
	 *
	 * @throws NodeOperationError that describes the problem and its solution in one line; never at a start
	 */
	async create(request: HookRequest): Promise<true> {
		const { endpoint, workflowId, occasion, options } = request;
		const { address, listening } = endpoint;
		if (listening === 'test' && options.useSampleEmail) {
			await this.sampleListening.begin(request);
			return true;
		}
		// n8n does not always call `delete` after a sample email.
		this.sampleListening.end(address);
		const subscription = Object.assign(this.at(address), { listening, workflowId });
		const creating = this.inQueue(address, async () => {
			const watch = this.beginWatch(request);
			if (occasion === 'publish') await subscription.bringOn(request, watch, occasion);
			else await this.lookAfter(request, watch, occasion);
			const { stored } = watch;
			// n8n saves the static data of the whole workflow when one key is set.
			const isNew = JSON.stringify(stored) !== JSON.stringify(request.stored);
			if (stored && isNew) request.store(stored);
		});
		await creating.catch((error: unknown) => {
			// n8n then calls `delete`, which ends the watch.
			if (occasion === 'publish') throw request.failure(error);
			request.log('error', explain(error));
		});
		return true;
	}

	/** For a deactivation or the end of a test event. Never throws. */
	async remove(request: HookRequest): Promise<true> {
		const { endpoint } = request;
		const { address, deliveryUrl } = endpoint;
		if (this.sampleListening.end(address)) return true;
		const subscription = this.at(address);
		if (subscription.isAnothers(request)) return true;
		subscription.workflowId = undefined;
		try {
			await this.inQueue(address, async () => {
				this.endWatch(endpoint);
				await subscription.bringOff(request);
			});
		} catch (error) {
			// n8n tries a failed activation several times, and calls `delete` after each attempt.
			if (subscription.mayBeOn(request)) {
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

	trigger(request: TriggerRequest): void {
		const { node, checkEvery } = request;
		if (!request.isActive) return;
		const mark = markOf(node);
		this.restrictions.repairBy(node, () => void this.check(request, mark, true));
		if (checkEvery === 0) return;
		// n8n does not wait for the check.
		const check = async () => await this.check(request, mark, false);
		request.schedule(everyMinute(mark), check);
	}

	/** Checks the subscription of an active node if that is due, and repairs it. Never throws. */
	private async check(host: Host, mark: string, isHurried: boolean): Promise<void> {
		const watch = this.watches.get(mark);
		if (!watch?.checks.begin(this.now(), isHurried)) return;
		await this.inQueue(watch.endpoint.address, async () => {
			// Otherwise the node was deactivated or activated again while this waited.
			if (this.watches.get(mark) === watch) await this.lookAfter(host, watch, 'check');
		});
	}

	/** Logs instead of throwing. */
	private async lookAfter(host: Host, watch: Watch, occasion: 'start' | 'check'): Promise<void> {
		try {
			const subscription = this.at(watch.endpoint.address);
			const result = await subscription.lookAfter(host, watch, occasion);
			if ('needed' in result) this.noteRepair(host, watch, result);
			else this.notePause(host, watch, result);
		} catch (error) {
			watch.checks.failed(this.now());
			host.log(
				occasion === 'check' ? 'warn' : 'error',
				`the webhook could not be checked; the workflow stays active. ${explain(error)}`,
			);
		}
	}

	private noteRepair(host: Host, watch: Watch, { kept, needed, done }: Outcome): void {
		watch.isGoneLogged = false;
		const withoutEffect = watch.checks.looked(needed, this.now());
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

	private notePause(host: Host, watch: Watch, reason: Error): void {
		watch.checks.looked([], this.now());
		if (watch.isGoneLogged) return;
		watch.isGoneLogged = true;
		host.log(
			'error',
			`the webhook is paused and its deliveries are refused. ${explain(reason)} If the service shows the identity ` +
				'again, the trigger resumes the webhook. Otherwise choose another identity and publish the workflow again.',
		);
	}

	private beginWatch(request: HookRequest): Watch {
		const { endpoint, occasion, stored, options } = request;
		const watch: Watch = {
			...request.parameters(occasion === 'publish'),
			endpoint,
			stored,
			verify: options.verify,
			isGoneLogged: false,
			checks: new Checks(options.checkEvery, this.now()),
		};
		if (endpoint.listening === 'production') this.watches.set(markOf(endpoint), watch);
		return watch;
	}

	/** No check begins after this. Test events have another address and do not end the watch. */
	private endWatch(endpoint: Endpoint): void {
		const mark = markOf(endpoint);
		if (this.watches.get(mark)?.endpoint.address === endpoint.address) this.watches.delete(mark);
	}

	private at(address: string): Subscription {
		const isListenedAt = (url: string) =>
			[...this.subscriptions].some(
				([other, { workflowId }]) => workflowId !== undefined && isSameAddress(url, other),
			);
		const subscription =
			this.subscriptions.get(address) ??
			new Subscription(this.restrictions, this.owners, isListenedAt, this.retry);
		this.subscriptions.set(address, subscription);
		return subscription;
	}
}
