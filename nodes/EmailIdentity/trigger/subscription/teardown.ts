import { statusOf } from '../../api/errors';
import { toWebhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Webhook } from '../../api/types';
import type { Listening } from '../secret';
import { retirementDiff, type Action } from './diff';
import {
	carriesSecret,
	isNotShown,
	knownIds,
	recognise,
	type ObservedState,
	type TestSubscription,
} from './observedState';
import type { OwnWrites } from './ownWrites';
import type { Retirement } from '../options';
import { isAtAddress, type Target } from './target';

export interface TeardownOptions {
	target: Target;
	/** Undefined when it can't be told; then only what is at the very address is touched. */
	listening: Listening | undefined;
	/** What is done to a production subscription; one for test events is always deleted. */
	retirement: Retirement;
	ownWrites: OwnWrites;
	/** Which test subscriptions nobody listens for any more, and go too; none, when left out. */
	isLeftBehind?(test: TestSubscription): boolean;
}

type Recognised = Pick<ObservedState, 'own' | 'tests'>;

export interface Teardown {
	/** IDs of the subscriptions that were there. */
	found: string[];
	/** Why the list could not be read: what was made is switched off, others may be left. */
	listFailure?: unknown;
}

/**
 * Switches off every subscription of the node: those that the list shows at its address or with its secret,
 * and by their IDs those that were made and are not shown. One that is already gone is fine.
 *
 * n8n does not say whether it stops listening for a test event or switches the workflow off: it calls
 * the same hook in the same way, sometimes without what was stored in static data.
 *
 * @throws the first failure, after everything else was tried
 */
export async function tearDown(
	service: EmailIdentityService,
	{ target, listening, retirement, ownWrites, isLeftBehind = () => false }: TeardownOptions,
): Promise<Teardown> {
	const failures: unknown[] = [];
	const found: string[] = [];

	const perform = async (action: Action): Promise<void> => {
		if (action.kind === 'delete') {
			await service.deleteWebhook(action.id);
			ownWrites.removed(action.id);
		} else if (action.kind === 'update') {
			ownWrites.asking(action.id, action.changes);
			await service.updateWebhook(action.id, action.changes);
			ownWrites.wrote(action.id, action.changes);
		}
	};

	const switchOff = async (
		webhook: Pick<Webhook, 'id' | 'enabled'>,
		isTest: boolean,
		isGone: (error: unknown) => boolean,
	): Promise<void> => {
		try {
			const how = isTest ? 'delete' : retirement;
			for (const action of retirementDiff([webhook], how, ownWrites)) await perform(action);
			found.push(webhook.id);
		} catch (error) {
			if (!isGone(error)) failures.push(error);
		}
	};

	const list = await listOwn(service, { target, listening, ownWrites });
	for (const webhook of list.own) {
		const isTest = listening === 'test' || carriesSecret(webhook.url, target, 'test');
		await switchOff(webhook, isTest, (error) => statusOf(error) === 404);
	}
	for (const { webhook } of list.tests.filter(isLeftBehind)) {
		await switchOff(webhook, true, (error) => statusOf(error) === 404);
	}
	const made = listening === undefined ? ownWrites.ids() : knownIds(target, listening, ownWrites);
	const unseen = made.filter((id) => !list.own.some((webhook) => webhook.id === id));
	for (const id of unseen) {
		const isPaused = target.stored?.id === id && target.stored.retired === true;
		const webhook = { id, enabled: isPaused ? false : null };
		await switchOff(webhook, listening === 'test', isNotShown);
	}
	if (list.failure !== undefined && found.length === 0) failures.push(list.failure);
	if (failures.length > 0) throw failures[0];
	return { found, listFailure: list.failure };
}

async function listOwn(
	service: EmailIdentityService,
	{ target, listening, ownWrites }: Pick<TeardownOptions, 'target' | 'listening' | 'ownWrites'>,
): Promise<Recognised & { failure?: unknown }> {
	try {
		const listed = (await service.listWebhooks())
			.map(toWebhook)
			.filter(({ id }) => !ownWrites.isRemoved(id));
		return recogniseAll(listed, { target, listening, ownWrites });
	} catch (failure) {
		return { own: [], tests: [], failure };
	}
}

function recogniseAll(
	listed: readonly Webhook[],
	{ target, listening, ownWrites }: Pick<TeardownOptions, 'target' | 'listening' | 'ownWrites'>,
): Recognised {
	if (listening === undefined) {
		return { own: listed.filter(({ url }) => isAtAddress(url, target, listening)), tests: [] };
	}
	return recognise(listed, target, listening, ownWrites);
}
