import type { IWebhookFunctions } from 'n8n-workflow';

/** Of what happens again and again, one line is written in that time: strangers can't fill the log. */
const PERIOD = 60_000;

/** How many things that happen are told apart. There is a handful for each trigger of this n8n. */
const MOST_TALLIES = 1000;

interface Tally {
	/** When the last line was written, in milliseconds since 1970. */
	loggedAt: number;
	/** How often it happened since then. */
	count: number;
}

/** Trigger and event → tally, the one that was logged longest ago first. */
const tallies = new Map<string, Tally>();

/**
 * Writes to n8n's log what became of a delivery: at most once a minute for each trigger and each thing that happens,
 * with the number of deliveries that it happened to since the last such line.
 *
 * @param message one of few sentences, with nothing of what was delivered
 * @param details what else is to be known; also of few values, and none of them of the delivery
 */
export function logDelivery(
	context: Pick<IWebhookFunctions, 'logger' | 'getNode' | 'getWorkflow'>,
	level: 'debug' | 'warn' | 'error',
	message: string,
	details: Record<string, string | number>,
): void {
	const { id, name, webhookId } = context.getNode();
	const workflowId = context.getWorkflow().id;
	const key = JSON.stringify([workflowId, webhookId ?? id, message, details]);
	const now = Date.now();
	const tally = tallies.get(key) ?? { loggedAt: -Infinity, count: 0 };
	tally.count++;
	if (now - tally.loggedAt < PERIOD) return;
	context.logger[level](message, { node: name, workflowId, ...details, deliveries: tally.count });
	tallies.delete(key);
	tallies.set(key, { loggedAt: now, count: 0 });
	const [oldest] = tallies.keys();
	if (tallies.size > MOST_TALLIES && oldest !== undefined) tallies.delete(oldest);
}
