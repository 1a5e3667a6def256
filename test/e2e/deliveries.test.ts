import { N8n, until } from './driver';
import type { StoredWorkflow } from './driver';
import type { Sandbox } from '../../sandbox';
import { deploy } from './support/deployment';
import { eventOf } from './support/emails';
import { isAccepted, post, sendAll, shuffled } from './support/sender';
import { createTriggerWorkflow, subscriptionOf, untilRegistered } from './support/triggers';

/** `DELIVERED_MESSAGES=1000` makes it the full measure: 2,000 deliveries. */
const MESSAGES = Number(process.env.DELIVERED_MESSAGES ?? 150);
const AT_A_TIME = 50;
const READ_AT_A_TIME = 10;
const SEED = Number(process.env.DELIVERY_SEED ?? 1);

let n8n: N8n;
let sandbox: Sandbox;
let workflow: StoredWorkflow;

beforeAll(async () => {
	n8n = await N8n.start();
	const deployment = await deploy(n8n, 'observed');
	sandbox = deployment.sandbox;
	workflow = await createTriggerWorkflow(n8n, deployment.credential);
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

/** Printed where the full measure was asked for. */
const report = (numbers: Record<string, number>) => {
	if (process.env.DELIVERED_MESSAGES !== undefined) {
		process.stderr.write(`${JSON.stringify(numbers)}\n`);
	}
};

const idsOf = (entries: Array<{ id: string }>) => entries.map(({ id }) => id);

interface Started {
	id: string;
	/** n8n was stopped after it recorded the execution and before it was done. */
	isCutOff: boolean;
}

/** Which message each execution was started with, from the data it was recorded with. */
const startedMessages = async (count: number): Promise<Started[]> => {
	let seenBefore = 0;
	const summaries = await until(
		async () => {
			const all = await n8n.executions.list(workflow.id);
			const open = all.filter(({ status }) => status === 'running' || status === 'new');
			// There may be more than that: two looks in a row have to see the same.
			if (all.length >= count && all.length === seenBefore && open.length === 0) return all;
			seenBefore = all.length;
			throw new Error(`${all.length} executions, ${open.length} of them not ended`);
		},
		{ describe: `${count} executions have ended`, timeout: 120_000, interval: 500 },
	);
	const started: Started[] = [];
	await sendAll(idsOf(summaries), READ_AT_A_TIME, async (id) => {
		const { data, status } = await n8n.session.call<{ data: string; status: string }>(
			'GET',
			`/rest/executions/${id}`,
		);
		const message = /"(message-\d+)"/.exec(data)?.[1] ?? `of execution ${id}`;
		started.push({ id: message, isCutOff: status === 'crashed' });
		return undefined;
	});
	return started;
};

const repeatedIn = (ids: string[]): string[] =>
	ids.filter((id, index) => ids.indexOf(id) !== index);

test(
	`${2 * MESSAGES} deliveries of ${MESSAGES} messages, ${AT_A_TIME} at a time with a restart in the middle, start each message once`,
	async () => {
		const { url } = subscriptionOf(sandbox, workflow);
		const ids = Array.from({ length: MESSAGES }, (_, index) => `message-${index}`);
		const order = shuffled([...ids, ...ids], SEED);
		let delivered = 0;
		let restarted: Promise<void> | undefined;
		const sent = await sendAll(order, AT_A_TIME, async (id) => {
			if (++delivered === MESSAGES) {
				restarted = n8n.restart().then(async () => await untilRegistered(n8n, workflow));
			}
			const status = await post(url, eventOf(id));
			if (status === undefined) await restarted;
			return status;
		});
		await restarted;
		const accepted = new Set(idsOf(sent.filter(isAccepted)));
		const started = await startedMessages(accepted.size);
		const completed = idsOf(started.filter(({ isCutOff }) => !isCutOff));
		report({
			deliveries: sent.length,
			unanswered: sent.length - sent.filter(isAccepted).length,
			messages: ids.length,
			accepted: accepted.size,
			executions: started.length,
			cutOff: started.length - completed.length,
			completedTwice: repeatedIn(completed).length,
		});

		expect([...accepted].filter((id) => !idsOf(started).includes(id))).toEqual([]);
		// A stop between recording and answering leaves the sender without an answer: its repeat starts again.
		const unanswered = new Set(idsOf(sent.filter((delivery) => !isAccepted(delivery))));
		const answered = (entries: Started[]) => idsOf(entries).filter((id) => !unanswered.has(id));
		expect(repeatedIn(answered(started))).toEqual([]);

		// A sender that repeats what was refused gets everything through, still once.
		const repeated = await sendAll(ids, AT_A_TIME, async (id) => await post(url, eventOf(id)));
		expect(repeated.filter((delivery) => !isAccepted(delivery))).toEqual([]);
		const inTheEnd = await startedMessages(MESSAGES);
		expect(repeatedIn(answered(inTheEnd))).toEqual([]);
		expect(new Set(idsOf(inTheEnd))).toEqual(new Set(ids));
	},
	300_000 + 1_200 * MESSAGES,
);
