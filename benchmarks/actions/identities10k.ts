import { compare, inTurn, resultsOf } from '../measure';
import type { Bench, Benchmark } from '../types';
import { startActionHost } from './actionHost';
import { measurable, type Measurable } from './runNodes';

const EXTRA_IDENTITIES = 10_000;

/** A long list, read and simplified in one node. */
export const identities10k: Benchmark = {
	name: 'identities-10k',
	title: 'Identity Get Many, Return All, Simplify, 10,000 identities',
	async run(bench: Bench) {
		const host = await startActionHost({ extraIdentities: EXTRA_IDENTITIES });
		try {
			const count = host.sandbox.accounts.owner.identities.length;
			const ours = await measurable(host.n8n, [
				host.ours({ resource: 'identity', operation: 'getAll', returnAll: true, simplify: true }),
			]);
			const theirs = await measurable(host.n8n, [
				host.httpRequest('/identities'),
				{
					name: 'Split Out',
					type: 'n8n-nodes-base.splitOut',
					typeVersion: 1,
					parameters: { fieldToSplitOut: 'data', options: {} },
				},
			]);
			const run = (measured: Measurable) => async () => {
				const { time, items, failed } = await measured.run();
				if (items !== count || failed > 0) throw new Error(`${items} items, ${failed} failed.`);
				return time;
			};
			const contestants = { ours: run(ours), theirs: run(theirs) };
			await inTurn(contestants, 2);
			const results = await inTurn(contestants, bench.quick ? 3 : 11);
			return [
				compare({
					what: 'time',
					unit: 'ms',
					ours: resultsOf(results, 'ours'),
					against: 'HTTP Request + Split Out',
					theirs: resultsOf(results, 'theirs'),
					goal: { of: 'ratio', atMost: 1 },
				}),
			];
		} finally {
			await host.stop();
		}
	},
};
