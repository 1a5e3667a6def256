import { compare, inTurn } from '../measure';
import type { Bench, Benchmark } from '../types';
import { startActionHost } from './actionHost';
import { measurable, type NodesRun } from './runNodes';

const ITEMS = 500;
const LATENCY_MS = 20;
const ROUNDS = 15;

/** Many items of the action node, against n8n's own node for HTTP requests. */
export const messages: Benchmark = {
	name: 'messages',
	title: `Message Get for ${ITEMS} items, from a service that takes ${LATENCY_MS} ms`,
	async run(bench: Bench) {
		const { n8n, sandbox, messageIds, ours, httpRequest, stop } = await startActionHost({
			messages: ITEMS,
		});
		try {
			sandbox.setLatency(LATENCY_MS);
			const parameters = { resource: 'message', operation: 'get', messageId: '={{ $json.ids }}' };
			const contestants = {
				ours: await measurable(n8n, [ours(parameters)], ITEMS, messageIds),
				theirs: await measurable(
					n8n,
					[httpRequest('/messages/{{ $json.ids }}')],
					ITEMS,
					messageIds,
				),
			};
			await inTurn(contestants, 2);
			const runs = await inTurn(contestants, bench.quick ? 3 : ROUNDS);
			const times = (side: NodesRun[]): number[] => side.map(({ time }) => time);
			return [
				compare({
					what: 'time',
					unit: 'ms',
					ours: times(runs.ours),
					against: 'HTTP Request node',
					theirs: times(runs.theirs),
					goal: { of: 'ratio', atMost: 1 },
				}),
			];
		} finally {
			await stop();
		}
	},
};
