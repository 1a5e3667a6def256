import type { SecretScope } from '../../shared/secret';
import { SubscriptionStates } from '../state/subscriptionState';
import { activate, activateAtStart } from '../subscription/activate';
import { explain } from '../logLines';
import { checkSubscription, type CheckOccasion } from '../subscription/check';
import { deactivate } from '../subscription/deactivate';
import type { HookHost, HookRequest, TriggerRequest } from '../state/hookRequest';
import {
	createSubscriptionMemory,
	type ChangedTimes,
	type SubscriptionMemory,
} from '../state/memory';
import type { NodeRecord } from '../state/nodeRecord';
import { SampleListening } from './sampleListening';
import { everyMinute } from '../state/checkSchedule';
import { fingerprintOf } from '../webhooks/subscriptionUrl';

/**
 * Keeps the subscriptions of all trigger nodes of a process right when n8n calls their hooks.
 *
 * | n8n calls | when | goal |
 * | --- | --- | --- |
 * | `checkExists` | before `create` | none, it returns false: `create` checks for itself, and a second check would be one more request |
 * | `create` | activation, or an edit of an active workflow | active; a failure is thrown, n8n then calls `delete` |
 * | `create`, at a start | n8n starts or becomes the leader | active; paused if the chosen identity is gone. A failure is logged: if it were thrown, n8n would remove its own URL, while the subscription still delivers |
 * | `create`, mode manual | listening for a test event | active, for a separate subscription at the test URL; with Use Sample Email there is none, see `SampleListening` |
 * | `trigger` | together with `create`, in any order | registers the check, at intervals and for a delivery that found the restriction lost: active; paused if the chosen identity is gone |
 * | `delete` | deactivation, before an edit, after a failed activation, after a test event | paused; absent if so chosen, and for a test event. A failure is logged |
 * | `delete`, for a copy | it has the webhook ID of another workflow, so n8n did not publish it | none: the subscription belongs to the other workflow |
 */
export class Lifecycle {
	readonly states = new SubscriptionStates<NodeRecord>((scope) => this.repair(scope));

	private readonly memory: SubscriptionMemory;

	private readonly sampleListening = new SampleListening();

	/** @param changed for tests */
	constructor(changed?: ChangedTimes) {
		this.memory = createSubscriptionMemory(this.states, changed);
	}

	/** @throws NodeOperationError that describes the problem and its solution in one line; never at a start */
	async create(request: HookRequest): Promise<void> {
		const { endpoint, occasion, options } = request;
		if (endpoint.listening === 'test' && options.useSampleEmail)
			return await this.sampleListening.begin(request);
		// n8n does not always call `delete` after a sample email.
		this.sampleListening.end(endpoint.address);
		if (occasion === 'start') await activateAtStart(request, this.memory);
		else await activate(request, this.memory);
	}

	/** Never fails. */
	async remove(request: HookRequest): Promise<void> {
		const wasForSample = this.sampleListening.end(request.endpoint.address);
		// Then there is no subscription.
		if (wasForSample) return;
		if (request.unreadable !== undefined) request.log('error', explain(request.unreadable));
		await deactivate(request, this.memory);
	}

	/** Registers the check of an active node. */
	trigger(request: TriggerRequest): void {
		const { scope, checkEveryMinutes, isPublished } = request;
		if (!isPublished) return;
		// Also without checks at intervals, because a delivery may find the restriction lost.
		this.states.at(scope).node.trigger = request;
		if (checkEveryMinutes === 0) return;
		request.schedule(everyMinute(fingerprintOf(scope)), async () => {
			await this.checkIfDue(request, scope, 'check');
			request.report(this.states.at(scope).node.active?.reports.due());
		});
	}

	/** For a delivery that found the restriction of a subscription lost. */
	private repair(scope: SecretScope): void {
		const { trigger } = this.states.at(scope).node;
		if (trigger) void this.checkIfDue(trigger, scope, 'restrictionLost');
	}

	private async checkIfDue(
		host: HookHost,
		scope: SecretScope,
		occasion: Exclude<CheckOccasion, 'start'>,
	): Promise<void> {
		const { active } = this.states.at(scope).node;
		const isHurried = occasion === 'restrictionLost';
		if (!active || !active.checks.begin(isHurried)) return;
		await this.states.inTurn(scope, async () => {
			// The node was deactivated, or activated again, while this waited.
			if (this.states.at(scope).node.active !== active) return;
			await checkSubscription(host, active, occasion, this.memory);
		});
	}
}
