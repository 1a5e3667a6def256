import { CANNOT_CREATE, mayHaveActed, statusOf } from '../../api/errors';
import { toWebhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Webhook } from '../../api/types';
import type { WebhookState } from '../../shared/webhookDiff';
import { isNotShown } from '../restriction';
import { readShownUrl } from './address';
import { refusals } from './logMessages';
import type { OwnWrites } from './memory';
import { lookUp, observe, unseen, type IsLeftBehind, type Seen, type Target } from './observe';
import { isRestricting, plan, restricts, type Action, type Goal } from './plan';

/** The subscription that stays, as far as is known. */
type Kept = Pick<Webhook, 'id'> & Partial<Pick<Webhook, 'ownerId' | 'workspaceId'>>;

export interface Outcome {
	/** Undefined when there is none. */
	kept?: Kept;
	/** What the first look found to be done. */
	needed: Action[];
	done: Action[];
	/** What the API key may not do: these subscriptions are another account's. */
	refused: RefusableAction[];
	/** IDs of what others deliver to the same address of a gateway. */
	neighbours: string[];
	/** Whether the service tells what identities subscriptions are restricted to. */
	tellsIdentities: boolean;
	/** IDs of the node's own subscriptions that are there. */
	found: string[];
	/** Why the list could not be read: what was made is switched off, others may be left. */
	listFailure?: unknown;
}

type RefusableAction = Extract<Action, { kind: 'update' | 'delete' }>;

export interface ReconcileOptions {
	service: EmailIdentityService;
	target: Target;
	writes: OwnWrites;
	isLeftBehind: IsLeftBehind;
	/** Whether the URL that the service shows after a write has to be the one it was given. */
	verifiesUrl?: boolean;
	/**
	 * Asked before anything is restricted to an identity, done or only told.
	 *
	 * @throws when there is no such identity: the service may take the restriction all the same
	 */
	confirmIdentity?(): Promise<void>;
	/** Which of the actions are done; the others are only told. All, when left out. */
	approve?(actions: Action[]): Action[];
	/** Milliseconds since 1970. */
	now(): number;
}

/** Each round looks anew; the service can't surprise a node that often. */
const MAX_ROUNDS = 5;

/** Creating is tried again once its answer was lost and a look showed that nothing had been created. */
const MAX_CREATIONS = 2;

/** After the second 404 it is not the service that was confused for a moment. */
const MAX_NOT_FOUND = 2;

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
 * | on | create | it may have been created | look again; if it was not, create once more, and look at what came of it |
 * | on | update, delete | 404, gone meanwhile | look again; what is still shown counts as gone the second time |
 * | on | update, delete | 403, another account's | leave it, look again |
 * | on | update | 403 on restricting it to an identity: that is another account's | throw |
 * | on | update | 400 or 422 on lifting the restriction to an identity | delete it, look again (and so create it) |
 * | on | update of one that is not shown | there is nothing under this ID | look again (and so create it) |
 * | on | create, update | the service does not keep the secret | delete or pause it, throw |
 * | paused, absent | update, delete | 404, gone meanwhile | leave it |
 * | paused, absent | update, delete of one that is not shown | there is nothing under this ID | leave it |
 * | paused, absent | the look at the list | any | act on what is known to have been made; throw where that is nothing |
 * | on | any | anything else | throw |
 * | paused, absent | any | anything else | go on with the others, then throw |
 *
 * @throws NodeApiError from the service, or Error, when the goal can't be reached
 */
export async function reconcile(goal: Goal, options: ReconcileOptions): Promise<Outcome> {
	return await new Reconciliation(goal, options).run();
}

class Reconciliation {
	private readonly outcome: Outcome = {
		needed: [],
		done: [],
		refused: [],
		neighbours: [],
		tellsIdentities: false,
		found: [],
	};

	/** IDs of the node's own subscriptions that the last look did not show. */
	private hidden = new Set<string>();

	/** How often a subscription that was shown was not there, by ID. */
	private readonly notFound = new Map<string, number>();

	private creations = 0;

	/** What went wrong last while the node is to listen; first, where it is not to. */
	private failure: unknown;

	constructor(
		private readonly goal: Goal,
		private readonly options: ReconcileOptions,
	) {}

	async run(): Promise<Outcome> {
		const { approve = (all) => all } = this.options;
		for (let round = 1; round <= MAX_ROUNDS; round++) {
			const actions = await this.look();
			if (round === 1) this.outcome.needed = actions;
			const approved = approve(actions);
			// What came of a creation whose answer was lost is looked at.
			const isLast = this.creations === 0 || approved.length === 0;
			if ((await this.act(approved)) && isLast) return this.result();
		}
		throw this.failure;
	}

	private async look(): Promise<Action[]> {
		const { outcome, goal } = this;
		const seen = await this.observe();
		const own = seen.own.filter(({ id }) => this.isUsable(id));
		this.hidden = new Set(own.filter(({ shown }) => !shown).map(({ id }) => id));
		outcome.found = own.map(({ id }) => id);
		outcome.neighbours = seen.neighbours;
		outcome.tellsIdentities ||= seen.tellsIdentities;
		const { kept, actions } = plan(goal, { ...seen, own });
		outcome.kept = kept?.shown;
		if (goal.state === 'on' && actions.some((action) => restricts(action, goal.desired))) {
			await this.options.confirmIdentity?.();
		}
		return actions;
	}

	private async observe(): Promise<Seen> {
		const { service, target, writes, isLeftBehind } = this.options;
		const looksUp = this.goal.state === 'on';
		const looking = observe(service, target, writes, { isLeftBehind, looksUp });
		return await looking.catch((error: unknown) => {
			if (looksUp) throw error;
			this.outcome.listFailure = error;
			return unseen(target, writes);
		});
	}

	/** @returns whether all went as planned */
	private async act(actions: readonly Action[]): Promise<boolean> {
		for (const action of actions) {
			try {
				await this.perform(action);
				this.outcome.done.push(action);
			} catch (error) {
				if (this.goal.state !== 'on') this.leave(action, error);
				else {
					await this.judge(action, error);
					return false;
				}
			}
		}
		return true;
	}

	private result(): Outcome {
		const { found, listFailure } = this.outcome;
		this.failure ??= found.length === 0 ? listFailure : undefined;
		if (this.goal.state !== 'on' && this.failure !== undefined) throw this.failure;
		return this.outcome;
	}

	private async perform(action: Action): Promise<void> {
		if (action.kind === 'create') await this.create();
		else if (action.kind === 'delete') await this.remove(action.id);
		else {
			const updated = await this.update(action.id, action.changes);
			if (this.hidden.has(action.id)) this.outcome.kept = updated;
		}
	}

	private async create(): Promise<void> {
		if (this.goal.state !== 'on') return;
		const { desired, isActivation } = this.goal;
		const { service, writes, now } = this.options;
		const awaited = writes.awaitedCreation(now());
		if (awaited && this.creations === 0 && !isActivation) throw awaited;
		this.creations++;
		const ownerId = await service.ownerId();
		const { identityId, ...fields } = desired;
		const restriction = identityId === null ? {} : { identityId };
		const entry = await service.createWebhook(
			{ ...fields, ...restriction, ownerId },
			async () => await this.isMissing(),
		);
		const created = { ...toWebhook(entry), ownerId };
		writes.wrote(created.id, desired);
		await this.verifyUrl(created, desired.url, async () => await this.remove(created.id));
		this.outcome.kept = created;
	}

	private async update(id: string, changes: WebhookState): Promise<Webhook> {
		const { service, writes } = this.options;
		writes.asking(id, changes);
		const updated = { ...toWebhook(await service.updateWebhook(id, changes)), id };
		writes.wrote(id, changes);
		if (changes.url !== undefined) {
			await this.verifyUrl(updated, changes.url, async () => {
				await service.updateWebhook(id, { enabled: false });
				writes.wrote(id, { enabled: false });
			});
		}
		return updated;
	}

	private async remove(id: string): Promise<void> {
		await this.options.service.deleteWebhook(id);
		this.options.writes.removed(id);
	}

	private async isMissing(): Promise<boolean> {
		const { own } = await this.observe();
		return !own.some(({ id, shown }) => shown && this.isUsable(id));
	}

	/** @throws Error when n8n would refuse what comes to the URL that the service has now */
	private async verifyUrl(
		shown: Webhook,
		url: string,
		undo: () => Promise<unknown>,
	): Promise<void> {
		if (!this.options.verifiesUrl) return;
		const found = shown.url ? shown : await lookUp(this.options.service, shown.id);
		const reading = readShownUrl(found?.url ?? null, url);
		if (reading === 'right' || reading === 'hidden') return;
		// Where that fails, n8n's call of `delete` after a failed activation tries it once more.
		await undo().catch(() => undefined);
		throw new Error(reading === 'secretLost' ? refusals.secretNotKept : refusals.addressNotKept);
	}

	/** The table for the goals `paused` and `absent`: what is gone is as it should be, the others come first. */
	private leave(action: Action, error: unknown): void {
		const id = 'id' in action ? action.id : '';
		const isGone = this.hidden.has(id) ? isNotShown(error) : statusOf(error) === 404;
		this.outcome.found = this.outcome.found.filter((one) => one !== id);
		if (!isGone) this.failure ??= error;
	}

	/** The table for the goal `on`. Returns when another look can help. */
	private async judge(action: Action, error: unknown): Promise<void> {
		const { writes } = this.options;
		const status = statusOf(error);
		this.failure = error;
		if (action.kind === 'create') {
			this.judgeCreation(error);
		} else if (this.hidden.has(action.id)) {
			if (!isNotShown(error)) throw error;
			writes.removed(action.id);
		} else if (status === 403 && !isRestricting(action)) {
			this.outcome.refused.push(action);
			writes.disown(action.id);
		} else if (action.kind === 'update' && isRefusedLifting(action.changes, status)) {
			await this.remove(action.id);
		} else if (status === 404) {
			const times = (this.notFound.get(action.id) ?? 0) + 1;
			this.notFound.set(action.id, times);
			if (times === MAX_NOT_FOUND) writes.removed(action.id);
		} else {
			throw error;
		}
	}

	private judgeCreation(error: unknown): void {
		const { writes, now } = this.options;
		const status = statusOf(error);
		const told = CANNOT_CREATE.has(status ?? 0) ? this.cannotCreate() : (error as Error);
		if (!mayHaveActed(error)) throw told;
		const isLost = status === undefined;
		const because = isLost ? new Error(refusals.creationAwaited) : told;
		if (this.creations === 1) writes.unconfirmedCreation(now(), because);
		if (this.creations === MAX_CREATIONS) throw told;
	}

	/** Some services have no working way to create subscriptions (Kurrier 3.5.0: 500 for everybody). */
	private cannotCreate(): Error {
		const { goal } = this;
		const { target } = this.options;
		const events = goal.state === 'on' ? goal.desired.events : [];
		return new Error(
			target.listening === 'test' ? refusals.cannotListen : refusals.cannotCreate(target, events),
		);
	}

	private isUsable(id: string): boolean {
		return !this.outcome.refused.some((action) => action.id === id);
	}
}

function isRefusedLifting({ identityId }: WebhookState, status: number | undefined): boolean {
	return REFUSED_VALUES.has(status) && identityId === null;
}
