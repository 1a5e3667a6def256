import { createHash } from 'crypto';

import { readSubject, type EmailOrigin, type OpenedEmail } from '../../../../../lib/email';
import { monotonicNow } from '../../../../../lib/basics';
import { DELIVERY_MS } from '../../times';
import { ignore } from '../outcomes';
import type { ParsedDelivery, Step } from '../stages';

/** Starts in `DELIVERY_MS.loop` by emails that are counted together. */
const MAX_STARTS = {
	/** Automatic replies from one sender, or bounces about one address. */
	automatic: 10,
	/** Other replies of one sender about one subject: a robot may not say that it is one, and no person writes one in two minutes. */
	conversation: 30,
};

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
	const kind = loopKindOf(origin);
	if (kind === undefined || delivery.scope.listening === 'test') return delivery;

	const key = countedAs(delivery, origin);
	const now = monotonicNow();
	const starts = memory.automaticStarts.get(key) ?? [];
	const recent = starts.filter((time) => now - time < DELIVERY_MS.loop);
	const isTooMany = recent.length >= MAX_STARTS[kind];
	if (!isTooMany) recent.push(now);
	memory.automaticStarts.set(key, recent);
	return isTooMany ? ignore('loop') : delivery;
};

/** How an email is counted; undefined if it cannot be part of a loop. */
function loopKindOf({ automatic, thread }: OpenedEmail): keyof typeof MAX_STARTS | undefined {
	if (automatic === 'reply' || automatic === 'bounce') return 'automatic';
	if (automatic === null && thread.inReplyTo !== null) return 'conversation';
	return undefined;
}

/**
 * The emails that are counted together. Forged mail must not block the genuine one, so proved mail of a domain is counted
 * separately, and so is mail that is automatic only by fields that others can add.
 */
function countedAs({ scope, email, sender }: ParsedDelivery, origin: OpenedEmail): string {
	const { result, domain, signed = [] } = sender?.authentication ?? {};
	const facts = [
		scope.webhookPath,
		origin.automatic,
		result === 'pass' ? domain : null,
		origin.isAutomaticBy(signed),
		correspondentOf(origin, email.received.rawEmail),
		origin.automatic === null ? readSubject(origin.subject).topic : null,
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
