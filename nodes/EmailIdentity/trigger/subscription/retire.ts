import { statusOf } from '../../api/errors';
import { toWebhook } from '../../api/fields';
import type { EmailIdentityService } from '../../api/service';
import type { Webhook } from '../../api/types';
import type { Listening } from '../secret';
import type { Retirement } from '../options';
import { decideRetirement, type Move } from './decide';
import { carriesSecret, isSameAddress, recognise, type Marks } from './recognise';

export interface RetireOptions {
	/** The node's marks for production. */
	marks: Marks;
	/** Undefined when it can't be told; then only what is at the very address is touched. */
	listening: Listening | undefined;
	/** What is done to a production subscription; one for test events is always deleted. */
	retirement: Retirement;
}

/**
 * Puts every subscription of the node to rest: look, decide, act. One that is already gone is fine.
 *
 * n8n does not say whether it stops listening for a test event or switches the workflow off: it calls
 * the same hook in the same way, sometimes without the note that was made in static data.
 *
 * @returns the IDs of those that were there
 * @throws the first failure, after everything else was tried
 */
export async function retireSubscription(
	service: EmailIdentityService,
	{ marks, listening, retirement }: RetireOptions,
): Promise<string[]> {
	const all = (await service.listWebhooks()).map(toWebhook);
	const isTest = ({ url }: Webhook) =>
		listening === 'test' || carriesSecret(url, marks.otherSecret, marks);
	const own = ownSubscriptions(all, marks, listening);
	await performAll(service, [
		...decideRetirement(own.filter(isTest), 'delete'),
		...decideRetirement(
			own.filter((webhook) => !isTest(webhook)),
			retirement,
		),
	]);
	return own.map(({ id }) => id);
}

function ownSubscriptions(
	all: readonly Webhook[],
	marks: Marks,
	listening: Listening | undefined,
): Webhook[] {
	if (listening === 'production') return recognise(all, marks).own;
	return all.filter(
		({ url }) =>
			isSameAddress(url, marks.address) ||
			(listening === 'test' && carriesSecret(url, marks.otherSecret, marks)),
	);
}

async function performAll(service: EmailIdentityService, moves: readonly Move[]): Promise<void> {
	const failures: unknown[] = [];
	for (const move of moves) {
		try {
			if (move.kind === 'remove') await service.deleteWebhook(move.webhook.id);
			if (move.kind === 'change') await service.updateWebhook(move.webhook.id, move.changes);
		} catch (error) {
			if (statusOf(error) !== 404) failures.push(error);
		}
	}
	if (failures.length > 0) throw failures[0];
}
