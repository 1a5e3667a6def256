import { compare } from '../measure/compare';
import { inTurn, resultsOf } from '../measure/inTurn';
import type { Bench, Benchmark } from '../types';
import { startActionHost } from './actionHost';
import { listNodes } from './listNodes';
import { measurable, type Measurable } from './runNodes';

const IDENTITIES = 10_000;

/** A long list, read and simplified in one node. */
export const identities10k: Benchmark = {
	name: 'identities-10k',
	title: 'Identity Get Many, Return All, Simplify, 10,000 identities',
	async run(bench: Bench) {
		const host = await startActionHost();
		try {
			host.service.behaviour.identities = IDENTITIES;
			const nodes = listNodes(host);
			const ours = await measurable(host.n8n, nodes.ours);
			const theirs = await measurable(host.n8n, nodes.theirs);
			const run = (measured: Measurable) => async () => {
				const { time, items, failed } = await measured.run();
				if (items !== IDENTITIES || failed > 0)
					throw new Error(`${items} items, ${failed} failed.`);
				return time;
			};
			const contestants = { ours: run(ours), theirs: run(theirs) };
			await inTurn(contestants, 2);
			const results = await inTurn(contestants, bench.quick ? 3 : 11);
			return {
				comparisons: [
					compare({
						what: 'time',
						unit: 'ms',
						ours: resultsOf(results, 'ours'),
						against: 'HTTP Request + Split Out',
						theirs: resultsOf(results, 'theirs'),
						goal: { of: 'ratio', atMost: 1 },
					}),
				],
			};
		} finally {
			await host.stop();
		}
	},
};
