import { CANNOT_CREATE, mayHaveBeenDone, statusOf } from '../../api/errors';
import type { Webhook } from '../../api/resources';
import { urlByHand } from './address';
import { plan, type Action, type DesiredState, type Goal } from './plan';
import { NoLongerOwn, OtherCreated, type OwnWebhooks, type Seen, type Target } from './recognise';

export interface Outcome {
	/** The subscription that remains; undefined if there is none, or it is unknown. */
	kept?: Webhook;
	/** The actions that the first look found necessary. */
	needed: Action[];
	done: Action[];
}

/** What this process knows of an address beyond what the list shows. */
export interface Created {
	/** IDs of subscriptions that the last list did not show. They only help to find these. */
	ids: Set<string>;
	/** Whether there may be another one: the answer to the last creation was lost. */
	mayBeMore: boolean;
}

const MAX_ROUNDS = 5;

/**
 * Reaches a goal: observes, plans, acts, and repeats this if an action failed.
 *
 * | goal | failed action | reason | then |
 * | --- | --- | --- | --- |
 * | on | create | it may have been created | look again; if it was not, create it once more |
 * | on | create | the response shows something else | look again; if there still is none, throw |
 * | on | create | any other | throw; if the service cannot create at all, the error says what to create by hand |
 * | on | update, delete | deleted meanwhile, or its ID given to another one | look again |
 * | on | update | 400 or 422 for removing the restriction to an identity | delete it and look again (which creates it) |
 * | on | any | any other | throw |
 * | paused, absent | update, delete | deleted meanwhile, or its ID given to another one | ignore |
 * | paused, absent | update, delete | any other | continue with the others, then throw |
 * | paused, absent | reading the list | any | act on the known subscriptions that the service shows one by one, then throw |
 */
export class Reconciliation {
	private readonly outcome: Outcome = { needed: [], done: [] };

	/** For the goal `on`, the last failure; for other goals, the first. */
	private failure: unknown;

	constructor(
		readonly webhooks: OwnWebhooks,
		private readonly created: Created,
	) {}

	/**
	 * @param approve selects the actions to perform; all by default
	 * @throws NodeApiError from the service, or Error, when the goal cannot be reached
	 */
	async reach(goal: Goal, approve?: (actions: Action[]) => Promise<Action[]>): Promise<Outcome> {
		const { outcome } = this;
		const isOn = goal.state === 'on';
		for (let round = 1; round <= MAX_ROUNDS; round++) {
			const { kept, actions } = plan(goal, await this.look(isOn));
			outcome.kept = kept;
			if (round === 1) outcome.needed = actions;
			if (await this.act(approve ? await approve(actions) : actions, isOn)) return outcome;
		}
		throw this.failure;
	}

	/** Known subscriptions that are not in the list are fetched by their IDs, so that they are not created again. */
	private async look(isOn: boolean): Promise<Seen> {
		const { webhooks, created } = this;
		const orGoOn =
			<Nothing>(nothing: Nothing) =>
			(error: unknown) => {
				if (isOn) throw error;
				this.failure ??= error;
				return nothing;
			};
		const listed = await webhooks.list().catch(orGoOn([]));
		const known = [webhooks.target.stored?.id ?? [], ...created.ids].flat();
		const unlisted = [...new Set(known)].filter((id) => !listed.some((one) => one.id === id));
		created.ids = new Set(unlisted);
		const fetchOne = async (id: string) => {
			const fetched = await webhooks.get(id);
			if (!fetched) created.ids.delete(id);
			return fetched ?? [];
		};
		const fetched = await Promise.all(
			unlisted.map(async (id) => await fetchOne(id).catch(orGoOn([]))),
		);
		return await webhooks.recognise([...listed, ...fetched.flat()]);
	}

	/** @returns whether no other look is needed */
	private async act(actions: readonly Action[], isOn: boolean): Promise<boolean> {
		for (const action of actions) {
			try {
				await this.perform(action);
				this.outcome.done.push(action);
			} catch (error) {
				if (isOn) {
					await this.judge(action, error);
					return false;
				}
				if (!isGone(error)) this.failure ??= error;
			}
		}
		if (!isOn && this.failure !== undefined) throw this.failure;
		return true;
	}

	private async perform(action: Action): Promise<void> {
		if (action.kind === 'create') await this.create(action.desired);
		else if (action.kind === 'delete') await this.remove(action.id);
		else await this.webhooks.update(action.id, action.changes);
	}

	private async create(desired: DesiredState): Promise<void> {
		const { webhooks, created } = this;
		// A second one would not be shown either.
		if (this.failure instanceof OtherCreated) throw this.failure;
		this.outcome.kept = await webhooks.create(desired, (id) => created.ids.add(id));
		created.mayBeMore = false;
	}

	private async remove(id: string): Promise<void> {
		await this.webhooks.remove(id);
		this.created.ids.delete(id);
	}

	/** Implements the table for the goal `on`. Returns if another look can help. */
	private async judge(action: Action, error: unknown): Promise<void> {
		const isRepeated = error === this.failure;
		this.failure = error;
		const status = statusOf(error) ?? 0;
		if (action.kind === 'create') {
			const { created } = this;
			if (error instanceof OtherCreated && !isRepeated) return;
			const isFirst = !created.mayBeMore;
			created.mayBeMore ||= mayHaveBeenDone(error);
			if (isFirst && created.mayBeMore) return;
			throw CANNOT_CREATE.includes(status)
				? createByHand(this.webhooks.target, action.desired)
				: error;
		}
		if (isGone(error)) return;
		const isLifting = action.kind === 'update' && action.changes.identityId === null;
		if (!isLifting || ![400, 422].includes(status)) throw error;
		await this.remove(action.id);
	}
}

const isGone = (error: unknown): boolean => error instanceof NoLongerOwn || statusOf(error) === 404;

/** Some services cannot create subscriptions through their API (Kurrier 3.5.0: always 500). */
function createByHand(target: Target, { events }: DesiredState): Error {
	const instead =
		target.listening === 'test'
			? 'there are no test events, because they need their own webhook: publish the workflow and look at its executions.'
			: `create the webhook in the service, with ${urlByHand(target)} and the event ${events.join(', ')}. Then publish ` +
				'the workflow again: the trigger takes over the webhook and sets the rest.';
	return new Error(
		`The service could not create the webhook through its API. If this never works, ${instead}`,
	);
}
