import { CANNOT_CREATE, mayHaveBeenDone, statusOf } from '../../api/errors';
import type { Webhook } from '../../api/resources';
import { urlByHand } from './subscriptionUrl';
import { NoLongerOwn, OtherCreated, type OwnWebhooks, type Seen, type Target } from './ownWebhooks';
import { plan, type Action, type DesiredState, type Goal } from './plan';
import { stateKey, type SubscriptionStates } from '../subscriptionState';

export interface Outcome {
	kept?: Webhook;
	/** When the last list was asked for, see `WebhookList`. */
	askedAt: number;
	unlisted: string[];
	/** What the first look found to do. */
	needed: Action[];
	done: Action[];
}

const MAX_ROUNDS = 5;

/**
 * Reaches a goal: observes, plans, acts, and repeats this if an action failed.
 *
 * | goal | failed action | reason | then |
 * | --- | --- | --- | --- |
 * | on | create | the response shows something else | look again; if there still is none, throw |
 * | on | create | any other | throw; if the service cannot create at all, the error says what to create by hand |
 * | on | update, delete | deleted meanwhile, or its ID given to another one | look again |
 * | on | update | 400 or 422 for removing the restriction to an identity | delete it and look again (which creates it) |
 * | on | any | any other | throw |
 * | paused, absent | update, delete | deleted meanwhile, or its ID given to another one | look again; if it is still listed, continue with the others, then throw |
 * | paused, absent | update, delete | any other | continue with the others, then throw |
 * | paused, absent | reading the list | any | act on the known subscriptions that the service shows one by one, then throw |
 */
export class Reconciliation {
	private readonly outcome: Outcome = { askedAt: -Infinity, unlisted: [], needed: [], done: [] };

	/** For the goal `on`, the last failure; for other goals, the first. */
	private failure: unknown;

	private readonly key: string;

	constructor(
		readonly webhooks: OwnWebhooks,
		private readonly states: SubscriptionStates,
	) {
		this.key = stateKey(webhooks.target);
	}

	/** @param mayShare whether a list of a few seconds ago is enough to see that nothing must be changed */
	async reach(
		goal: Goal,
		approve = async (actions: Action[]) => await Promise.resolve(actions),
		mayShare = false,
	): Promise<Outcome> {
		const { outcome } = this;
		const isOn = goal.state === 'on';
		for (let round = 1; round <= MAX_ROUNDS; round++) {
			let planned = plan(goal, await this.look(isOn, mayShare && round === 1));
			if (mayShare && round === 1 && planned.actions.length > 0)
				planned = plan(goal, await this.look(isOn, false));
			const { kept, actions } = planned;
			outcome.kept = kept;
			if (round === 1) outcome.needed = actions;
			const approved = await approve(actions);
			if (isOn ? await this.act(approved) : await this.switchOff(approved, round)) return outcome;
		}
		throw this.failure;
	}

	/** Known subscriptions that are not in the list are fetched by their IDs, so that they are not created again. */
	private async look(isOn: boolean, mayBeShared: boolean): Promise<Seen> {
		const { webhooks, outcome } = this;
		const { stored } = webhooks.target;
		const orGoOn = (error: unknown) => {
			if (isOn) throw error;
			this.failure ??= error;
			return null;
		};
		const list = await webhooks.list(mayBeShared).catch(orGoOn);
		const listed = list?.webhooks ?? [];
		outcome.askedAt = list?.askedAt ?? outcome.askedAt;
		const known = [stored?.id ?? [], ...this.states.at(this.key).ids].flat();
		const ids = [...new Set(known)].filter((id) => !listed.some((one) => one.id === id));
		const fetched = await Promise.all(ids.map(async (id) => await webhooks.get(id).catch(orGoOn)));
		outcome.unlisted = ids.filter((_, index) => fetched[index] !== undefined);
		const seen = await webhooks.recognize([...listed, ...fetched.filter((one) => !!one)]);
		const own = seen.own.map(({ id }) => id);
		const shown = [...new Set([...own, ...outcome.unlisted])];
		this.states.apply(this.key, { kind: 'listed', ids: shown });
		return seen;
	}

	private async act(actions: readonly Action[]): Promise<boolean> {
		for (const action of actions) {
			try {
				await this.perform(action);
			} catch (error) {
				await this.judge(action, error);
				return false;
			}
		}
		return true;
	}

	private async switchOff(actions: readonly Action[], round: number): Promise<boolean> {
		let isGoneNow = false;
		for (const action of actions) {
			try {
				await this.perform(action);
			} catch (error) {
				// One that is still listed was not deleted meanwhile: the service does not find it by its ID.
				if (isGone(error) && round === 1) isGoneNow = true;
				else this.failure ??= error;
			}
		}
		if (this.failure !== undefined) throw this.failure;
		return !isGoneNow;
	}

	private async perform(action: Action): Promise<void> {
		const { webhooks, outcome } = this;
		if (action.kind === 'delete') await webhooks.remove(action.id);
		else if (action.kind === 'update') await webhooks.update(action.id, action.changes);
		else {
			// The service would answer with another webhook again.
			if (this.failure instanceof OtherCreated) throw this.failure;
			outcome.kept = await webhooks.create(action.desired);
			this.created([outcome.kept.id]);
		}
		outcome.done.push(action);
	}

	private created(ids: string[]): void {
		const known = this.states.at(this.key).ids;
		this.states.apply(this.key, { kind: 'created', ids: [...known, ...ids] });
	}

	/** Returns if another look can help. */
	private async judge(action: Action, error: unknown): Promise<void> {
		const isRepeated = error === this.failure;
		this.failure = error;
		const { target } = this.webhooks;
		const status = statusOf(error) ?? 0;
		if (action.kind === 'create') {
			const ids = error instanceof OtherCreated ? [error.id] : [];
			if (ids.length > 0 || mayHaveBeenDone(error)) this.created(ids);
			if (ids.length > 0 && !isRepeated) return;
			throw CANNOT_CREATE.includes(status) ? createByHand(target, action.desired) : error;
		}
		if (isGone(error)) return;
		const isLifting = action.kind === 'update' && action.changes.identityId === null;
		if (!isLifting || ![400, 422].includes(status)) throw error;
		await this.webhooks.remove(action.id);
	}
}

const isGone = (error: unknown): boolean => error instanceof NoLongerOwn || statusOf(error) === 404;

const GUIDE =
	'https://github.com/n8n-nodes-email-identity/n8n-nodes-email-identity/blob/HEAD/docs/kurrier.md';

/** The editor cuts long messages, so the way out comes first. */
function createByHand(target: Target, { events }: DesiredState): Error {
	const why = 'the service could not create the webhook through its API';
	return new Error(
		target.listening === 'test'
			? `Turn on 'Use Sample Email' to build the workflow: ${why}, so there are no test events. To receive emails, create one ` +
					`there with the production URL under 'Webhook URLs', then publish. More: ${GUIDE}`
			: `Create the webhook in the service, with ${urlByHand(target)} and the event ${events.join(', ')}, then publish ` +
					`again: ${why}. To build without test events, turn on 'Use Sample Email'. More: ${GUIDE}`,
	);
}
