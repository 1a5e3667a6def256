import { compare, inTurn } from '../measure';
import type { Bench, Benchmark } from '../types';
import { startActionHost } from './actionHost';
import { measurable, splitOut, type NodesRun } from './runNodes';

const EXTRA_IDENTITIES = 10_000;

export const identities10k: Benchmark = {
	name: 'identities-10k',
	title: 'Identity Get Many with Return All, 10,000 identities',
	async run(bench: Bench) {
		const { n8n, sandbox, ours, httpRequest, stop } = await startActionHost({
			extraIdentities: EXTRA_IDENTITIES,
		});
		try {
			const count = sandbox.accounts.owner.identities.length;
			const parameters = {
				resource: 'identity',
				operation: 'getAll',
				returnAll: true,
				simplify: true,
			};
			const contest = {
				ours: await measurable(n8n, [ours(parameters)], count),
				theirs: await measurable(
					n8n,
					[httpRequest('/identities'), splitOut('Split Out', 'data')],
					count,
				),
			};
			await inTurn(contest, 2);
			const results = await inTurn(contest, bench.quick ? 3 : 11);
			const times = (runs: NodesRun[]) => runs.map(({ time }) => time);
			return [
				compare({
					what: 'time',
					unit: 'ms',
					against: 'HTTP Request + Split Out',
					ours: times(results.ours),
					theirs: times(results.theirs),
					goal: { of: 'ratio', atMost: 1.15 },
				}),
			];
		} finally {
			await stop();
		}
	},
};
