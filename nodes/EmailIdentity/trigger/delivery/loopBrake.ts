import { createHash } from 'crypto';

import type { EmailOrigin } from '../../../../lib/email';
import { monotonicNow } from '../../../../lib/basics';
import { DELIVERY_MS } from '../times';
import { ignore } from './outcomes';
import type { ParsedDelivery, Step } from './stages';

/** Automatic replies from one sender, or bounces about one address, in `DELIVERY_MS.loop`. */
const MAX_STARTS = 10;

/** The address that a bounce is about (RFC 3464, 2.3.2). */
const FAILED_RECIPIENT = /^(?:Final|Original)-Recipient:[ \t]*rfc822;[ \t]*([^\s]{1,320})/im;

/** Servers write the report above the email that they return. */
const MAX_REPORT_LENGTH = 100_000;

/**
 * A workflow that replies to every email also replies to an out-of-office notice. If a robot answers, the two never stop.
 * Ignoring one email ends the loop (RFC 3834, 2). Each process counts for itself.
 */
export const loop: Step = async (delivery, { memory }) => {
	const origin = await delivery.email.open();
	const mayLoop = origin.automatic === 'reply' || origin.automatic === 'bounce';
	if (!mayLoop || delivery.scope.listening === 'test') return delivery;

	const key = countedAs(delivery, origin);
	const now = monotonicNow();
	const starts = memory.automaticStarts.get(key) ?? [];
	const recent = starts.filter((time) => now - time < DELIVERY_MS.loop);
	const isTooMany = recent.length >= MAX_STARTS;
	if (!isTooMany) recent.push(now);
	memory.automaticStarts.set(key, recent);
	return isTooMany ? ignore('loop') : delivery;
};

/**
 * The emails that are counted together. Forged mail must not block the genuine one, so proved mail of a domain is counted
 * separately, and so is mail that is automatic only by fields that others can add.
 */
function countedAs({ scope, email, sender }: ParsedDelivery, origin: EmailOrigin): string {
	const { result, domain, signed = [] } = sender?.authentication ?? {};
	const facts = [
		scope.webhookPath,
		origin.automatic,
		result === 'pass' ? domain : null,
		origin.isAutomaticBy(signed),
		correspondentOf(origin, email.received.rawEmail),
	];
	// A digest, because a stranger chooses the length.
	return createHash('sha256').update(JSON.stringify(facts)).digest('base64');
}

/** The sender of a reply, or the address that a bounce is about, because one server may send all bounces. */
function correspondentOf(origin: EmailOrigin, rawEmail = ''): string {
	const failed = origin.automatic === 'bounce' ? failedRecipientOf(origin, rawEmail) : '';
	const correspondent = failed || origin.topmost('from');
	return correspondent.toLowerCase();
}

/** Empty if the bounce does not say it. */
function failedRecipientOf({ topmost }: EmailOrigin, rawEmail: string): string {
	const told = topmost('x-failed-recipients');
	if (told !== '') return told;
	const report = rawEmail.slice(0, MAX_REPORT_LENGTH);
	return FAILED_RECIPIENT.exec(report)?.[1] ?? '';
}
