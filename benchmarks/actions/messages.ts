import { compare, inTurn, resultsOf } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import { startActionHost } from './actionHost';
import { measurable, type Measurable, type NodesRun } from './runNodes';

const ITEMS = 500;
const LATENCY_MS = 20;
const ROUNDS = 15;
/** So slow that all requests of a node which sends them at once meet, however long n8n takes for each. */
const SLOW_LATENCY_MS = 500;
const SLOW_ROUNDS = 3;
const MOST_AT_ONCE = 20;
const AGAINST = 'HTTP Request node';

interface Behaviour {
	/** Milliseconds before every answer. */
	latency: number;
	/** More requests than this at once are answered 429 with `Retry-After: 1`. */
	mostAtOnce?: number;
	rounds?: number;
}

interface Run extends NodesRun {
	requests: number;
}

/** Message Get for many items, against the HTTP Request node with its defaults. */
export const messages500: Benchmark = {
	name: 'messages-500',
	title: `Message Get for ${ITEMS} items, a service that takes ${LATENCY_MS} ms`,
	run: async (bench) =>
		await contest(bench, { latency: LATENCY_MS }, (ours, theirs) => [
			compare({
				what: 'time',
				unit: 'ms',
				ours: ours.map(({ time }) => time),
				against: AGAINST,
				theirs: theirs.map(({ time }) => time),
				goal: { of: 'ratio', atMost: 1 },
			}),
		]),
};

export const messages429: Benchmark = {
	name: 'messages-429',
	title: `The same, the service refuses more than ${MOST_AT_ONCE} at once and asks to wait a second`,
	async run(bench) {
		const comparisons: Comparison[] = [];
		const services = [
			{ latency: LATENCY_MS, rounds: ROUNDS },
			{ latency: SLOW_LATENCY_MS, rounds: SLOW_ROUNDS },
		];
		for (const service of services) {
			const limited = { ...service, mostAtOnce: MOST_AT_ONCE };
			const outcome = await contest(bench, limited, (ours, theirs) =>
				underLimit(`, a service that takes ${service.latency} ms`, ours, theirs),
			);
			comparisons.push(...outcome);
		}
		return comparisons;
	},
};

function underLimit(at: string, ours: Run[], theirs: Run[]): Comparison[] {
	return [
		side(`items failed${at}`, ours, theirs, ({ failed }) => failed, 0),
		side(`requests${at}`, ours, theirs, ({ requests }) => requests, 2 * ITEMS),
	];
}

/** Both figures side by side; a ratio would mean nothing where the other side gives up. */
function side(
	what: string,
	ours: Run[],
	theirs: Run[],
	read: (run: Run) => number,
	atMost: number,
): Comparison {
	const comparison = compare({
		what,
		unit: '',
		ours: ours.map(read),
		against: AGAINST,
		theirs: theirs.map(read),
		goal: { of: 'ours', atMost },
	});
	return { ...comparison, ratio: undefined };
}

async function contest(
	bench: Bench,
	{ latency, mostAtOnce, rounds = ROUNDS }: Behaviour,
	judge: (ours: Run[], theirs: Run[]) => Comparison[],
): Promise<Comparison[]> {
	const host = await startActionHost({ messages: ITEMS });
	try {
		const { n8n, sandbox, messageIds } = host;
		sandbox.setLatency(latency);
		if (mostAtOnce !== undefined) {
			const headers = { 'retry-after': '1' };
			sandbox.addFault({ above: mostAtOnce, answer: { type: 'status', status: 429, headers } });
		}
		const parameters = { resource: 'message', operation: 'get', messageId: '={{ $json.ids }}' };
		const ours = await measurable(n8n, [host.ours(parameters)], messageIds);
		const theirs = await measurable(
			n8n,
			[host.httpRequest('/messages/{{ $json.ids }}')],
			messageIds,
		);
		const run = (nodes: Measurable) => async (): Promise<Run> => {
			sandbox.clearRecordings();
			const result = await nodes.run();
			if (result.items !== ITEMS) throw new Error(`${result.items} items came out.`);
			return { ...result, requests: sandbox.requests().length };
		};
		const contestants = { ours: run(ours), theirs: run(theirs) };
		await inTurn(contestants, 2);
		const results = await inTurn(contestants, bench.quick ? 3 : rounds);
		return judge(resultsOf(results, 'ours'), resultsOf(results, 'theirs'));
	} finally {
		await host.stop();
	}
}
