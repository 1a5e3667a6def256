import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { ServiceMessage } from '../../api/messages';
import type { EmailOrigin } from '../../email';
import { BoundedMap } from '../../lib/boundedMap';
import { secretScope } from '../secret';
import { listeningOf } from './authenticate';
import type { DeliveredEmail } from './deliveredEmail';

/** Two robots that answer each other do it within seconds or minutes. Milliseconds. */
const PERIOD = 60 * 60_000;

/** So many automatic answers of one sender, or bounces about one address, start a workflow within that time. */
export const MOST_STARTS = 10;

/** How many of them are known; what was heard of longest ago is forgotten first. Each takes some two hundred bytes. */
const MOST_CORRESPONDENTS = 10_000;

/** Webhook and correspondent → when their automatic emails started the workflow, in milliseconds since 1970. */
const starts = new BoundedMap<string, number[]>(MOST_CORRESPONDENTS);

/** Whom a bounce is about (RFC 3464, 2.3.2), after the email's header. */
const FAILED_RECIPIENT = /^(?:Final|Original)-Recipient:[ \t]*rfc822;[ \t]*([^\s]{1,320})/im;

/** Servers put what happened before the email that they return. */
const LONGEST_REPORT = 100_000;

const LONGEST_ADDRESS = 1000;

/**
 * Whether an automatic answer or a bounce is one too many.
 *
 * A workflow that answers every email answers an out-of-office notice, too. Where a robot answers that, the two would go
 * on for ever. As each email of such a loop answers the one before, holding back one ends it (RFC 3834, 2: no more than
 * so many to the same person in a time). Mail that does not say that it is automatic is never held back, nor is a list's:
 * there, many emails of one sender are no loop.
 *
 * What it knows is lost when n8n ends, and each process has its own: then a loop goes on for a few more emails.
 */
export async function isLooping(
	context: IWebhookFunctions,
	email: DeliveredEmail,
): Promise<boolean> {
	const listening = listeningOf(context);
	if (listening === 'test') return false;
	const origin = await email.origin();
	if (origin.automatic !== 'reply' && origin.automatic !== 'bounce') return false;
	const { instanceId, webhookPath } = secretScope(context, listening);
	return isOneTooMany([
		instanceId,
		webhookPath,
		origin.automatic,
		correspondentOf(origin, email.received),
	]);
}

/** Who answered, or whom it was that could not be reached: all bounces may come from one server. */
function correspondentOf(
	{ automatic, topmost }: EmailOrigin,
	{ rawEmail = '' }: ServiceMessage,
): string {
	const failed =
		automatic === 'bounce'
			? topmost('x-failed-recipients') ||
				FAILED_RECIPIENT.exec(rawEmail.slice(0, LONGEST_REPORT))?.[1]
			: undefined;
	return (failed || topmost('from')).slice(0, LONGEST_ADDRESS).toLowerCase();
}

function isOneTooMany(names: string[]): boolean {
	const key = createHash('sha256').update(JSON.stringify(names)).digest('base64');
	const now = Date.now();
	const recent = (starts.get(key) ?? []).filter((time) => now - time < PERIOD);
	const isTooMany = recent.length >= MOST_STARTS;
	if (!isTooMany) recent.push(now);
	starts.set(key, recent);
	return isTooMany;
}
