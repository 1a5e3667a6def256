import { createHash } from 'crypto';

import type { EmailOrigin } from '../../../../lib/email';
import { monotonicNow } from '../../../../lib/basics';
import type { Step } from './mail';
import { ignore } from './outcomes';

/** Two robots that answer each other do it within seconds or minutes. Milliseconds. */
const PERIOD = 60 * 60_000;

/** So many automatic answers of one sender, or bounces about one address, start a workflow within that time. */
const MAX_STARTS = 10;

/** Whom a bounce is about (RFC 3464, 2.3.2), after the email's header. */
const FAILED_RECIPIENT = /^(?:Final|Original)-Recipient:[ \t]*rfc822;[ \t]*([^\s]{1,320})/im;

/** Servers put what happened before the email that they return. */
const MAX_REPORT_LENGTH = 100_000;

/**
 * Ignores an automatic answer or a bounce that is one too many.
 *
 * A workflow that answers every email also answers an out-of-office notice. If a robot answers that, the two would go
 * on for ever. As each email of such a loop answers the one before, ignoring one ends it (RFC 3834, 2: no more than
 * so many to the same person in a time). Mail that is not marked as automatic always passes, and so do lists:
 * there, many emails of one sender are no loop. Where senders are checked, what a domain proved is counted by itself: From
 * can be forged, and would block the domain's genuine mail.
 *
 * What it knows is lost when n8n ends, and each process has its own: then a loop goes on for a few more emails.
 */
export const loop: Step = async ({ email, sender }, { scope, memory }) => {
	const origin = await email.open();
	const { automatic } = origin;
	if (scope.listening === 'test' || (automatic !== 'reply' && automatic !== 'bounce'))
		return undefined;
	const { result, domain } = sender?.authentication ?? {};
	const provedDomain = result === 'pass' ? domain : null;
	const correspondent = correspondentOf(origin, email.received.rawEmail);
	const names = [scope.instanceId, scope.webhookPath, automatic, provedDomain, correspondent];
	const key = createHash('sha256').update(JSON.stringify(names)).digest('base64');
	const now = monotonicNow();
	const starts = memory.automaticStarts.get(key) ?? [];
	const recent = starts.filter((time) => now - time < PERIOD);
	const isTooMany = recent.length >= MAX_STARTS;
	memory.automaticStarts.set(key, isTooMany ? recent : [...recent, now]);
	return isTooMany ? ignore('loop') : undefined;
};

/** Who answered, or whom it was that could not be reached: all bounces may come from one server. */
function correspondentOf({ automatic, topmost }: EmailOrigin, rawEmail = ''): string {
	const failed =
		automatic === 'bounce'
			? topmost('x-failed-recipients') ||
				FAILED_RECIPIENT.exec(rawEmail.slice(0, MAX_REPORT_LENGTH))?.[1]
			: undefined;
	return (failed || topmost('from')).toLowerCase();
}
