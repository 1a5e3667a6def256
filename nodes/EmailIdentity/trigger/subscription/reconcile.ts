import { CANNOT_CREATE } from '../../api/errorAdvice';
import { mayHaveActed, statusOf } from '../../api/errors';
import { toWebhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Webhook } from '../../api/types';
import type { WebhookState } from '../../shared/webhookDiff';
import type { DesiredState } from './desiredState';
import { diff, type Action, type DiffContext } from './diff';
import { refusals } from './logMessages';
import { isNotShown, lookUp, observe, type TestSubscription } from './observedState';
import { readShownUrl } from './shownUrl';

/** What came of it. */
export interface Reconciliation {
	/** The subscription that is there now; undefined when there is none. */
	id?: string;
	ownerId?: string;
	workspaceId?: string;
	/** What the first look found to be done. */
	needed: Action[];
	done: Action[];
	/** What the API key may not do: these subscriptions are another account's. */
	refused: RefusableAction[];
	/** IDs of what others deliver to the same address of a gateway. */
	neighbours: string[];
	/** Whether the service tells what identities subscriptions are restricted to. */
	tellsIdentities: boolean;
}

type RefusableAction = Extract<Action, { kind: 'update' | 'delete' }>;

export interface ReconcileOptions extends DiffContext {
	/** Whether the URL that the service shows after a write has to be the one it was given. */
	verifiesUrl: boolean;
	/** Which test subscriptions nobody listens for any more, and go too. */
	isLeftBehind(test: TestSubscription): boolean;
	/**
	 * Asked before anything is restricted to an identity, done or only told.
	 *
	 * @throws when there is no such identity: the service may take the restriction all the same
	 */
	confirmIdentity?(): Promise<void>;
	/** Which of the actions are done; the others are only told. All, when left out. */
	approve?(actions: readonly Action[]): Action[];
	/** Milliseconds since 1970. */
	now(): number;
}

/** Each round looks anew; the service can't surprise a node that often. */
const MOST_ROUNDS = 5;

/** Creating is tried again once its answer was lost and a look showed that nothing had been created. */
const MOST_CREATIONS = 2;

/** After the second 404 it is not the service that was confused for a moment. */
const MOST_NOT_FOUND = 2;

/** Statuses of a service that refuses values. */
const REFUSED_VALUES: ReadonlySet<number | undefined> = new Set([400, 422]);

/**
 * Brings the service into the desired state: observe, diff, act.
 *
 * What goes wrong while acting makes it look again, never guess:
 *
 * | failed action | because | then |
 * | --- | --- | --- |
 * | create | the service cannot, also the second time | throw, saying what to create by hand |
 * | create | the answer was lost | look; if nothing was created, once more, and look at what came of it |
 * | update, delete | 404, gone meanwhile | look; what is still shown is taken for gone the second time |
 * | update, delete | 403, another account's | leave it alone, look |
 * | update | 403 on restricting it to an identity: that is another account's | throw |
 * | update | 400 or 422 on lifting the restriction to an identity | delete it, look (and so create it) |
 * | assert | there is nothing under this ID | look (and so create it) |
 * | create, update | the service does not keep the secret | delete or pause it, throw |
 * | any | anything else | throw |
 *
 * @throws NodeApiError from the service, or Error, when the desired state can't be reached
 */
export async function reconcile(
	service: EmailIdentityService,
	desired: DesiredState,
	options: ReconcileOptions,
): Promise<Reconciliation> {
	const { target, listening, ownWrites, approve = (actions) => [...actions] } = options;
	const result: Reconciliation = {
		needed: [],
		done: [],
		refused: [],
		neighbours: [],
		tellsIdentities: false,
	};
	const notFound = new Map<string, number>();
	let creations = 0;
	let failure: unknown;

	/** @throws Error when n8n would refuse what comes to the URL that the service has now */
	const verifyUrl = async (shown: Webhook, undo: () => Promise<unknown>): Promise<void> => {
		if (!options.verifiesUrl) return;
		const found = shown.url ? shown : await lookUp(service, shown.id);
		const state = readShownUrl(found?.url ?? null, desired.url);
		if (state === 'right' || state === 'hidden') return;
		// Where that fails, n8n's call of `delete` after a failed activation tries it once more.
		await undo().catch(() => undefined);
		throw new Error(state === 'secretLost' ? refusals.secretNotKept : refusals.addressNotKept);
	};

	const isUsable = ({ id }: Webhook): boolean => !result.refused.some((action) => action.id === id);

	const isMissing = async (): Promise<boolean> =>
		!(await observe(service, target, listening, ownWrites)).own.some(isUsable);

	const create = async (): Promise<Webhook> => {
		const isAwaited = options.now() < ownWrites.awaitedUntil();
		if (isAwaited && creations === 0 && !options.isActivation)
			throw new Error(refusals.creationAwaited);
		creations++;
		const ownerId = await service.ownerId();
		const { identityId, ...fields } = desired;
		const created = toWebhook(
			await service.createWebhook(
				{ ...fields, ...(identityId === null ? {} : { identityId }), ownerId },
				isMissing,
			),
		);
		ownWrites.wrote(created.id, desired);
		await verifyUrl(created, async () => {
			await service.deleteWebhook(created.id);
			ownWrites.removed(created.id);
		});
		return { ...created, ownerId };
	};

	const update = async (id: string, changes: WebhookState): Promise<Webhook> => {
		ownWrites.asking(id, changes);
		const updated = { ...toWebhook(await service.updateWebhook(id, changes)), id };
		ownWrites.wrote(id, changes);
		if (changes.url !== undefined) {
			await verifyUrl(updated, async () => {
				await service.updateWebhook(id, { enabled: false });
				ownWrites.wrote(id, { enabled: false });
			});
		}
		return updated;
	};

	const remove = async (id: string): Promise<undefined> => {
		await service.deleteWebhook(id);
		ownWrites.removed(id);
	};

	/** Returns the subscription that came to light by it. */
	const perform = async (action: Action): Promise<Webhook | undefined> => {
		if (action.kind === 'create') return await create();
		if (action.kind === 'delete') return await remove(action.id);
		const updated = await update(action.id, action.changes);
		return action.kind === 'assert' ? updated : undefined;
	};

	/** Returns when another look can help. */
	const react = async (action: Action, error: unknown): Promise<void> => {
		failure = error;
		const status = statusOf(error);
		if (action.kind === 'create') {
			const told = CANNOT_CREATE.has(status ?? 0) ? cannotCreate(desired, options) : error;
			if (!mayHaveActed(error)) throw told;
			if (creations === 1) ownWrites.lostCreation(options.now());
			if (creations === MOST_CREATIONS) throw told;
		} else if (action.kind === 'assert') {
			if (!isNotShown(error)) throw error;
			ownWrites.removed(action.id);
		} else if (status === 403 && !isRestricting(action)) {
			result.refused.push(action);
			ownWrites.refused(action.id);
		} else if (action.kind === 'update' && isRefusedLifting(action.changes, status)) {
			await remove(action.id);
		} else if (status === 404) {
			const times = (notFound.get(action.id) ?? 0) + 1;
			notFound.set(action.id, times);
			if (times === MOST_NOT_FOUND) ownWrites.removed(action.id);
		} else {
			throw error;
		}
	};

	for (let round = 1; round <= MOST_ROUNDS; round++) {
		const { own, tests, neighbours, unseen, tellsIdentities } = await observe(
			service,
			target,
			listening,
			ownWrites,
		);
		result.neighbours = neighbours;
		result.tellsIdentities ||= tellsIdentities;
		const { kept, actions } = diff(desired, { own: own.filter(isUsable), unseen }, options);
		actions.unshift(...tests.filter(options.isLeftBehind).map(toDeletion));
		if (round === 1) result.needed = actions;
		if (actions.some((action) => restricts(action, desired))) await options.confirmIdentity?.();
		const approved = approve(actions);
		if (approved.length === 0) return { ...result, ...identify(kept) };

		const hasLostBefore = creations > 0;
		let stays = kept;
		let isSurprised = false;
		for (const action of approved) {
			try {
				stays = (await perform(action)) ?? stays;
				result.done.push(action);
			} catch (error) {
				await react(action, error);
				isSurprised = true;
				break;
			}
		}
		if (!isSurprised && !hasLostBefore) return { ...result, ...identify(stays) };
	}
	throw failure;
}

function toDeletion({ webhook: { id } }: TestSubscription): Action {
	return { kind: 'delete', id };
}

function identify(
	webhook: Webhook | undefined,
): Pick<Reconciliation, 'id' | 'ownerId' | 'workspaceId'> {
	const { id, ownerId, workspaceId } = webhook ?? {};
	return { id, ownerId: ownerId ?? undefined, workspaceId: workspaceId ?? undefined };
}

/** Whether a subscription is for one identity once this is done, and was not before, or may not have been. */
export function restricts(
	action: Action,
	{ identityId }: Pick<DesiredState, 'identityId'>,
): boolean {
	return action.kind === 'create' ? identityId !== null : isRestricting(action);
}

/** Some services have no working way to create subscriptions (Kurrier 3.5.0: 500 for everybody). */
function cannotCreate(
	{ events }: DesiredState,
	{ target, listening }: Pick<ReconcileOptions, 'target' | 'listening'>,
): Error {
	if (listening === 'test') return new Error(refusals.cannotListen);
	return new Error(refusals.cannotCreate(target, events));
}

function isRestricting(action: Action): boolean {
	return 'changes' in action && typeof action.changes.identityId === 'string';
}

function isRefusedLifting({ identityId }: WebhookState, status: number | undefined): boolean {
	return REFUSED_VALUES.has(status) && identityId === null;
}
