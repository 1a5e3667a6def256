import { mayHaveActed, statusOf } from '../../api/errors';
import { toUser, toWebhook } from '../../api/fields';
import type { EmailIdentityService } from '../../api/service';
import type { Webhook } from '../../api/types';
import { decide, describeMove, type Move } from './decide';
import type { Plan } from './plan';
import { recognise } from './recognise';

/** What came of it. */
export interface Ensured {
	/** The subscription that is there now; undefined when only looking found none. */
	id?: string;
	ownerId?: string;
	/** Whether everything was right at the first look. */
	wasRight: boolean;
	/** Whether it was made anew. */
	created: boolean;
	/** What was done, in a few words each. */
	done: string[];
	/** IDs of subscriptions at this node's address that the API key can see but not change. */
	untouchable: string[];
}

export interface EnsureOptions {
	/** Whether a wrong description alone is worth a request. */
	alwaysDescribe: boolean;
	/** Which of those for the other way of listening were left behind, and go too. None when left out. */
	isStray?: (webhook: Webhook) => boolean;
	/** Whether what is wrong is only told, and left as it is. */
	lookOnly?: boolean;
}

/** Each round looks anew; the service can't surprise a node that often. */
const MOST_ROUNDS = 5;

/** Creating is tried again once its answer was lost and a look showed that nothing had been created. */
const MOST_CREATIONS = 2;

/** Statuses of a service that refuses values. */
const REFUSED_VALUES: ReadonlySet<number | undefined> = new Set([400, 422]);

/**
 * Makes sure that exactly one right, enabled subscription is there: look, decide, act.
 *
 * Looking is one request, the list: it shows the stored subscription, those at the node's address and
 * surplus ones at once. What goes wrong while acting makes it look again, never guess:
 *
 * | failed move | because | then |
 * | --- | --- | --- |
 * | create | the answer was lost | look; if nothing was created, once more, and look at what came of it |
 * | change, remove | 404, gone meanwhile | look |
 * | change, remove | 403, another account's | leave it alone, look |
 * | change | 403 on restricting it to an identity: that is another account's | throw |
 * | change | 400 or 422 on lifting the restriction to an identity | remove it, look (and so create it) |
 * | any | anything else | throw |
 *
 * @throws NodeApiError from the service when what is wanted can't be reached
 */
export async function ensureSubscription(
	service: EmailIdentityService,
	plan: Plan,
	options: EnsureOptions,
): Promise<Ensured> {
	const result: Ensured = { wasRight: false, created: false, done: [], untouchable: [] };
	let creations = 0;
	let failure: unknown;

	const create = async (): Promise<Webhook> => {
		creations++;
		const ownerId = toUser(await service.getUser()).userId;
		const { identityId, ...fields } = plan.wanted;
		const created = await service.createWebhook({
			...fields,
			...(identityId === null ? {} : { identityId }),
			ownerId,
			enabled: true,
		});
		result.created = true;
		return { ...toWebhook(created), ownerId };
	};

	/** Returns the subscription as the move left it, if it is still there. */
	const perform = async (move: Move): Promise<Webhook | undefined> => {
		if (move.kind === 'create') return await create();
		if (move.kind === 'remove') await service.deleteWebhook(move.webhook.id);
		else await service.updateWebhook(move.webhook.id, move.changes);
		return move.kind === 'change' ? move.webhook : undefined;
	};

	/** Returns when another look can help. */
	const react = async (move: Move, error: unknown): Promise<void> => {
		failure = error;
		const status = statusOf(error);
		if (move.kind === 'create') {
			if (!mayHaveActed(error) || creations === MOST_CREATIONS) throw error;
		} else if (status === 403 && !isRestricting(move)) {
			result.untouchable.push(move.webhook.id);
		} else if (move.kind === 'change' && isRefusedLifting(move, status)) {
			await service.deleteWebhook(move.webhook.id);
		} else if (status !== 404) {
			throw error;
		}
	};

	for (let round = 1; round <= MOST_ROUNDS; round++) {
		const found = recognise((await service.listWebhooks()).map(toWebhook), plan.marks);
		const usable = found.own.filter(({ id }) => !result.untouchable.includes(id));
		const { kept, moves } = decide(usable, plan.wanted, options.alwaysDescribe);
		const strays = options.isStray ? found.other.filter(options.isStray) : [];
		moves.unshift(...strays.map((webhook): Move => ({ kind: 'remove', webhook })));
		if (round === 1) result.wasRight = moves.length === 0;
		if (moves.length === 0 || options.lookOnly) return { ...result, ...identify(kept) };

		const lostBefore = creations > 0;
		let stays = kept;
		let surprised = false;
		for (const move of moves) {
			try {
				stays = (await perform(move)) ?? stays;
				result.done.push(describeMove(move));
			} catch (error) {
				await react(move, error);
				surprised = true;
				break;
			}
		}
		if (!surprised && !lostBefore) return { ...result, ...identify(stays) };
	}
	throw failure;
}

function identify(webhook: Webhook | undefined): Pick<Ensured, 'id' | 'ownerId'> {
	return { id: webhook?.id, ownerId: webhook?.ownerId ?? undefined };
}

function isRestricting(move: Move): boolean {
	return move.kind === 'change' && typeof move.changes.identityId === 'string';
}

function isRefusedLifting(move: Move & { kind: 'change' }, status: number | undefined): boolean {
	return REFUSED_VALUES.has(status) && move.changes.identityId === null;
}
