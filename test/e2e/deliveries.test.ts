import { N8n, until } from './driver';
import { eventOf, isAccepted, post, sendAll } from './support/deliveries';
import { onStage } from './support/stage';

/** n8n lists a hundred executions: each message, and once more each that was under way at the restart. */
const MESSAGES = 70;
const AT_A_TIME = 25;

const stage = onStage({ start: async () => await N8n.start() });

/** The messages that executions were started with, once as many have ended. */
async function startedMessages(workflowId: string, count: number): Promise<string[]> {
	await stage.n8n.executions.atLeast(workflowId, count);
	const all = await until(
		async () => {
			const listed = await stage.n8n.executions.list(workflowId);
			const isOpen = listed.some(({ status }) => status === 'running' || status === 'new');
			return !isOpen && listed;
		},
		{ describe: 'no execution is running' },
	);
	expect(all.length).toBeLessThan(100);
	return await Promise.all(
		all.map(async ({ id }) => {
			// Of one that was cut off, n8n has the item of the trigger only as text.
			const { data } = await stage.n8n.session.call<{ data: string }>(
				'GET',
				`/rest/executions/${id}`,
			);
			return /"(message-\d+)"/.exec(data)?.[1] ?? `of execution ${id}`;
		}),
	);
}

const idsOf = (entries: { id: string }[]) => entries.map(({ id }) => id);

const repeatedIn = (ids: string[]) => ids.filter((id, index) => ids.indexOf(id) !== index);

it(`${2 * MESSAGES} deliveries of ${MESSAGES} messages with a restart in the middle start each message once`, async () => {
	const workflow = await stage.publish();
	const { url } = stage.subscription(workflow);
	const ids = Array.from({ length: MESSAGES }, (_, index) => `message-${index}`);
	// Half of the repeats come with their message, the others much later.
	const isTogether = (_: string, index: number) => index % 2 === 0;
	const order = ids.flatMap((id, index) => (isTogether(id, index) ? [id, id] : [id]));
	order.push(...ids.filter((id, index) => !isTogether(id, index)));
	let delivered = 0;
	let restarted: Promise<void> | undefined;
	const sent = await sendAll(order, AT_A_TIME, async (id) => {
		if (++delivered === MESSAGES) {
			restarted = stage.n8n.restart().then(async () => await stage.registered(workflow));
		}
		const status = await post(url, eventOf(id));
		if (status === undefined) await restarted;
		return status;
	});
	await restarted;
	const accepted = new Set(idsOf(sent.filter(isAccepted)));
	const started = await startedMessages(workflow.id, accepted.size);
	expect([...accepted].filter((id) => !started.includes(id))).toEqual([]);
	// A stop between recording and answering leaves the sender without an answer: its repeat starts again.
	const unanswered = new Set(idsOf(sent.filter((delivery) => !isAccepted(delivery))));
	const answered = (all: string[]) => all.filter((id) => !unanswered.has(id));
	expect(repeatedIn(answered(started))).toEqual([]);

	// A sender that repeats what was refused gets everything through, still once.
	const repeated = await sendAll(ids, AT_A_TIME, async (id) => await post(url, eventOf(id)));
	expect(repeated.filter((delivery) => !isAccepted(delivery))).toEqual([]);
	const inTheEnd = await startedMessages(workflow.id, MESSAGES);
	expect(repeatedIn(answered(inTheEnd))).toEqual([]);
	expect(new Set(inTheEnd)).toEqual(new Set(ids));
});
