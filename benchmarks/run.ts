import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from './machine';
import { SetupFailure } from '../scripts/setup/failure.mjs';
import { whileSaying } from '../scripts/setup/progress.mjs';
import { hostOf, PACKED_PACKAGE, packedPackage, projectFolder } from '../test/support/n8n';
import { deliver1m, deliver4k } from './deliver/deliver';
import { hostile } from './hostile';
import { load } from './load';
import { auditDns } from './actions/auditDns';
import { identities10k } from './actions/identities10k';
import { messages429, messages500 } from './actions/messages';
import { parse } from './parse/parse';
import { writePage, writeSection } from './report';
import type { Bench, Benchmark, Result, Results } from './types';
import { weight } from './weight';

/** In the order of the page. */
const BENCHMARKS: readonly Benchmark[] = [
	deliver4k,
	deliver1m,
	messages500,
	messages429,
	identities10k,
	auditDns,
	load,
	weight,
	parse,
	hostile,
];

interface RunOptions {
	only?: string[];
	quick: boolean;
}

/**
 * Measures, prints a table for each benchmark and writes `benchmarks/results.json` and `docs/performance.md`; both to
 * `.bench/` for a quick run.
 */
export async function runBenchmarks(options: RunOptions): Promise<void> {
	const chosen = choose(options);
	const base = join(projectFolder, '.bench');
	mkdirSync(base, { recursive: true });
	const scratch = mkdtempSync(join(base, 'run-'));
	const outside = mkdtempSync(join(tmpdir(), 'email-identity-bench-'));
	try {
		process.env[PACKED_PACKAGE] = await whileSaying('Building the package', packedPackage);
		for (const benchmark of chosen) {
			const result = await measure(benchmark, { quick: options.quick, scratch, outside });
			process.stdout.write(`\n${await writeSection(result)}\n`);
			await keep(result, base);
		}
	} finally {
		for (const folder of [scratch, outside]) rmSync(folder, { recursive: true, force: true });
	}
}

function choose({ only }: RunOptions): readonly Benchmark[] {
	if (only === undefined) return BENCHMARKS;
	const names = BENCHMARKS.map(({ name }) => name);
	const unknown = only.find((name) => !names.includes(name));
	if (unknown === undefined) return BENCHMARKS.filter(({ name }) => only.includes(name));
	throw new SetupFailure(`There is no benchmark "${unknown}": they are ${names.join(', ')}.`);
}

async function measure(benchmark: Benchmark, bench: Bench): Promise<Result> {
	const { name, title } = benchmark;
	const comparisons = await whileSaying(`Measuring ${name}`, () => benchmark.run(bench));
	return {
		name,
		title,
		comparisons,
		measuredAt: new Date().toISOString(),
		quick: bench.quick,
		machine: describeMachine(),
		n8n: hostOf('2').version,
	};
}

/** Beside what earlier runs found, so that one benchmark can be measured again. */
async function keep(result: Result, scratchBase: string): Promise<void> {
	const file = join(result.quick ? scratchBase : join(projectFolder, 'benchmarks'), 'results.json');
	const known: Results = existsSync(file)
		? (JSON.parse(readFileSync(file, 'utf8')) as Results)
		: {};
	const results = { ...known, [result.name]: result };
	writeFileSync(file, `${JSON.stringify(results, roundNumbers, '\t')}\n`);
	const order = BENCHMARKS.map(({ name }) => name);
	const folder = result.quick ? scratchBase : join(projectFolder, 'docs');
	writeFileSync(join(folder, 'performance.md'), await writePage(results, order));
}

/** Six digits are more than any of it means. */
function roundNumbers(_: string, value: unknown): unknown {
	return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
}
