import type { RetryPolicy } from '../../api/retry';
import { createKeyedQueue } from '../../lib/concurrency';
import { Restrictions } from '../restriction';
import { SampleListening } from '../sample/sampleListening';
import type { Listening } from '../secret';
import { isSameStored } from '../staticData';
import { nodeKey, type Endpoint } from './address';
import { explain, type HookRequest, type Host, type TriggerRequest } from './hookRequest';
import { Checks, describe, everyMinute } from './plan';
import type { Outcome } from './reconcile';
import { IdentityUnusable, Subscriptions, type Watch } from './subscription';

/** What n8n last asked to listen for at an address. */
interface Listener {
	listening: Listening;
	/** The workflow of the node; undefined once it is over. */
	workflowId: string | undefined;
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
	/** Milliseconds since 1970. */
	private readonly now: () => number;

	private readonly restrictions: Restrictions;

	/**
	 * By address. n8n may call hooks of one node while an earlier one still waits for the service (cancelling
	 * a test event while it is being set up, deactivating while the check runs).
	 */
	private readonly inQueue = createKeyedQueue();

	/** The active nodes of this process, see `nodeKey`. */
	private readonly watches = new Map<string, Watch>();

	/** By address: `delete` is not told what n8n listened for. */
	private readonly listeners = new Map<string, Listener>();

	private readonly subscriptions: Subscriptions;

	private readonly sampleListening = new SampleListening();

	constructor({
		retry = {},
		now = Date.now,
		restrictions = new Restrictions(),
	}: { retry?: Partial<RetryPolicy>; now?: () => number; restrictions?: Restrictions } = {}) {
		this.now = now;
		this.restrictions = restrictions;
		this.subscriptions = new Subscriptions(restrictions, retry, now);
	}

	/**
	 * For an activation, and for a test event to come.
	 *
	 * @throws NodeOperationError that says in one line what happened and what to do; never at a start
	 */
	async create(request: HookRequest): Promise<true> {
		const { endpoint, listening, workflowId, occasion } = request;
		const { address, webhookPath } = endpoint;
		if (listening === 'test' && request.useSampleEmail) {
			await this.sampleListening.begin(request);
			return true;
		}
		// n8n does not always call `delete` for the sample email that was listened for there before.
		this.sampleListening.end(address);
		this.listeners.set(address, { listening, workflowId });
		if (listening === 'test') this.subscriptions.testListening.begin(webhookPath);
		try {
			await this.inQueue(address, async () => {
				const watch = this.beginWatch(request);
				if (occasion === 'publish') await this.subscriptions.bringOn(request, watch, occasion);
				else await this.lookAfter(request, watch, occasion);
				const { stored } = watch;
				if (stored && !isSameStored(stored, request.stored)) request.store(stored);
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

	/** For the end of listening, for mail or for a test event. Never throws. */
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
				// Again: an activation may have been waiting before this.
				this.endWatch(endpoint);
				await this.subscriptions.bringOff(request, listener?.listening);
			});
		} catch (error) {
			// n8n tries a failed activation several times, and calls `delete` after each.
			if (this.subscriptions.mayBeOn(request)) {
				const where = deliveryUrl === '' ? address : 'the Delivery URL';
				request.log(
					'warn',
					`the webhook subscription could not be switched off, so the service may go on sending to ${where}, ` +
						'which n8n refuses. The next activation repairs it; until then you can pause it in the service. ' +
						explain(error),
				);
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

	/** Looks at the subscription of an active node when that is due, and repairs it. Never throws. */
	private async check(host: Host, key: string, isHurried: boolean): Promise<void> {
		const watch = this.watches.get(key);
		if (!watch?.checks.begin(this.now(), isHurried)) return;
		await this.inQueue(watch.endpoint.address, async () => {
			// Deactivated, or activated anew, while this waited.
			if (this.watches.get(key) === watch) await this.lookAfter(host, watch, 'check');
		});
	}

	/** For starts and checks, where there is no user to tell. Never throws. */
	private async lookAfter(host: Host, watch: Watch, occasion: 'start' | 'check'): Promise<void> {
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
				`repaired the webhook subscription (${describe(withoutEffect)}), but the service still shows the old state. ` +
					'No further attempt is made: check it in the service, then publish the workflow again.',
			);
		}
		if (done.length > 0) {
			host.log('info', `repaired the webhook subscription ${kept?.id ?? ''} (${describe(done)}).`);
		}
	}

	private notePause(host: Host, watch: Watch, reason: IdentityUnusable): void {
		watch.checks.looked([], [], this.now());
		if (watch.isGoneLogged) return;
		watch.isGoneLogged = true;
		host.log(
			'error',
			`the webhook subscription is paused, and its deliveries are refused. ${explain(reason)} The subscription resumes ` +
				'by itself when the service shows the identity again; a new identity has to be chosen again.',
		);
	}

	private beginWatch(request: HookRequest): Watch {
		const { endpoint, listening, occasion, stored } = request;
		const parameters = request.parameters(occasion === 'publish');
		const checks = new Checks(parameters.checkEvery, this.now());
		const watch: Watch = { endpoint, listening, parameters, stored, checks, isGoneLogged: false };
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
}

function logUnchecked(host: Host, occasion: 'start' | 'check', error: unknown): void {
	const level = occasion === 'check' ? 'warn' : 'error';
	const what = 'the webhook subscription could not be checked; the workflow stays active.';
	host.log(level, `${what} ${explain(error)}`);
}
