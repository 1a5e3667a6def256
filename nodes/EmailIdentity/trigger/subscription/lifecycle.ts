import type { IHookFunctions, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { readCredential } from '../../api/credential';
import { statusOf } from '../../api/errors';
import { toUser } from '../../api/fields';
import type { RetryPolicy } from '../../api/retry';
import { createService } from '../../api/service';
import { webhookUrlProblem } from '../../api/webhookUrl';
import type { Listening } from '../secret';
import { triggerStaticData, type StoredSubscription } from '../staticData';
import { ensureSubscription, type Ensured, type EnsureOptions } from './ensure';
import { isForgottenTest, minuteTick, nextCheck } from './interval';
import { createLanes } from './lane';
import { isAnotherAccount, isSameNote, makeNote, ownNote } from './note';
import { identityOf, makePlan, nodeKey, placeOf, type Place } from './plan';
import { retireSubscription } from './retire';
import {
	readRetirement,
	readSubscriptionParameters,
	type SubscriptionParameters,
} from '../parameters';
import { tell } from './tell';
import { explain, refuse } from './words';

export interface LifecycleOptions {
	/** What differs from the patience of a lifecycle hook. */
	retry?: Partial<RetryPolicy>;
	/** Milliseconds since 1970. */
	now?: () => number;
}

/** What is remembered of an active node while n8n runs, for the check at intervals. */
interface Watch {
	place: Place;
	settings: SubscriptionParameters;
	stored: StoredSubscription | undefined;
	/** Milliseconds since 1970. */
	dueAt: number;
	/** Whether the last look found something wrong. */
	isSuspect: boolean;
	hasFailed: boolean;
}

/** n8n 2.x gives a whole publication two minutes, five attempts included. */
const PATIENCE: Partial<RetryPolicy> = {
	attempts: 4,
	total: 8_000,
	firstDelay: 300,
	longestDelay: 3_000,
	timeout: 10_000,
};

/** n8n comes up with workflows that were active before. */
const STARTS: ReadonlySet<string> = new Set(['init', 'leadershipChange']);

/**
 * What a trigger node does when n8n calls its hooks, to keep its subscription right.
 *
 * | n8n calls | when | what is done |
 * | --- | --- | --- |
 * | `checkExists` | before `create` | nothing, it answers no: `create` looks for itself, and asking twice would be one request more |
 * | `create` | activation, or an edit of an active workflow | ensure; a failure is thrown, n8n then calls `delete` |
 * | `create`, at a start | n8n starts, or becomes the leader | ensure; a failure is logged: throwing would make n8n take down its own address, while the subscription goes on delivering |
 * | `create`, mode manual | listening for a test event | ensure one of its own at the test address |
 * | `trigger` | beside `create`, in any order | registers the check at intervals |
 * | `delete` | deactivation, before an edit, after a failed activation, after a test event | retire; a failure is logged: n8n 1.x would keep its own address alive, and both lines deactivate anyway |
 */
export function createLifecycle({ retry, now = Date.now }: LifecycleOptions = {}) {
	const patience = { retry: { ...PATIENCE, ...retry } };
	const inLane = createLanes();
	const watches = new Map<string, Watch>();
	/** As what this n8n was asked to listen at an address: `delete` is not told. */
	const listenedAs = new Map<string, Listening>();

	const ensure = async (
		context: IHookFunctions | ITriggerFunctions,
		watch: Pick<Watch, 'place' | 'settings' | 'stored'>,
		listening: Listening,
		options: EnsureOptions,
	): Promise<{ ensured: Ensured; note: StoredSubscription | undefined }> => {
		const { place, settings, stored } = watch;
		const { apiKey, allowPrivateWebhookUrls } = await readCredential(context);
		const problem = webhookUrlProblem(place.address, allowPrivateWebhookUrls);
		if (problem !== undefined) throw refuse(context.getNode(), tell.address(place, problem));
		const plan = makePlan(place, listening, apiKey, settings, stored);
		const ensured = await ensureSubscription(createService(context, patience), plan, options);
		const note = makeNote(place, listening, plan, ensured);
		if (plan.stored && note && isAnotherAccount(plan.stored, note.ownerId)) {
			context.logger.warn(tell.formerAccount(place, plan.stored));
		}
		if (ensured.untouchable.length > 0) {
			context.logger.warn(tell.untouchable(place, ensured.untouchable));
		}
		return { ensured, note };
	};

	const beginWatch = (context: IHookFunctions, place: Place): Watch => {
		const settings = readSubscriptionParameters(context);
		return {
			place,
			settings,
			stored: triggerStaticData(context).subscription,
			dueAt: nextCheck(now(), settings.checkEvery),
			isSuspect: false,
			hasFailed: false,
		};
	};

	/** No check begins after this. Test events have another address, and leave the watch alone. */
	const endWatch = (place: Place) => {
		const key = nodeKey(place);
		if (watches.get(key)?.place.address === place.address) watches.delete(key);
	};

	const establish = async (context: IHookFunctions, watch: Watch, listening: Listening) => {
		const activation = context.getActivationMode();
		const { ensured, note } = await ensure(context, watch, listening, {
			alwaysDescribe: true,
			// Nobody can be listening for a test event when n8n has only just started.
			isStray: () => activation === 'init',
		});
		if (note && !isSameNote(note, watch.stored)) {
			triggerStaticData(context).subscription = note;
			watch.stored = note;
		}
		if (STARTS.has(activation) && ensured.done.length > 0) {
			context.logger.info(tell.mended(watch.place, ensured));
		}
	};

	/**
	 * For an activation, and for a test event to come.
	 *
	 * @throws NodeOperationError that says in one line what happened and what to do; never at a start
	 */
	async function create(context: IHookFunctions): Promise<boolean> {
		const listening: Listening = context.getMode() === 'manual' ? 'test' : 'production';
		const place = placeOf(context);
		listenedAs.set(place.address, listening);
		let watch: Watch | undefined;
		try {
			await inLane(place.address, async () => {
				watch = beginWatch(context, place);
				if (listening === 'production') watches.set(nodeKey(place), watch);
				await establish(context, watch, listening);
			});
		} catch (error) {
			const isIdentityRefused = statusOf(error) === 403 && !!watch?.settings.identityId;
			const reason = isIdentityRefused ? tell.foreignIdentity : explain(error);
			if (!STARTS.has(context.getActivationMode())) {
				endWatch(place);
				throw refuse(context.getNode(), reason);
			}
			context.logger.error(tell.unchecked(place, reason));
			if (watch) Object.assign(watch, { dueAt: now(), hasFailed: true });
		}
		return true;
	}

	/** For the end of listening, whatever it was for. Never throws. */
	async function remove(context: IHookFunctions): Promise<boolean> {
		const place = placeOf(context);
		const staticData = triggerStaticData(context);
		const note = ownNote(staticData.subscription, place);
		const listening = listenedAs.get(place.address) ?? note?.listening;
		endWatch(place);
		try {
			await inLane(place.address, async () => {
				// Again: an activation may have been waiting before this.
				endWatch(place);
				const { apiKey } = await readCredential(context);
				const settings = { events: [], identityId: null };
				const { marks } = makePlan(place, 'production', apiKey, settings, note);
				const service = createService(context, patience);
				const retirement = readRetirement(context);
				const found = await retireSubscription(service, { marks, listening, retirement });
				if (!note || note.retired) return;
				if (!found.includes(note.id)) {
					const { userId } = toUser(await service.getUser());
					if (isAnotherAccount(note, userId)) context.logger.warn(tell.formerAccount(place, note));
				}
				staticData.subscription = { ...note, retired: true };
			});
		} catch (error) {
			context.logger.warn(tell.unretired(place, explain(error)));
		}
		return true;
	}

	/** Registers the check at intervals with n8n's scheduler, which forgets it on deactivation. */
	async function trigger(context: ITriggerFunctions): Promise<ITriggerResponse> {
		if (context.getMode() !== 'manual' && readSubscriptionParameters(context).checkEvery > 0) {
			const key = nodeKey(identityOf(context));
			const expression = minuteTick(key);
			// n8n does not wait for it.
			context.helpers.registerCron({ expression }, async () => await check(context, key));
		}
		return {};
	}

	/**
	 * Looks at the subscription of an active node when that is due, and mends it. Never throws.
	 *
	 * What is wrong is mended only when it is still wrong a minute later: where several mains share the
	 * work, another one may be switching the workflow off right now.
	 */
	async function check(context: ITriggerFunctions, key: string): Promise<void> {
		const watch = watches.get(key);
		if (!watch || now() < watch.dueAt) return;
		const { place, settings } = watch;
		watch.dueAt = nextCheck(now(), settings.checkEvery);
		await inLane(place.address, async () => {
			// Switched off, or activated anew, while this waited.
			if (watches.get(key) !== watch) return;
			try {
				const { ensured, note } = await ensure(context, watch, 'production', {
					alwaysDescribe: false,
					isStray: (webhook) => isForgottenTest(webhook, now()),
					lookOnly: !watch.isSuspect,
				});
				const isMended = watch.isSuspect;
				watch.isSuspect = !ensured.wasRight && !isMended;
				watch.hasFailed = false;
				watch.stored = note ?? watch.stored;
				if (watch.isSuspect) watch.dueAt = now();
				if (ensured.done.length > 0) context.logger.info(tell.mended(place, ensured));
			} catch (error) {
				// Once more soon, for most causes pass; after that at the usual interval.
				if (!watch.hasFailed) watch.dueAt = now();
				watch.hasFailed = true;
				context.logger.warn(tell.unchecked(place, explain(error)));
			}
		});
	}

	return { create, remove, trigger };
}
