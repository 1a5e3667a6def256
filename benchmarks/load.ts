import { join } from 'node:path';
import { hostOf } from '../test/e2e/driver';
import { freshProcess } from './freshProcess';
import { compare, inTurn, median, resultsOf } from './measure';
import { allPackages, entryPoints, OURS } from './peers';
import type { Bench, Benchmark, Comparison } from './types';

/** What n8n waits for at its start: requiring the nodes and credentials of a package. */
export const load: Benchmark = {
	name: 'load',
	title: 'Loading both nodes and the credential, with n8n-workflow already loaded',
	async run(bench: Bench) {
		const host = join(hostOf('2').folder, 'node_modules');
		const packages = await allPackages(bench.outside);
		const timer = await freshProcess<{ host: string; files: string[] }, number>(
			join(__dirname, 'timeLoading.ts'),
			bench.scratch,
			[],
			// Unpacked outside n8n's folder, they find n8n-workflow here.
			{ NODE_PATH: host },
		);
		const contest: Record<string, () => Promise<number>> = {};
		for (const peer of packages) {
			const files = await entryPoints(peer);
			contest[peer.label] = async () => await timer.run({ host, files });
		}
		const results = await inTurn(contest, bench.quick ? 3 : 15);
		return comparisons(results);
	},
};

function comparisons(results: Record<string, number[]>): Comparison[] {
	const ours = resultsOf(results, OURS);
	const others = Object.keys(results).filter((name) => name !== OURS);
	const peers = others.map((name) => resultsOf(results, name));
	const medians = ours.map((_, round) => median(peers.map((times) => times[round] ?? NaN)));
	return [
		compare({
			what: 'time',
			unit: 'ms',
			ours,
			against: `the median of ${others.length} packages`,
			theirs: medians,
			goal: { of: 'ratio', atMost: 1 },
		}),
	];
}
