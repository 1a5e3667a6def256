import { CANNOT_CREATE, mayHaveActed, statusOf } from '../../api/errors';
import { toWebhook, type Webhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import { urlByHand } from './address';
import { plan, type Action, type Goal } from './plan';
import { recognise, type Seen, type Target } from './recognise';

export interface Outcome {
	/** The subscription that remains; undefined if there is none, or it is unknown. */
	kept?: Webhook;
	/** The actions that the first look found necessary. */
	needed: Action[];
	done: Action[];
}

/** What this process created for a target. */
export interface Created {
	/** The list may not show them yet. */
	ids: Set<string>;
	/** Whether there may be another one: the answer to a creation was lost. */
	mayBeMore: boolean;
}

export interface ReconcileOptions {
	service: EmailIdentityService;
	target: Target;
	created: Created;
	/** Whether this n8n listens for a test event at a URL. */
	isInUse(url: string): boolean;
	/** Selects the actions to perform; all by default. */
	approve?(actions: Action[]): Promise<Action[]>;
}

const MAX_ROUNDS = 5;

const MAX_CREATIONS = 2;

/** With these, a subscription does not exist for the API key. */
const NOT_SHOWN: ReadonlySet<number | undefined> = new Set([403, 404]);

/** Statuses for refused values. */
const REFUSED_VALUES: ReadonlySet<number | undefined> = new Set([400, 422]);

/**
 * Reaches the goal: observes, plans, acts, and repeats this if an action failed.
 *
 * | goal | failed action | reason | then |
 * | --- | --- | --- | --- |
 * | on | create | it may have been created | look again; if it was not, create it once more |
 * | on | create | any other | throw; if the service cannot create at all, the error says what to create by hand |
 * | on | update, delete | 404, deleted meanwhile | look again |
 * | on | update | 400 or 422 for removing the restriction to an identity | delete it and look again (which creates it) |
 * | on | any | any other | throw |
 * | paused, absent | update, delete | 404 | ignore |
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

	/** For the goal `on`, the last failure; for other goals, the first. */
	private failure: unknown;

	private failedCreations = 0;

	constructor(
		private readonly goal: Goal,
		private readonly options: ReconcileOptions,
	) {}

	async run(): Promise<Outcome> {
		const { outcome, goal, options } = this;
		for (let round = 1; round <= MAX_ROUNDS; round++) {
			const { kept, actions } = plan(goal, await this.look());
			outcome.kept = kept;
			if (round === 1) outcome.needed = actions;
			if (await this.act(options.approve ? await options.approve(actions) : actions))
				return outcome;
		}
		throw this.failure;
	}

	/** Known subscriptions that are not in the list are fetched by their IDs, so that they are not created again. */
	private async look(): Promise<Seen> {
		const { service, target, created, isInUse } = this.options;
		const isOn = this.goal.state === 'on';
		const ids = [...new Set([...(target.stored ? [target.stored.id] : []), ...created.ids])];
		const listed = await service.listWebhooks().catch((error: unknown) => {
			if (isOn) throw error;
			this.failure = error;
			return [];
		});
		const shown = listed.map(toWebhook);
		const missing = ids.filter((id) => !shown.some((webhook) => webhook.id === id));
		const fetchOne = async (id: string) =>
			await service.getWebhook(id).then(
				(entry) => [toWebhook(entry)],
				(error: unknown) => {
					if (NOT_SHOWN.has(statusOf(error))) return [];
					throw error;
				},
			);
		const fetched = await Promise.all(isOn ? missing.map(fetchOne) : []);
		return recognise([...shown, ...fetched.flat()], target, ids, isInUse);
	}

	/** @returns whether no other look is needed */
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
				if (statusOf(error) !== 404) this.failure ??= error;
			}
		}
		if (this.goal.state !== 'on' && this.failure !== undefined) throw this.failure;
		return true;
	}

	private async perform(action: Action): Promise<void> {
		if (action.kind === 'create') await this.create();
		else if (action.kind === 'delete') await this.remove(action.id);
		else await this.options.service.updateWebhook(action.id, action.changes);
	}

	private async create(): Promise<void> {
		if (this.goal.state !== 'on') return;
		const { service, created } = this.options;
		const ownerId = await service.ownerId();
		const { identityId, ...fields } = this.goal.desired;
		const restriction = identityId === null ? {} : { identityId };
		const entry = await service.createWebhook({ ...fields, ...restriction, ownerId });
		this.outcome.kept = { ...toWebhook(entry), ownerId };
		created.ids.add(this.outcome.kept.id);
	}

	private async remove(id: string): Promise<void> {
		await this.options.service.deleteWebhook(id);
		this.options.created.ids.delete(id);
	}

	/** Implements the table for the goal `on`. Returns if another look can help. */
	private async judge(action: Action, error: unknown, events: readonly string[]): Promise<void> {
		this.failure = error;
		if (action.kind === 'create') {
			this.failedCreations++;
			this.options.created.mayBeMore ||= mayHaveActed(error);
			if (mayHaveActed(error) && this.failedCreations < MAX_CREATIONS) return;
			const cannotCreate = CANNOT_CREATE.includes(statusOf(error) ?? 0);
			throw cannotCreate ? createByHand(this.options.target, events) : error;
		}
		if (statusOf(error) === 404) return;
		const isLifting = action.kind === 'update' && action.changes.identityId === null;
		if (!isLifting || !REFUSED_VALUES.has(statusOf(error))) throw error;
		await this.remove(action.id);
	}
}

/** Some services cannot create subscriptions through their API (Kurrier 3.5.0: always 500). */
function createByHand(target: Target, events: readonly string[]): Error {
	const instead =
		target.listening === 'test'
			? 'there are no test events, because they need their own webhook: publish the workflow and look at its executions.'
			: `create the webhook in the service, with ${urlByHand(target)} and the event ${events.join(', ')}. Then publish ` +
				'the workflow again: the trigger takes over the webhook and sets the rest.';
	return new Error(
		`The service could not create the webhook through its API. If this never works, ${instead}`,
	);
}
