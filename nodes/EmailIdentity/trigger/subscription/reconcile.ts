import { CANNOT_CREATE, mayHaveActed, statusOf } from '../../api/errors';
import { toWebhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Webhook } from '../../api/types';
import type { WebhookState } from '../../shared/webhookDiff';
import { isNotShown } from '../restriction';
import { urlByHand } from './address';
import {
	observe,
	recognise,
	type IsLeftBehind,
	type OwnWrites,
	type Seen,
	type Target,
} from './observe';
import { plan, type Action, type Goal } from './plan';

export interface Outcome {
	/** The subscription that stays, as far as is known; undefined when there is none. */
	kept?: Pick<Webhook, 'id' | 'ownerId' | 'workspaceId'>;
	/** What the first look found to be done. */
	needed: Action[];
	done: Action[];
}

export interface ReconcileOptions {
	service: EmailIdentityService;
	target: Target;
	writes: OwnWrites;
	isLeftBehind: IsLeftBehind;
	/** Which of the actions are done; the others are only told. All, when left out. */
	approve?(actions: Action[]): Promise<Action[]>;
}

/** Each round looks anew; the service can't surprise a node that often. */
const MAX_ROUNDS = 5;

/** Creating is tried again once its answer was lost and a look showed that nothing had been created. */
const MAX_CREATIONS = 2;

/** Statuses of a service that refuses values. */
const REFUSED_VALUES: ReadonlySet<number | undefined> = new Set([400, 422]);

/**
 * Brings the service to the goal: observe, plan, act; where something went otherwise than planned, again.
 *
 * What a failed action means. None is guessed at:
 *
 * | goal | failed action | because | then |
 * | --- | --- | --- | --- |
 * | on | create | it can't have been created, or that is the second time | throw; where the service cannot create at all, saying what to create by hand |
 * | on | create | it may have been created | look again; if it was not, create once more, and look at the result |
 * | on | update, delete | 404, gone meanwhile | look again; what is still shown counts as gone the second time |
 * | on | update | 400 or 422 on lifting the restriction to an identity | delete it, look again (and so create it) |
 * | on | update of one that is not shown | there is nothing under this ID | look again (and so create it) |
 * | on | any | anything else | throw |
 * | paused, absent | update, delete | 404, or there is nothing under this ID | leave it |
 * | paused, absent | update, delete | anything else | go on with the others, then throw |
 * | paused, absent | the look at the list | any | act on what is known to have been made, then throw |
 *
 * @throws NodeApiError from the service, or Error, when the goal can't be reached
 */
export async function reconcile(goal: Goal, options: ReconcileOptions): Promise<Outcome> {
	return await new Reconciliation(goal, options).run();
}

class Reconciliation {
	private readonly outcome: Outcome = { needed: [], done: [] };

	/** IDs of the node's own subscriptions that the last look did not show. */
	private hidden = new Set<string>();

	/** IDs of subscriptions that were shown, and were not there. */
	private readonly notFound = new Set<string>();

	private creations = 0;

	/** What went wrong last while the node is to listen; first, where it is not to. */
	private failure: unknown;

	constructor(
		private readonly goal: Goal,
		private readonly options: ReconcileOptions,
	) {}

	async run(): Promise<Outcome> {
		const { outcome, goal, options } = this;
		for (let round = 1; round <= MAX_ROUNDS; round++) {
			const actions = await this.look();
			if (round === 1) outcome.needed = actions;
			const approved = options.approve ? await options.approve(actions) : actions;
			// After a creation whose answer was lost, there may be two.
			const isLast = this.creations === 0 || approved.length === 0;
			if ((await this.act(approved)) && isLast) {
				if (goal.state !== 'on' && this.failure !== undefined) throw this.failure;
				return outcome;
			}
		}
		throw this.failure;
	}

	private async look(): Promise<Action[]> {
		const seen = await this.observe();
		const hidden = seen.own.filter(({ shown }) => !shown);
		this.hidden = new Set(hidden.map(({ id }) => id));
		const { kept, actions } = plan(this.goal, seen);
		this.outcome.kept = kept?.shown;
		return actions;
	}

	private async observe(): Promise<Seen> {
		const { service, target, writes, isLeftBehind } = this.options;
		const isOn = this.goal.state === 'on';
		return await observe(service, target, writes, isLeftBehind, isOn).catch((error: unknown) => {
			if (isOn) throw error;
			this.failure = error;
			return recognise([], target, writes, isLeftBehind);
		});
	}

	/** @returns whether all went as planned */
	private async act(actions: readonly Action[]): Promise<boolean> {
		for (const action of actions) {
			try {
				await this.perform(action);
				this.outcome.done.push(action);
			} catch (error) {
				if (this.goal.state === 'on') {
					await this.judge(action, error, this.goal.desired.events);
					return false;
				}
				const isHidden = 'id' in action && this.hidden.has(action.id);
				const isGone = isHidden ? isNotShown(error) : statusOf(error) === 404;
				if (!isGone) this.failure ??= error;
			}
		}
		return true;
	}

	private async perform(action: Action): Promise<void> {
		const { service, writes } = this.options;
		if (action.kind === 'create') return await this.create();
		const { id } = action;
		if (action.kind === 'delete') return await this.remove(id);
		writes.wrote(id, action.changes, false);
		const updated = await service.updateWebhook(id, action.changes);
		writes.wrote(id, action.changes, true);
		if (this.hidden.has(id)) this.outcome.kept = { ...toWebhook(updated), id };
	}

	private async create(): Promise<void> {
		if (this.goal.state !== 'on') return;
		const { desired } = this.goal;
		const { service, writes } = this.options;
		this.creations++;
		const ownerId = await service.ownerId();
		const { identityId, ...fields } = desired;
		const restriction = identityId === null ? {} : { identityId };
		const entry = await service.createWebhook({ ...fields, ...restriction, ownerId }, async () => {
			const { own } = await this.observe();
			return !own.some(({ shown }) => shown);
		});
		const created = { ...toWebhook(entry), ownerId };
		writes.wrote(created.id, desired, true);
		this.outcome.kept = created;
	}

	private async remove(id: string): Promise<void> {
		await this.options.service.deleteWebhook(id);
		this.options.writes.removed(id);
	}

	/** The table for the goal `on`. Returns when another look can help. */
	private async judge(action: Action, error: unknown, events: readonly string[]): Promise<void> {
		const { target, writes } = this.options;
		this.failure = error;
		if (action.kind === 'create') {
			writes.mayHaveCreated ||= mayHaveActed(error);
			if (mayHaveActed(error) && this.creations < MAX_CREATIONS) return;
			throw CANNOT_CREATE.has(statusOf(error) ?? 0) ? cannotCreate(target, events) : error;
		}
		const { id } = action;
		if (this.hidden.has(id)) {
			if (!isNotShown(error)) throw error;
			writes.removed(id);
		} else if (statusOf(error) === 404) {
			if (this.notFound.has(id)) writes.removed(id);
			this.notFound.add(id);
		} else if (action.kind === 'update' && isRefusedLifting(action.changes, error)) {
			await this.remove(id);
		} else {
			throw error;
		}
	}
}

/** Some services have no working way to create subscriptions (Kurrier 3.5.0: 500 for everybody). */
function cannotCreate(target: Target, events: readonly string[]): Error {
	const byHand =
		`create one in the service's own page, with ${urlByHand(target)} and the event ${events.join(', ')}: once the ` +
		'workflow is published again, this node takes it over and sets the rest.';
	const isTest = target.listening === 'test';
	const instead = isTest
		? 'it has no test events, which need a webhook of their own: publish the workflow, and look at its executions.'
		: byHand;
	return new Error(
		`The service could not create the webhook through its API. If it never can, ${instead}`,
	);
}

function isRefusedLifting({ identityId }: WebhookState, error: unknown): boolean {
	return identityId === null && REFUSED_VALUES.has(statusOf(error));
}
