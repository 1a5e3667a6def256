import { unlessAborted } from '../../api/request';
import type { RetryPolicy } from '../../api/retry';
import { createKeyedQueue, monotonicNow } from '../../../../lib/basics';
import type { SecretScope } from '../../shared/secret';
import { SampleListening } from '../sampleEmail';
import { SubscriptionLooks } from '../subscriptionLooks';
import { causeOf, FailureReports } from './failureReports';
import { explain, type HookRequest, type Host, type TriggerRequest } from './hookRequest';
import { describe } from './plan';
import { CheckSchedule, everyMinute } from './schedule';
import { SubscriptionStates, type SubscriptionState } from './state';
import { SubscriptionSwitch, type ListeningNode } from './subscriptionSwitch';
import { markOf } from './subscriptionUrl';

/**
 * Milliseconds for all requests of a call together. n8n 2.x makes five attempts to publish, with a `delete` after each and 15
 * seconds of pauses, and gives up with an error of its own after 60 seconds (`workflows/publication/`).
 */
const DEADLINES_MS = { publish: 7_500, removeAfterTimeout: 1_000, other: 10_000 };

class TookTooLong extends Error {
	constructor() {
		super(
			'The service took too long to respond. Check that it is running, and the base URL in the credential. Then try again.',
		);
	}
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
	/** By address: n8n may call a hook while an earlier one still waits for the service. */
	private readonly inQueue = createKeyedQueue();

	/** Both by `markOf`. */
	private readonly active = new Map<string, ListeningNode>();

	private readonly triggers = new Map<string, TriggerRequest>();

	readonly looks = new SubscriptionLooks((scope) => this.repair(scope));

	readonly states = new SubscriptionStates();

	private readonly subscriptions: SubscriptionSwitch;

	private readonly sampleListening = new SampleListening();

	constructor(
		retry?: Partial<RetryPolicy>,
		private readonly now = monotonicNow,
		private readonly deadline = (delayMs: number) => AbortSignal.timeout(delayMs),
	) {
		this.subscriptions = new SubscriptionSwitch(this.states, this.looks, retry);
	}

	/** @throws NodeOperationError that describes the problem and its solution in one line; never at a start */
	async create(request: HookRequest): Promise<void> {
		const { endpoint, workflowId, occasion, options } = request;
		const { address, listening } = endpoint;
		if (listening === 'test' && options.useSampleEmail)
			return await this.sampleListening.begin(request);
		// n8n does not always call `delete` after a sample email.
		this.sampleListening.end(address);
		this.states.apply(address, { kind: 'create', listening, workflowId, stored: request.stored });
		try {
			if (occasion === 'publish') await this.publish(request);
			else await this.inQueue(address, async () => await this.start(request));
		} catch (error) {
			// n8n then calls `delete`, which ends the checks.
			if (occasion === 'publish') throw request.failure(error);
			request.log('error', explain(error));
		}
	}

	private async publish(request: HookRequest): Promise<void> {
		const { address } = request.endpoint;
		const publishing = this.inTime(request, DEADLINES_MS.publish, async (limited) => {
			await this.inQueue(address, async () => {
				await this.subscriptions.bringOn(limited, this.activate(limited), 'publish');
				this.store(limited);
			});
		});
		await publishing.catch((error: unknown) => {
			if (error instanceof TookTooLong) this.states.apply(address, { kind: 'timeout' });
			throw error;
		});
	}

	private async start(request: HookRequest): Promise<void> {
		await this.lookAfter(request, this.activate(request), 'start');
		this.store(request);
	}

	private activate({ endpoint, occasion, options, parameters }: HookRequest): ListeningNode {
		const node: ListeningNode = {
			...parameters(occasion === 'publish'),
			endpoint,
			verify: options.verify,
			checks: new CheckSchedule(options.checkEvery, this.now),
			reports: new FailureReports(occasion === 'start', this.now),
		};
		if (endpoint.listening === 'production') this.active.set(markOf(endpoint), node);
		return node;
	}

	/** Only what changed, because n8n then saves the static data of the whole workflow. */
	private store({ endpoint, stored: before, store }: HookRequest): void {
		const { stored } = this.states.at(endpoint.address);
		if (!stored) return;
		const look = this.looks.seen(endpoint)?.stored ?? stored.look;
		const subscription = { ...stored, ...(look && { look }) };
		if (JSON.stringify(subscription) !== JSON.stringify(before)) store(subscription);
	}

	async remove(request: HookRequest): Promise<void> {
		const { endpoint, stored } = request;
		const { address, deliveryUrl } = endpoint;
		if (this.sampleListening.end(address)) return;
		const before = this.states.at(address);
		if (isAnothers(before, request)) return;
		this.states.apply(address, { kind: 'delete' });
		const { removeAfterTimeout, other } = DEADLINES_MS;
		try {
			await this.inQueue(address, async () => {
				if (this.states.at(address).listening === 'production') {
					this.active.delete(markOf(endpoint));
					this.triggers.delete(markOf(endpoint));
				}
				const delayMs = before.hasActivationTimedOut ? removeAfterTimeout : other;
				const bringOff = async (limited: HookRequest) => await this.subscriptions.bringOff(limited);
				await this.inTime(request, delayMs, bringOff);
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
						`the service. ${explain(error)}`,
				);
			}
		}
	}

	trigger(request: TriggerRequest): void {
		const { node, checkEveryMinutes } = request;
		if (!request.isPublished) return;
		const mark = markOf(node);
		this.triggers.set(mark, request);
		if (checkEveryMinutes === 0) return;
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

	private async check(host: Host, mark: string, isHurried: boolean): Promise<void> {
		const node = this.active.get(mark);
		if (!node?.checks.begin(isHurried)) return;
		await this.inQueue(node.endpoint.address, async () => {
			// Otherwise the node was deactivated or activated again while this waited.
			if (this.active.get(mark) === node) await this.lookAfter(host, node, 'check');
		});
	}

	private async lookAfter(
		host: Host,
		node: ListeningNode,
		occasion: 'start' | 'check',
	): Promise<void> {
		const { checks, reports } = node;
		try {
			const { kept, needed, done, isIdentityGone, whyPaused } = await this.inTime(
				host,
				DEADLINES_MS.other,
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
					`the webhook is paused and its deliveries are refused. ${explain(whyPaused)} If the service shows the ` +
					'identity again, the trigger resumes the webhook. Otherwise choose another identity and publish the workflow ' +
					'again.';
				reports.found('identity', message);
				host.log('error', message);
			}
		} catch (error) {
			checks.failed();
			const message = `the webhook could not be checked; the workflow stays active. ${explain(error)}`;
			const cause = error instanceof TookTooLong ? undefined : causeOf(error);
			if (cause) reports.found(cause, message);
			host.log(occasion === 'check' ? 'warn' : 'error', message);
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
function isAnothers(
	state: SubscriptionState,
	{ endpoint, workflowId, stored }: HookRequest,
): boolean {
	if (state.workflowId === undefined || state.workflowId === workflowId) return false;
	return stored?.instanceId !== endpoint.instanceId || stored.retired === true;
}
