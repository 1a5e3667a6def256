import { mayHaveBeenDone, statusOf } from '../../api/failures/errors';
import type { Webhook } from '../../api/data/resources';
import { monotonicNow } from '../../../../lib/basics';
import { digestSecret } from '../../shared/secret';
import type { HookHost } from '../state/hookRequest';
import type { StoredSubscription } from '../staticData';
import { activated, dated } from '../state/subscriptionState';
import { CannotCreate, meansCannotCreate } from '../webhooks/cannotCreate';
import { isGone, OtherCreated, type OwnWebhooks, type Snapshot } from './ownWebhooks';
import { planActive, restricts, type Action, type Goal } from '../webhooks/plan';

export interface Outcome {
	/** The subscription of the node; undefined if it has none. */
	kept: Webhook | undefined;
	/** The last one. */
	snapshot: Snapshot;
	/** The actions that the first snapshot needed. */
	needed: Action[];
	done: Action[];
}

const MAX_ROUNDS = 5;

/**
 * Makes the subscription of an active node as it should be. After an action that failed because the service has changed, it
 * looks again and plans again.
 *
 * @param firstSnapshot the subscriptions of a moment ago
 * @param approve the actions to carry out now; a check leaves some for later
 * @throws what an action threw, if another look cannot help
 */
export async function reconcile(
	webhooks: OwnWebhooks,
	goal: Goal,
	firstSnapshot: Snapshot,
	approve: (actions: Action[]) => Action[] = (actions) => actions,
): Promise<Outcome> {
	let snapshot = firstSnapshot;
	let needed: Action[] | undefined;
	let failure: unknown;
	const done: Action[] = [];
	for (let round = 1; round <= MAX_ROUNDS; round++) {
		if (snapshot.failure !== undefined) throw snapshot.failure;
		const plan = planActive(snapshot.own, goal);
		needed ??= plan.actions;

		let { kept } = plan;
		let hasFailed = false;
		for (const action of approve(plan.actions)) {
			// The service would answer with another webhook again.
			if (action.kind === 'create' && failure instanceof OtherCreated) throw failure;
			try {
				const created = await webhooks.carryOut(action);
				kept = created ?? kept;
				done.push(action);
			} catch (error) {
				await requireAnotherLook(webhooks, action, error, failure);
				failure = error;
				hasFailed = true;
				break;
			}
		}
		if (!hasFailed) return { kept, snapshot, needed, done };
		snapshot = await webhooks.observe();
	}
	throw failure;
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
		if (meansCannotCreate(error)) throw new CannotCreate(webhooks.target, action.desired.events);
		const mayExist = error instanceof OtherCreated || mayHaveBeenDone(error);
		if (mayExist && failureBefore === undefined) return;
		throw error;
	}
	if (isGone(error)) return;
	const isLifting = action.kind === 'update' && action.changes.identityId === null;
	const isInvalid = INVALID.includes(statusOf(error) ?? 0);
	if (!isLifting || !isInvalid) throw error;
	await webhooks.carryOut({ kind: 'delete', id: action.id });
}

/** Keeps what is now known of an active node. */
export function noteActive(webhooks: OwnWebhooks, goal: Goal, outcome: Outcome): void {
	const { record, target, memory } = webhooks;
	const { desired, identity } = goal;
	const { kept, snapshot, needed, done } = outcome;

	const isRestricted = !needed.some(restricts) || done.some(restricts);
	const restrictedTo = isRestricted ? desired.identityId : null;
	// The clock of the checks may be another one.
	const seenAt = monotonicNow() - (memory.now() - snapshot.askedAt);
	const restriction = identity && dated({ restrictedTo }, seenAt);

	let stored: StoredSubscription | undefined;
	if (kept) {
		stored = {
			id: kept.id,
			instanceId: target.instanceId,
			url: target.address,
			ownerId: kept.ownerId ?? target.stored?.ownerId ?? '',
			workspaceId: kept.workspaceId,
			secretDigest: digestSecret(target.secret),
			listening: target.listening,
		};
		if (identity) stored.identity = identity;
	}
	record.state = activated(record.state, { stored, identity, restriction });
}

/**
 * Logs which webhook of a former account may still deliver (the second invariant of a subscription: what could not be switched off is
 * logged). The trigger lost access to it with the API key of that account.
 */
export async function logFormerAccount(
	host: HookHost,
	webhooks: OwnWebhooks,
	{ kept, done }: Outcome,
): Promise<void> {
	const { stored } = webhooks.target;
	if (!stored?.ownerId || stored.retired) return;
	const { id, ownerId } = stored;
	const isReached = kept?.id === id || done.some((action) => 'id' in action && action.id === id);
	if (isReached) return;
	const isSameAccount = ownerId === (await webhooks.service.ownerId());
	if (isSameAccount) return;
	host.log(
		'warn',
		`the credential now belongs to another account. The trigger can no longer switch off the webhook ${id} of the ` +
			`former account (user ${ownerId}): delete it there.`,
	);
}
