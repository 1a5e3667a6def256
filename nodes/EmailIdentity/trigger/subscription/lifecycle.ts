import type { RetryPolicy } from '../../api/retry';
import { createKeyedQueue, monotonicNow } from '../../../../lib/basics';
import type { SecretScope } from '../../shared/secret';
import { SampleListening } from '../sample/sampleListening';
import { SubscriptionLooks } from '../subscriptionLooks';
import { causeOf, FailureReports } from './failureReports';
import { explain, type HookRequest, type Host, type TriggerRequest } from './hookRequest';
import { describe } from './plan';
import { CheckSchedule, everyMinute } from './schedule';
import { SubscriptionStates, type SubscriptionState } from './state';
import { SubscriptionSwitch, type ListeningNode } from './subscriptionSwitch';
import { markOf } from './subscriptionUrl';

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
	private readonly active = new Map<string, ListeningNode>();

	/** How checks that deliveries ask for reach the service, by active node. */
	private readonly triggers = new Map<string, TriggerRequest>();

	readonly looks = new SubscriptionLooks((scope) => this.repair(scope));

	private readonly subscriptions: SubscriptionSwitch;

	private readonly sampleListening = new SampleListening();

	/** @param now a clock for the checks, in milliseconds */
	constructor(
		private readonly states = new SubscriptionStates(),
		private readonly now: () => number = monotonicNow,
		retry?: Partial<RetryPolicy>,
	) {
		this.subscriptions = new SubscriptionSwitch(states, this.looks, retry);
	}

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
		this.states.apply(address, { kind: 'create', listening, workflowId, stored: request.stored });
		const creating = this.inQueue(address, async () => {
			const node: ListeningNode = {
				...request.parameters(occasion === 'publish'),
				endpoint,
				verify: options.verify,
				checks: new CheckSchedule(options.checkEvery, this.now),
				reports: new FailureReports(occasion, this.now),
			};
			if (listening === 'production') this.active.set(markOf(endpoint), node);
			if (occasion === 'publish') await this.subscriptions.bringOn(request, node, occasion);
			else await this.lookAfter(request, node, occasion);
			const { stored } = this.states.at(address);
			// n8n saves the static data of the whole workflow when one key is set.
			const isNew = JSON.stringify(stored) !== JSON.stringify(request.stored);
			if (stored && isNew) request.store(stored);
		});
		await creating.catch((error: unknown) => {
			// n8n then calls `delete`, which ends the checks.
			if (occasion === 'publish') throw request.failure(error);
			request.log('error', explain(error));
		});
		return true;
	}

	/** For a deactivation or the end of a test event. Never throws. */
	async remove(request: HookRequest): Promise<true> {
		const { endpoint, stored } = request;
		const { address, deliveryUrl } = endpoint;
		if (this.sampleListening.end(address)) return true;
		if (isAnothers(this.states.at(address), request)) return true;
		this.states.apply(address, { kind: 'delete' });
		try {
			await this.inQueue(address, async () => {
				// No check begins after this. Test events have another address and do not end the checks.
				if (this.states.at(address).listening === 'production') {
					this.active.delete(markOf(endpoint));
					this.triggers.delete(markOf(endpoint));
				}
				await this.subscriptions.bringOff(request);
			});
		} catch (error) {
			// n8n tries a failed activation several times, and calls `delete` after each attempt.
			const { mayBeOn = stored !== undefined && !stored.retired } = this.states.at(address);
			if (mayBeOn) {
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
		this.triggers.set(mark, request);
		if (checkEvery === 0) return;
		request.schedule(everyMinute(mark), async () => {
			await this.check(request, mark, false);
			request.report(this.active.get(mark)?.reports.due());
		});
	}

	/** For a delivery that found the restriction of a subscription lost. */
	private repair(scope: SecretScope): void {
		const mark = markOf(scope);
		const host = this.triggers.get(mark);
		if (host && scope.listening === 'production') void this.check(host, mark, true);
	}

	/** Checks the subscription of an active node if that is due, and repairs it. Never throws. */
	private async check(host: Host, mark: string, isHurried: boolean): Promise<void> {
		const active = this.active.get(mark);
		if (!active?.checks.begin(isHurried)) return;
		await this.inQueue(active.endpoint.address, async () => {
			// Otherwise the node was deactivated or activated again while this waited.
			if (this.active.get(mark) === active) await this.lookAfter(host, active, 'check');
		});
	}

	/** Logs what came of it, and never throws. */
	private async lookAfter(
		host: Host,
		node: ListeningNode,
		occasion: 'start' | 'check',
	): Promise<void> {
		const { checks, reports } = node;
		try {
			const result = await this.subscriptions.lookAfter(host, node, occasion);
			const { kept, needed, done = [], whyPaused } = result;
			const withoutEffect = checks.looked(needed ?? []);
			if (needed?.length === 0) reports.passed();
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
					`the webhook is paused and its deliveries are refused. ${explain(whyPaused)} If the service shows the ` +
					'identity again, the trigger resumes the webhook. Otherwise choose another identity and publish the workflow ' +
					'again.';
				reports.found('identity', message);
				host.log('error', message);
			}
		} catch (error) {
			checks.failed();
			const message = `the webhook could not be checked; the workflow stays active. ${explain(error)}`;
			const cause = causeOf(error);
			if (cause) reports.found(cause, message);
			host.log(occasion === 'check' ? 'warn' : 'error', message);
		}
	}
}

/**
 * Whether the address belongs to another workflow. A copy that was imported or pasted has the webhook ID of its original,
 * so the same address and secrets. n8n publishes only one of them, but calls `delete` for the other one too. A workflow that
 * stored a subscription was published by another main: the memory of this one is out of date.
 */
function isAnothers(
	state: SubscriptionState,
	{ endpoint, workflowId, stored }: HookRequest,
): boolean {
	if (state.workflowId === undefined || state.workflowId === workflowId) return false;
	return stored?.instanceId !== endpoint.instanceId || stored.retired === true;
}
