import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { readMessageFields, type ServiceMessage } from '../../api/message';
import type { DeliveryParameters } from '../parameters';
import { secretScope } from '../secret';
import { triggerStaticData } from '../staticData';
import { listeningOf } from './authenticate';
import { IdempotencyGuard, type Claim, type ClaimResult } from './idempotencyGuard';
import { IdempotencyWindow } from './idempotencyWindow';

/** A guard of 5,000 messages takes about half a megabyte; one that was dropped is read back from the static data. */
const MOST_GUARDS = 50;

/** Webhook → guard, the least recently used first. */
const guards = new Map<string, IdempotencyGuard>();

/** Where no message is remembered: nothing is claimed, stored or given free. */
const FREE_CLAIM: Claim = { handOver: () => {}, accept: () => {}, release: () => {} };

/**
 * Asks for the right to start the workflow for a message: each starts it once.
 *
 * A test event neither counts as seen nor is held back because it was.
 */
export async function claimMessage(
	context: IWebhookFunctions,
	received: ServiceMessage,
	{ ignoreDuplicates }: DeliveryParameters,
): Promise<ClaimResult> {
	const listening = listeningOf(context);
	if (!ignoreDuplicates || listening === 'test') return FREE_CLAIM;
	const { instanceId, webhookPath } = secretScope(context, listening);
	const webhook = [instanceId, context.getWorkflow().id, webhookPath].join('/');
	return await guardOf(webhook).claim(
		keyOf(received),
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

/**
 * What tells a message from others: its ID in the service, so that a repeat with other content is the
 * same message; without one, the email itself.
 *
 * @returns as many base64url characters as `IdempotencyWindow` keeps
 */
export function keyOf({ id, rawEmail, message }: ServiceMessage): string {
	const hash = createHash('sha256');
	if (id !== null) hash.update('id:').update(id);
	else hash.update('email:').update(rawEmail || textOf(message));
	return hash.digest('base64url').slice(0, IdempotencyWindow.keyLength);
}

/** `JSON.stringify` gives up on what is nested some thousands deep; what is told of the email is flat. */
function textOf(message: ServiceMessage['message']): string {
	try {
		return JSON.stringify(message);
	} catch {
		return JSON.stringify(readMessageFields(message));
	}
}
