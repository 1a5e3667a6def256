import type { DeliveryRecord, Sandbox, SentEmail } from '../../sandbox';
import type { Surroundings } from './surroundings';
import { write } from './terminal';

/** Longer than a demo runs: timers of Node.js cannot wait longer. */
const FOREVER_MS = 2_147_483_647;

/**
 * Prints a line for each email that arrives from now on: which workflow it started, or why not. Resolves when the stand-in stops.
 */
export async function reportArrivals({ sandbox }: Surroundings): Promise<void> {
	const known = sandbox.deliveries();
	await forEachNew(
		known,
		async (isNew) => await sandbox.waitForDelivery(isNew, FOREVER_MS),
		(delivery) => describeArrival(sandbox, delivery),
	);
}

/** Prints a line for each email that a workflow sends from now on. Resolves when the stand-in stops. */
export async function reportAnswers({ sandbox }: Surroundings): Promise<void> {
	const known = sandbox.sentEmails();
	await forEachNew(
		known,
		async (isNew) => await sandbox.waitForSent(isNew, FOREVER_MS),
		describeAnswer,
	);
}

export function describeAnswer({ to, subject }: SentEmail): string {
	return `Sent to ${to.join(', ')}: ${subject}`;
}

/**
 * @param next waits for an entry, and rejects when the stand-in has stopped
 * @param describe undefined for an entry that is not shown
 */
async function forEachNew<Entry extends { id: string }>(
	known: readonly Entry[],
	next: (isNew: (entry: Entry) => boolean) => Promise<Entry>,
	describe: (entry: Entry) => string | undefined,
): Promise<void> {
	const seen = new Set(known.map(({ id }) => id));
	for (;;) {
		const entry = await next(({ id }) => !seen.has(id)).catch(() => undefined);
		if (entry === undefined) return;
		seen.add(entry.id);
		const line = describe(entry);
		if (line !== undefined) write([line]);
	}
}

/** @returns undefined for the copy of an email that a workflow sent */
function describeArrival(sandbox: Sandbox, delivery: DeliveryRecord): string | undefined {
	const { messages, webhooks } = sandbox.dumpState();
	const message = messages.find(({ fields }) => fields.id === delivery.messageId);
	const isSent = message !== undefined && message.fields.metaData !== null;
	if (isSent) return undefined;
	const webhook = webhooks.find(({ id }) => id === delivery.webhookId);
	const time = new Date(delivery.time).toTimeString().slice(0, 8);
	const subject = message?.fields.subject ?? '(no subject)';
	return `${time}  ${subject}: ${resultOf(delivery)} ${webhook?.description ?? 'a webhook'}`;
}

function resultOf({ status, responseBody, error }: DeliveryRecord): string {
	const [, reason] = /"reason":"([^"]+)"/.exec(responseBody) ?? [];
	if (reason !== undefined) return `not started (${reason}):`;
	if (status === 200) return 'started';
	return `not started (${error ?? `status ${status}`}):`;
}
