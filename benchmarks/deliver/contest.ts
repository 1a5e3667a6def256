import { Agent, request } from 'node:http';
import { until, type N8n } from '../../test/support/n8n';
import { inTurn } from '../measure';
import type { Bench } from '../types';
import type { Contestant, Receivers } from './receivers';

const TIME_LIMIT_MS = 120_000;

const UNFINISHED = encodeURIComponent(JSON.stringify({ status: ['new', 'running', 'waiting'] }));

export interface Load {
	count: number;
	/** Each sends its next delivery when the last one was answered, as a service that waits for answers does. */
	connections: number;
	rounds: number;
	/** Deliveries to each before anything counts. */
	warmUp: number;
}

/** @returns accepted deliveries per second in each round; executions have ended before the next one's turn */
export async function deliveryContest<Name extends Contestant>(
	{ n8n, receivers }: Receivers,
	names: readonly Name[],
	nextBody: () => Buffer,
	{ count, connections, rounds, warmUp }: Load,
	{ quick }: Bench,
): Promise<Record<Name, number[]>> {
	const contest = (amount: number) => {
		const contestants = names.map((name) => [
			name,
			async () => {
				const perSecond = await deliver(receivers[name].url, nextBody, amount, connections);
				await untilIdle(n8n);
				return perSecond;
			},
		]);
		return Object.fromEntries(contestants) as Record<Name, () => Promise<number>>;
	};
	await inTurn(contest(warmUp), 1);
	return await inTurn(contest(count), quick ? 3 : rounds);
}

async function deliver(url: string, nextBody: () => Buffer, count: number, connections: number) {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	let left = count;
	const connection = async (): Promise<void> => {
		while (left-- > 0) await post(url, nextBody(), agent);
	};
	const start = performance.now();
	try {
		await Promise.all(Array.from({ length: connections }, connection));
	} finally {
		agent.destroy();
	}
	return (count * 1000) / (performance.now() - start);
}

/** With the content type that a running service was seen to use. */
async function post(url: string, body: Buffer, agent: Agent): Promise<void> {
	const status = await new Promise<number | undefined>((resolve, reject) => {
		const headers = { 'content-type': 'text/plain;charset=UTF-8', 'content-length': body.length };
		const sending = request(url, { method: 'POST', agent, headers, timeout: TIME_LIMIT_MS });
		sending.on('error', reject);
		sending.on('timeout', () => sending.destroy(new Error('A delivery was not answered.')));
		sending.on('response', (response) => {
			response.resume();
			response.on('end', () => resolve(response.statusCode));
		});
		sending.end(body);
	});
	if (status !== 200) throw new Error(`A delivery was answered ${status}.`);
}

/** No execution may slow down what is measured next. */
async function untilIdle(n8n: N8n): Promise<void> {
	await until(
		'n8n has ended all executions',
		async () => {
			const { results } = await n8n.session.call<{ results: unknown[] }>(
				'GET',
				`/rest/executions?limit=1&filter=${UNFINISHED}`,
			);
			return results.length === 0;
		},
		180_000,
	);
}
