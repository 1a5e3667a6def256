import { join } from 'node:path';
import { hostOf } from '../test/support/n8n';
import { freshProcess } from './freshProcess';
import { compare, inTurn, median } from './measure';
import { entryPoints, otherPackages, ownPackage, type Peer } from './peers';
import type { LoadingTask } from './timeLoading';
import type { Bench, Benchmark } from './types';

const ROUNDS = 15;
const QUICK_ROUNDS = 3;

/** n8n waits for this at its start: requiring the nodes and credentials of a package. */
export const load: Benchmark = {
	name: 'load',
	title: 'How much longer n8n takes to start with the package: loading its files',
	async run(bench: Bench) {
		const host = join(hostOf('2').folder, 'node_modules');
		const script = join(__dirname, 'timeLoading.ts');
		// Unpacked outside n8n's folder, packages find n8n-workflow here.
		const environment = { NODE_PATH: host };
		const time = await freshProcess<LoadingTask, number>(script, bench.scratch, [], environment);
		const timeOf = async (peer: Peer) => await time({ host, files: await entryPoints(peer) });
		const own = await ownPackage(bench.outside);
		const others = await otherPackages();
		const medianOfOthers = async () => {
			const times: number[] = [];
			for (const peer of others) times.push(await timeOf(peer));
			return median(times);
		};
		const contest = { ours: async () => await timeOf(own), theirs: medianOfOthers };
		const { ours, theirs } = await inTurn(contest, bench.quick ? QUICK_ROUNDS : ROUNDS);
		return [
			compare({
				what: 'time',
				unit: 'ms',
				ours,
				against: `the median of ${others.length} packages`,
				theirs,
				goal: { of: 'ratio', atMost: 1 },
			}),
		];
	},
};
