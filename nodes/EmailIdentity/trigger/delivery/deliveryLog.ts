import type { IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../lib/boundedMap';

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
const tallies = new BoundedMap<string, Tally>(MOST_TALLIES);

/** What became of a delivery, and why: of few values, with nothing of what was delivered. */
export interface Verdict {
	outcome: 'ignored' | 'refused' | 'not processed';
	why: string;
}

/**
 * Writes to n8n's log what became of a delivery: at most once a minute for each trigger and each verdict, with the number
 * of deliveries that it was passed on since the last such line. All is in the sentence: of the rest n8n shows nothing
 * on the console unless its log level is debug.
 */
export function logDelivery(
	context: Pick<IWebhookFunctions, 'logger' | 'getNode' | 'getWorkflow'>,
	level: 'debug' | 'info' | 'warn' | 'error',
	{ outcome, why }: Verdict,
): void {
	const { id, name, webhookId } = context.getNode();
	const { id: workflowId, name: workflow } = context.getWorkflow();
	const key = JSON.stringify([workflowId, webhookId ?? id, outcome, why]);
	const now = Date.now();
	const tally = tallies.get(key) ?? { loggedAt: -Infinity, count: 0 };
	tally.count++;
	if (now - tally.loggedAt < PERIOD) return;
	const deliveries = tally.count === 1 ? '1 delivery was' : `${tally.count} deliveries were`;
	const trigger = `Email Identity Trigger "${name}" of workflow "${workflow ?? workflowId}"`;
	context.logger[level](`${trigger}: ${deliveries} ${outcome}: ${why}`, {
		workflowId,
		deliveries: tally.count,
	});
	tallies.set(key, { loggedAt: now, count: 0 });
}
