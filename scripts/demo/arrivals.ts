import type { DeliveryRecord, Sandbox } from '../../sandbox';
import type { Surroundings } from './surroundings';
import { write } from './terminal';

/** Longer than a demo runs: timers of Node.js cannot wait longer. */
const FOREVER_MS = 2_147_483_647;

/**
 * Prints a line for each email that arrives from now on: which workflow it started, or why not. Resolves when the stand-in stops.
 */
export async function reportArrivals({ sandbox }: Surroundings): Promise<void> {
	const seen = new Set(sandbox.deliveries().map(({ id }) => id));
	for (;;) {
		const delivery = await nextDelivery(sandbox, seen);
		if (delivery === undefined) return;
		seen.add(delivery.id);
		write([describeArrival(sandbox, delivery)]);
	}
}

/** @returns undefined when the stand-in has stopped */
async function nextDelivery(
	sandbox: Sandbox,
	seen: ReadonlySet<string>,
): Promise<DeliveryRecord | undefined> {
	try {
		return await sandbox.waitForDelivery(({ id }) => !seen.has(id), FOREVER_MS);
	} catch {
		return undefined;
	}
}

function describeArrival(sandbox: Sandbox, delivery: DeliveryRecord): string {
	const { messages, webhooks } = sandbox.dumpState();
	const message = messages.find(({ fields }) => fields.id === delivery.messageId);
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
