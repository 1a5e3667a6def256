import { setTimeout as pause } from 'node:timers/promises';
import { N8n, type StoredWorkflow } from '../e2e/driver';
import type { Sandbox } from '../../sandbox';
import { deploy } from '../e2e/support/deployment';
import { eventOf } from '../e2e/support/emails';
import { createTriggerWorkflow, subscriptionOf, untilRegistered } from '../e2e/support/triggers';
import { executionsInSqlite, shown, tally } from './counting';
import {
	between,
	byMessage,
	chosenSeed,
	chosenSize,
	excuseFor,
	isAccepted,
	randomFrom,
	recorded,
	type Excuse,
	type Sent,
} from './load';
import { keepResults, say } from './results';

const CONNECTIONS = 10;
const REPEATED_AFTER_A_CRASH = 20;
const HOUR = 3_600_000;

const { crashes } = chosenSize();

/** n8n 1.x answers before it records: a crash can lose what each connection was just told. */
const MOST_LOST = { '1': crashes * CONNECTIONS, '2': 0 };

let n8n: N8n;
let sandbox: Sandbox;
let workflow: StoredWorkflow;

beforeAll(async () => {
	n8n = await N8n.start({ environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' } });
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

test(
	`an n8n that is killed ${crashes} times at random moments of a stream of deliveries`,
	async () => {
		const random = randomFrom(chosenSeed());
		const { url } = subscriptionOf(sandbox, workflow);
		const sent: Sent[] = [];
		const toRepeat: string[] = [];
		let messages = 0;
		let finished = false;
		let up: Promise<void> = Promise.resolve();
		let answered = () => {};

		const deliver = async (id: string): Promise<void> => {
			await up;
			const delivery = await recorded(id, async () => {
				const [record] = await sandbox.deliver({ url, body: eventOf(id) });
				return { status: record?.status ?? undefined };
			});
			sent.push(delivery);
			if (isAccepted(delivery)) answered();
			else toRepeat.push(id);
		};
		const connection = async (): Promise<void> => {
			for (;;) {
				const next = toRepeat.shift() ?? (finished ? undefined : `scale-${messages++}`);
				if (next === undefined) return;
				await deliver(next);
			}
		};
		const afterAccepted = async (count: number): Promise<void> => {
			let left = count;
			await new Promise<void>((resolve) => {
				answered = () => {
					if (--left <= 0) resolve();
				};
			});
		};
		const crash = async (number: number): Promise<void> => {
			await afterAccepted(between(random, 10, 60));
			// Somewhere within what n8n does for a delivery, which takes it some ten milliseconds.
			await pause(random() * 50);
			let isUp = () => {};
			up = new Promise((resolve) => (isUp = resolve));
			await n8n.kill();
			say(`crash ${number} after ${sent.length} deliveries`);
			await n8n.restart();
			await untilRegistered(n8n, workflow);
			const latest = sent.filter(isAccepted).slice(-REPEATED_AFTER_A_CRASH);
			toRepeat.push(...latest.map(({ id }) => id));
			isUp();
		};

		const connections = Array.from({ length: CONNECTIONS }, connection);
		for (let number = 1; number <= crashes; number++) await crash(number);
		finished = true;
		await Promise.all(connections);
		await Promise.all(Array.from({ length: CONNECTIONS }, connection));
		await n8n.pause();

		const executions = await executionsInSqlite(n8n, workflow.id);
		const started = tally(executions.map(({ message }) => message));
		const byId = byMessage(sent);
		const accepted = [...byId].filter(([, deliveries]) => deliveries.some(isAccepted));
		const lost = accepted.filter(([id]) => !started.has(id)).map(([id]) => id);
		const excuses = tally(
			[...byId]
				.filter(([id]) => (started.get(id) ?? 0) > 1)
				.map(([, deliveries]) => excuseFor(deliveries)),
		);
		const multiple = (excuse: Excuse) => excuses.get(excuse) ?? 0;
		const statuses = tally(executions.map(({ status }) => status));
		const endedWell = tally(
			executions.filter(({ status }) => status === 'success').map(({ message }) => message),
		);
		keepResults(`crash-${n8n.line}`, {
			'crashes (kill -9)': crashes,
			'deliveries, repeats of what got no answer included': sent.length,
			'messages in them': byId.size,
			'deliveries whose answer a crash cut off': sent.filter((delivery) => !isAccepted(delivery))
				.length,
			'messages answered 2xx without an execution': lost.length,
			'messages started twice, their deliveries apart in time': multiple('apart'),
			'messages started twice, first answered with a 5xx or not at all': multiple('unanswered'),
			'messages that came to a good end twice': [...endedWell.values()].filter((count) => count > 1)
				.length,
			'messages that came to no good end, their execution cut off': accepted.filter(
				([id]) => started.has(id) && !endedWell.has(id),
			).length,
			'executions that ended well': statuses.get('success') ?? 0,
			'executions that a crash cut off': executions.length - (statuses.get('success') ?? 0),
		});

		say(`answers: ${shown(tally(sent.map(({ status }) => status)))}`);
		say(`executions: ${shown(tally(executions.map(({ status, failure }) => failure ?? status)))}`);

		expect(accepted).toHaveLength(byId.size);
		expect(lost.length).toBeLessThanOrEqual(MOST_LOST[n8n.line]);
		expect(multiple('apart')).toBe(0);
	},
	HOUR,
);
