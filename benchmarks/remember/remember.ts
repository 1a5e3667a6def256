import { join } from 'node:path';
import { compare } from '../measure/compare';
import { freshProcess } from '../measure/freshProcess';
import { resultsOf } from '../measure/inTurn';
import type { Bench, Benchmark, Comparison, Goal } from '../types';
import type { MemoryFigures, MemoryResults, MemoryTask } from './measureMemory';

const FEW = 10;
const MORE = [1_000, 100_000];
const CHECKS = 2_000;

const FLAT: Goal = { of: 'ratio', atMost: 1.1 };

const FIGURES: { figure: keyof MemoryFigures; what: string; goal?: Goal }[] = [
	{ figure: 'fresh', what: 'check of a new message', goal: FLAT },
	{ figure: 'repeated', what: 'check of a repeat', goal: FLAT },
	{ figure: 'stored', what: "check, with n8n's reading and writing of the static data" },
];

/** Whether the duplicate check's cost grows with history. */
export const remember: Benchmark = {
	name: 'remember',
	title: "One delivery's duplicate check with few and many messages seen",
	async run(bench: Bench) {
		const script = join(__dirname, 'measureMemory.ts');
		const memory = await freshProcess<MemoryTask, MemoryResults>(script, bench.scratch);
		const results = await memory.run({
			seen: [FEW, ...MORE],
			rounds: bench.quick ? 20 : 200,
			checks: CHECKS,
		});
		const few = resultsOf(results, String(FEW));
		const comparisons = FIGURES.flatMap(({ figure, what, goal }): Comparison[] =>
			MORE.map((seen) =>
				compare({
					what: `${what}, ${seen.toLocaleString('en')} seen`,
					unit: 'µs',
					ours: resultsOf(results, String(seen)).map((figures) => figures[figure]),
					against: `the same, ${FEW} seen`,
					theirs: few.map((figures) => figures[figure]),
					goal,
				}),
			),
		);
		return { comparisons };
	},
};
