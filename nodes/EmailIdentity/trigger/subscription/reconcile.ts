import { CANNOT_CREATE, mayHaveActed, statusOf } from '../../api/errors';
import { toWebhook, type Webhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
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
	/** The subscription that remains; undefined if there is none, or it is unknown. */
	kept?: Pick<Webhook, 'id' | 'ownerId' | 'workspaceId'>;
	/** The actions that the first look found necessary. */
	needed: Action[];
	done: Action[];
}

export interface ReconcileOptions {
	service: EmailIdentityService;
	target: Target;
	writes: OwnWrites;
	isLeftBehind: IsLeftBehind;
	/** Selects the actions to perform; all by default. */
	approve?(actions: Action[]): Promise<Action[]>;
}

const MAX_ROUNDS = 5;

/** Creating is repeated if the answer was lost and nothing was created. */
const MAX_CREATIONS = 2;

/** Statuses for refused values. */
const REFUSED_VALUES: ReadonlySet<number | undefined> = new Set([400, 422]);

/**
 * Reaches the goal: observes, plans, acts, and repeats this if an action failed.
 *
 * | goal | failed action | reason | then |
 * | --- | --- | --- | --- |
 * | on | create | it cannot have been created, or this is the second failure | throw; if the service cannot create at all, the error says what to create by hand |
 * | on | create | it may have been created | look again; if it was not, create once more and look at the result |
 * | on | update, delete | 404, deleted meanwhile | look again; if it is still shown, it counts as deleted the second time |
 * | on | update | 400 or 422 for removing the restriction to an identity | delete it and look again (which creates it) |
 * | on | update of one that is not shown | the ID does not exist | look again (which creates it) |
 * | on | any | any other | throw |
 * | paused, absent | update, delete | 404, or the ID does not exist | ignore |
 * | paused, absent | update, delete | any other | continue with the others, then throw |
 * | paused, absent | reading the list | any | act on the known subscriptions, then throw |
 *
 * @throws NodeApiError from the service, or Error, when the goal cannot be reached
 */
export async function reconcile(goal: Goal, options: ReconcileOptions): Promise<Outcome> {
	return await new Reconciliation(goal, options).run();
}

class Reconciliation {
	private readonly outcome: Outcome = { needed: [], done: [] };

	/** IDs of the node's own subscriptions that the service did not show last. */
	private hidden = new Set<string>();

	/** IDs of subscriptions that were shown but did not exist. */
	private readonly notFound = new Set<string>();

	private creations = 0;

	/** For the goal `on`, the last failure; for other goals, the first. */
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
			// If the answer to a creation was lost, there may be two.
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

	/** @returns whether all actions succeeded or need no repetition */
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

	/** Implements the table for the goal `on`. Returns if another look can help. */
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

/** Some services cannot create subscriptions through their API (Kurrier 3.5.0: always 500). */
function cannotCreate(target: Target, events: readonly string[]): Error {
	const byHand =
		`create the webhook in the service, with ${urlByHand(target)} and the event ${events.join(', ')}. Then publish the ` +
		'workflow again: the trigger takes over the webhook and sets the rest.';
	const isTest = target.listening === 'test';
	const instead = isTest
		? 'there are no test events, because they need their own webhook: publish the workflow and look at its executions.'
		: byHand;
	return new Error(
		`The service could not create the webhook through its API. If this never works, ${instead}`,
	);
}

function isRefusedLifting({ identityId }: WebhookState, error: unknown): boolean {
	return identityId === null && REFUSED_VALUES.has(statusOf(error));
}
