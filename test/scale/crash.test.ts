import { setTimeout as pause } from 'node:timers/promises';
import { N8n } from '../support/n8n';
import { eventOf, isAccepted } from '../e2e/support/deliveries';
import { onStage } from '../e2e/support/stage';
import { executionsInSqlite, say, sayResults, tally } from './support/counting';
import {
	between,
	byMessage,
	reasonFor,
	recorded,
	seededRandom,
	SIZE,
	type Sent,
} from './support/load';

const CONNECTIONS = 10;
const REPEATED_AFTER_A_CRASH = 20;
const HOUR_MS = 3_600_000;

const { crashes } = SIZE;

/** n8n 1.x answers before it records the execution: a crash can lose the last delivery of each connection. */
const MAX_LOST = { '1': crashes * CONNECTIONS, '2': 0 };

const stage = onStage({
	isStory: true,
	start: async () =>
		await N8n.start({ environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' } }),
});

test(
	`no accepted delivery is lost in n8n 2.x when n8n is killed ${crashes} times`,
	async () => {
		const { n8n, sandbox } = stage;
		const workflow = await stage.publish();
		const { url } = stage.subscription(workflow);
		const random = seededRandom();
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
		const connect = async (): Promise<void> => {
			for (;;) {
				const next = toRepeat.shift() ?? (finished ? undefined : `scale-${messages++}`);
				if (next === undefined) return;
				await deliver(next);
			}
		};
		const connections = () => Array.from({ length: CONNECTIONS }, connect);
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
			// At a random moment while n8n processes a delivery, which takes about 30 ms.
			await pause(random(50));
			let isUp = () => {};
			up = new Promise((resolve) => (isUp = resolve));
			await n8n.kill();
			say(`crash ${number} after ${sent.length} deliveries`);
			await n8n.restart();
			await stage.registered(workflow);
			const latest = sent.filter(isAccepted).slice(-REPEATED_AFTER_A_CRASH);
			toRepeat.push(...latest.map(({ id }) => id));
			isUp();
		};

		const underWay = connections();
		for (let number = 1; number <= crashes; number++) await crash(number);
		finished = true;
		await Promise.all(underWay);
		await Promise.all(connections());
		await n8n.pause();

		const executions = await executionsInSqlite(n8n, workflow.id);
		const started = tally(executions.map(({ message }) => message));
		const byId = byMessage(sent);
		const accepted = [...byId].filter(([, deliveries]) => deliveries.some(isAccepted));
		const lost = accepted.filter(([id]) => !started.has(id));
		const startedTwice = [...byId].filter(([id]) => (started.get(id) ?? 0) > 1);
		const reasons = tally(startedTwice.map(([, deliveries]) => reasonFor(deliveries)));
		const startedTwiceApart = reasons.get('apart') ?? 0;
		sayResults({
			'crashes (kill -9)': crashes,
			'deliveries, repeats of those without an answer included': sent.length,
			messages: byId.size,
			'deliveries whose answer a crash cut off': sent.filter((delivery) => !isAccepted(delivery))
				.length,
			'messages answered 2xx without an execution': lost.length,
			'messages started twice, their deliveries apart in time': startedTwiceApart,
			'messages started twice, first answered with a 5xx or not at all':
				reasons.get('unanswered') ?? 0,
			'executions that a crash cut off': executions.filter(({ status }) => status !== 'success')
				.length,
		});

		expect(accepted).toHaveLength(byId.size);
		expect(lost.length).toBeLessThanOrEqual(MAX_LOST[n8n.line]);
		expect(startedTwiceApart).toBe(0);
	},
	HOUR_MS,
);
