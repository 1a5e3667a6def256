import { compare, inTurn } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import { startActionHost } from './actionHost';
import { measurable, type NodesRun } from './runNodes';

const ITEMS = 500;
const LATENCY_MS = 20;
/** So slow that all requests of a node that does not limit them are under way at the same time. */
const SLOW_LATENCY_MS = 500;
const MAX_AT_ONCE = 20;

interface Behaviour {
	latencyMs: number;
	/** More requests than this at once are answered 429 with `Retry-After: 1`. */
	maxAtOnce?: number;
	rounds: number;
}

interface Run extends NodesRun {
	requests: number;
}

const figureOf = (runs: Record<'ours' | 'theirs', Run[]>, name: keyof Run) => ({
	ours: runs.ours.map((run) => run[name]),
	against: 'HTTP Request node',
	theirs: runs.theirs.map((run) => run[name]),
});

export const messages500: Benchmark = {
	name: 'messages-500',
	title: `Message Get for ${ITEMS} items, a service that takes ${LATENCY_MS} ms`,
	async run(bench) {
		const runs = await contest(bench, { latencyMs: LATENCY_MS, rounds: 15 });
		const goal = { of: 'ratio', atMost: 1 } as const;
		return [compare({ what: 'time', unit: 'ms', ...figureOf(runs, 'time'), goal })];
	},
};

export const messages429: Benchmark = {
	name: 'messages-429',
	title: `The same, a service that takes ${SLOW_LATENCY_MS} ms, refuses more than ${MAX_AT_ONCE} at once and asks to wait a second`,
	async run(bench) {
		const service = { latencyMs: SLOW_LATENCY_MS, maxAtOnce: MAX_AT_ONCE, rounds: 3 };
		const runs = await contest(bench, service);
		const figure = (what: string, name: keyof Run, atMost: number): Comparison => ({
			...compare({ what, unit: '', ...figureOf(runs, name), goal: { of: 'ours', atMost } }),
			// Without meaning, because the other side gives up.
			ratio: undefined,
		});
		return [figure('items failed', 'failed', 0), figure('requests', 'requests', 2 * ITEMS)];
	},
};

async function contest(bench: Bench, { latencyMs, maxAtOnce, rounds }: Behaviour) {
	const { n8n, sandbox, messageIds, ours, httpRequest, stop } = await startActionHost({
		messages: ITEMS,
	});
	try {
		sandbox.setLatency(latencyMs);
		if (maxAtOnce !== undefined) {
			const headers = { 'retry-after': '1' };
			sandbox.addFault({ above: maxAtOnce, answer: { type: 'status', status: 429, headers } });
		}
		const running = async (node: ReturnType<typeof ours>) => {
			const run = await measurable(n8n, [node], ITEMS, messageIds);
			return async (): Promise<Run> => {
				sandbox.clearRecordings();
				return { ...(await run()), requests: sandbox.requests().length };
			};
		};
		const parameters = { resource: 'message', operation: 'get', messageId: '={{ $json.ids }}' };
		const contestants = {
			ours: await running(ours(parameters)),
			theirs: await running(httpRequest('/messages/{{ $json.ids }}')),
		};
		await inTurn(contestants, 2);
		return await inTurn(contestants, bench.quick ? 3 : rounds);
	} finally {
		await stop();
	}
}
