import { createHash } from 'crypto';

import type { EmailOrigin } from '../../../../lib/email';
import { monotonicNow } from '../../../../lib/basics';
import { DELIVERY_MS } from '../times';
import { ignore } from './outcomes';
import type { Step } from './stages';

/** Of automatic replies from one sender, or bounces about one address, in `DELIVERY_MS.loop`. */
const MAX_STARTS = 10;

/** The address that a bounce is about (RFC 3464, 2.3.2). */
const FAILED_RECIPIENT = /^(?:Final|Original)-Recipient:[ \t]*rfc822;[ \t]*([^\s]{1,320})/im;

/** Servers write the report above the email that they return. */
const MAX_REPORT_LENGTH = 100_000;

/**
 * A workflow that replies to every email also replies to an out-of-office notice. If a robot answers, the two never stop.
 * Ignoring one email ends the loop (RFC 3834, 2). Forged mail must not block the genuine one, so proved mail of a domain is
 * counted separately, and so is mail that is automatic only by fields that others can add. Each process counts for itself.
 */
export const loop: Step = async (delivery, { memory }) => {
	const { scope, email, sender } = delivery;
	const origin = await email.open();
	const { automatic } = origin;
	if (scope.listening === 'test' || (automatic !== 'reply' && automatic !== 'bounce'))
		return delivery;
	const { result, domain, signed = [] } = sender?.authentication ?? {};
	const proved = result === 'pass' ? domain : null;
	const correspondent = correspondentOf(origin, email.received.rawEmail);
	const counted = [automatic, proved, origin.isAutomaticBy(signed), correspondent];
	const facts = JSON.stringify([scope.webhookPath, ...counted]);
	// A digest, because a stranger chooses the length.
	const key = createHash('sha256').update(facts).digest('base64');
	const now = monotonicNow();
	const starts = memory.automaticStarts.get(key) ?? [];
	const recent = starts.filter((time) => now - time < DELIVERY_MS.loop);
	const isTooMany = recent.length >= MAX_STARTS;
	memory.automaticStarts.set(key, isTooMany ? recent : [...recent, now]);
	return isTooMany ? ignore('loop') : delivery;
};

/** The sender of a reply, or the address that a bounce is about, because one server may send all bounces. */
function correspondentOf({ automatic, topmost }: EmailOrigin, rawEmail = ''): string {
	const failed =
		automatic === 'bounce'
			? topmost('x-failed-recipients') ||
				FAILED_RECIPIENT.exec(rawEmail.slice(0, MAX_REPORT_LENGTH))?.[1]
			: undefined;
	return (failed || topmost('from')).toLowerCase();
}
