import type { IWebhookFunctions } from 'n8n-workflow';

import type { ServiceMessage } from '../../api/messages';
import type { OpenedEmail } from '../../email';
import type { DeliveryParameters } from '../parameters';
import { secretScope } from '../secret';
import { triggerStaticData } from '../staticData';
import { listeningOf } from './authenticate';
import { IdempotencyGuard, type Claim, type ClaimResult } from './idempotencyGuard';
import { keysOf } from './messageKeys';

/** A guard of 5,000 messages takes about a megabyte; one that was dropped is read back from the static data. */
const MOST_GUARDS = 50;

/** Webhook → guard, the least recently used first. */
const guards = new Map<string, IdempotencyGuard>();

/** Where no message is remembered: nothing is claimed, stored or given free. */
const FREE_CLAIM: Claim = { handOver: () => {}, accept: () => {}, release: () => {} };

/**
 * Asks for the right to start the workflow for a message: each starts it once.
 *
 * A test event neither counts as seen nor is held back because it was.
 *
 * @param open opens the email; asked only where it has to be looked into
 */
export async function claimMessage(
	context: IWebhookFunctions,
	received: ServiceMessage,
	open: () => Promise<OpenedEmail>,
	{ ignoreDuplicates }: DeliveryParameters,
): Promise<ClaimResult> {
	const listening = listeningOf(context);
	if (ignoreDuplicates === 'off' || listening === 'test') return FREE_CLAIM;
	const { instanceId, webhookPath } = secretScope(context, listening);
	const webhook = [instanceId, context.getWorkflow().id, webhookPath].join('/');
	const messageId = ignoreDuplicates === 'sameMessageId' ? (await open()).thread.messageId : null;
	return await guardOf(webhook).claim(
		keysOf(received, messageId),
		triggerStaticData(context),
		context.getResponseObject(),
	);
}

/**
 * What this process knows about the messages of one webhook.
 *
 * @param webhook names the webhook among all those of this n8n
 */
export function guardOf(webhook: string): IdempotencyGuard {
	const guard = guards.get(webhook) ?? new IdempotencyGuard();
	guards.delete(webhook);
	guards.set(webhook, guard);
	for (const [name, candidate] of guards) {
		if (guards.size <= MOST_GUARDS) break;
		if (candidate.isIdle && candidate !== guard) guards.delete(name);
	}
	return guard;
}
