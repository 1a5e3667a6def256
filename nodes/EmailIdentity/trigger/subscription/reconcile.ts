import { CANNOT_CREATE, mayHaveBeenDone, statusOf } from '../../api/errors';
import type { Webhook } from '../../api/resources';
import { created, enabling, notCreated, observed } from '../subscriptionState';
import { CannotCreate } from './cannotCreate';
import type { NodeSubscription } from './nodeRecord';
import {
	NoLongerOwn,
	OtherCreated,
	type ObserveOptions,
	type OwnWebhooks,
	type Snapshot,
} from './ownWebhooks';
import { planActive, planInactive, type Action, type Goal } from './plan';

export interface Outcome {
	/** The subscription of the node; undefined if it has none. */
	kept: Webhook | undefined;
	/** The last look. */
	snapshot: Snapshot;
	/** The actions that the first look asked for. */
	needed: Action[];
	done: Action[];
}

const MAX_ROUNDS = 5;

/** Looks at the subscriptions of a node, and keeps what it saw. */
export async function observe(
	webhooks: OwnWebhooks,
	record: NodeSubscription,
	options?: ObserveOptions,
): Promise<Snapshot> {
	const snapshot = await webhooks.observe(record.state.ids, options);
	const { own, unlisted, failure } = snapshot;
	const ids = new Set([...own.map(({ id }) => id), ...unlisted]);
	if (snapshot.askedAt === -Infinity) record.state.ids.forEach((id) => ids.add(id));
	const isAnyEnabled = own.some(({ enabled }) => enabled !== false);
	record.state = observed(record.state, {
		ids: [...ids],
		mayDeliver: failure === undefined || isAnyEnabled ? isAnyEnabled : undefined,
	});
	return snapshot;
}

/**
 * Makes the subscription of an active node as it should be. After an action that failed because the service has changed, it
 * looks again and plans again.
 *
 * @param snapshot the first look
 * @param approve the actions to carry out now; a check leaves some for later
 * @throws what an action threw, if another look cannot help
 */
export async function reconcile(
	webhooks: OwnWebhooks,
	record: NodeSubscription,
	goal: Goal,
	snapshot: Snapshot,
	approve: (actions: Action[]) => Action[] = (actions) => actions,
): Promise<Outcome> {
	let seen = snapshot;
	let needed: Action[] | undefined;
	let failure: unknown;
	const done: Action[] = [];
	for (let round = 1; round <= MAX_ROUNDS; round++) {
		if (seen.failure !== undefined) throw seen.failure;
		const plan = planActive(seen.own, goal);
		let { kept } = plan;
		needed ??= plan.actions;
		let isToBeRepeated = false;
		for (const action of approve(plan.actions)) {
			// The service would answer with another webhook again.
			if (action.kind === 'create' && failure instanceof OtherCreated) throw failure;
			webhooks.forgetList();
			try {
				kept = (await act(webhooks, record, action)) ?? kept;
				done.push(action);
			} catch (error) {
				await requireAnotherLook(webhooks, action, error, failure);
				failure = error;
				isToBeRepeated = true;
				break;
			} finally {
				webhooks.forgetList();
			}
		}
		if (!isToBeRepeated) return { kept, snapshot: seen, needed, done };
		seen = await observe(webhooks, record);
	}
	throw failure;
}

/** @returns a subscription that was created */
async function act(
	webhooks: OwnWebhooks,
	record: NodeSubscription,
	action: Action,
): Promise<Webhook | undefined> {
	if (action.kind === 'delete') {
		await webhooks.remove(action.id);
		return undefined;
	}
	const isPausing = action.kind === 'update' && action.changes.enabled === false;
	if (!isPausing) record.state = enabling(record.state);
	if (action.kind === 'update') {
		await webhooks.update(action.id, action.changes);
		return undefined;
	}
	const webhook = await webhooks.create(action.desired).catch((error: unknown) => {
		if (error instanceof OtherCreated) record.state = created(record.state, error.id);
		else if (isRefusedCreation(error)) record.state = notCreated(record.state);
		throw error;
	});
	record.state = created(record.state, webhook.id);
	return webhook;
}

/** Whether the service answered that it did not create the subscription. Without an answer, it may have. */
function isRefusedCreation(error: unknown): boolean {
	return cannotCreate(error) || !mayHaveBeenDone(error);
}

function cannotCreate(error: unknown): boolean {
	return CANNOT_CREATE.includes(statusOf(error) ?? 0);
}

/** Statuses that refuse to remove the restriction to an identity. */
const INVALID: readonly number[] = [400, 422];

/**
 * Returns if another look can help.
 *
 * | failed action | reason | then |
 * | --- | --- | --- |
 * | create | the service cannot create at all | throw what to create by hand; the request is not repeated |
 * | create | no answer, or the response shows something else | look again; the second time, throw |
 * | update, delete | deleted meanwhile, or its ID given to another one | look again |
 * | update | 400 or 422 for removing the restriction to an identity | delete it and look again (which creates it) |
 * | any | any other | throw |
 */
async function requireAnotherLook(
	webhooks: OwnWebhooks,
	action: Action,
	error: unknown,
	failureBefore: unknown,
): Promise<void> {
	if (action.kind === 'create') {
		if (cannotCreate(error)) throw new CannotCreate(webhooks.target, action.desired.events);
		const mayExist = error instanceof OtherCreated || mayHaveBeenDone(error);
		if (mayExist && failureBefore === undefined) return;
		throw error;
	}
	if (isGone(error)) return;
	const isLifting = action.kind === 'update' && action.changes.identityId === null;
	if (!isLifting || !INVALID.includes(statusOf(error) ?? 0)) throw error;
	await webhooks.remove(action.id);
}

function isGone(error: unknown): boolean {
	return error instanceof NoLongerOwn || statusOf(error) === 404;
}

/**
 * Pauses or deletes all subscriptions of a node. A failure does not keep it from the others; if the list cannot be read, the
 * known subscriptions are switched off that the service shows one by one.
 *
 * @throws the first failure, at the end
 */
export async function switchOff(
	webhooks: OwnWebhooks,
	record: NodeSubscription,
	state: 'absent' | 'paused',
): Promise<Outcome> {
	const done: Action[] = [];
	let failure: unknown;
	for (let round = 1; ; round++) {
		const snapshot = await observe(webhooks, record, { isPartEnough: true });
		failure ??= snapshot.failure;
		const actions = planInactive(snapshot.own, state);
		let isGoneMeanwhile = false;
		for (const action of actions) {
			webhooks.forgetList();
			try {
				await act(webhooks, record, action);
				done.push(action);
			} catch (error) {
				// One that is listed again was not deleted meanwhile: the service does not find it by its ID.
				if (isGone(error) && round === 1) isGoneMeanwhile = true;
				else failure ??= error;
			} finally {
				webhooks.forgetList();
			}
		}
		if (failure !== undefined) throw failure;
		if (!isGoneMeanwhile) return { kept: undefined, snapshot, needed: actions, done };
	}
}
