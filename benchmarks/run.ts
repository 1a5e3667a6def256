import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostOf, PACKED_PACKAGE, packedPackage, projectFolder } from '../test/e2e/driver';
import { BENCHMARKS } from './benchmarks';
import { busyness, describeMachine } from '../scripts/scale/machine';
import { writePage } from './report/page';
import { readResults, writeResults, type Result } from './report/results';
import { plainTable } from './report/table';
import type { Bench, Benchmark } from './types';

/** What was asked for on the command line. */
export interface RunOptions {
	/** names of benchmarks; all of them when left out */
	only?: string[];
	quick: boolean;
}

/** How the benchmarks talk to the person waiting. */
export interface RunConsole {
	say(line: string): void;
	whileSaying<T>(activity: string, work: () => Promise<T>): Promise<T>;
	/** an error whose message is shown without a stack */
	failure(message: string): Error;
}

/**
 * Measures, prints a table for each benchmark and writes what was found: `benchmarks/results.json` and
 * `docs/performance.md`, or their short forms below `.bench/` for a quick run.
 */
export async function runBenchmarks(options: RunOptions, console: RunConsole): Promise<void> {
	const chosen = choose(options, console);
	const base = join(projectFolder, '.bench');
	await mkdir(base, { recursive: true });
	const scratch = await mkdtemp(join(base, 'run-'));
	const outside = await mkdtemp(join(tmpdir(), 'email-identity-bench-'));
	try {
		process.env[PACKED_PACKAGE] = await console.whileSaying('Building the package', packedPackage);
		for (const benchmark of chosen) {
			const bench = { quick: options.quick, say: console.say, scratch, outside };
			const result = await measure(benchmark, bench, console);
			process.stdout.write(`\n${result.name}: ${result.title}\n`);
			process.stdout.write(`${plainTable(result.comparisons)}\n\n`);
			await keep(result, base);
		}
	} finally {
		await rm(scratch, { recursive: true, force: true });
		await rm(outside, { recursive: true, force: true });
	}
}

function choose({ only }: RunOptions, console: RunConsole): readonly Benchmark[] {
	if (only === undefined) return BENCHMARKS;
	const names = BENCHMARKS.map(({ name }) => name);
	const unknown = only.find((name) => !names.includes(name));
	if (unknown === undefined) return BENCHMARKS.filter(({ name }) => only.includes(name));
	throw console.failure(`There is no benchmark "${unknown}": they are ${names.join(', ')}.`);
}

async function measure(benchmark: Benchmark, bench: Bench, console: RunConsole): Promise<Result> {
	const { name, title } = benchmark;
	const busy = busyness();
	const outcome = await console.whileSaying(`Measuring ${name}`, () => benchmark.run(bench));
	return {
		name,
		title,
		measuredAt: new Date().toISOString(),
		quick: bench.quick,
		machine: describeMachine(),
		busy,
		n8n: hostOf('2').version,
		...outcome,
	};
}

/** Beside what earlier runs found, so that one line can be measured again. */
async function keep(result: Result, scratchBase: string): Promise<void> {
	const folder = result.quick ? scratchBase : join(projectFolder, 'benchmarks');
	const file = join(folder, 'results.json');
	const results = { ...(await readResults(file)), [result.name]: result };
	await writeResults(file, results);
	const order = BENCHMARKS.map(({ name }) => name);
	await writePage(results, order, result.quick ? scratchBase : join(projectFolder, 'docs'));
}
