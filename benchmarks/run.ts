import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describeMachine, shareOfOthers } from './machine';
import { SetupFailure } from '../scripts/setup/failure.mjs';
import { say, whileSaying } from '../scripts/setup/progress.mjs';
import { hostOf, PACKED_PACKAGE, packedPackage, projectFolder } from '../test/support/n8n';
import { deliver } from './deliver/deliver';
import { hostile } from './hostile';
import { load } from './load';
import { auditDns } from './actions/auditDns';
import { identities10k, messages } from './actions/manyItems';
import { parse } from './parse/parse';
import { senderCheck } from './parse/senderCheck';
import { writeGoals, writePage, writeSection } from './report';
import { startTriggers } from './startTriggers';
import type { Bench, Benchmark, Place, Result, Results } from './types';
import { weight } from './weight';

/** In the order of the page. */
const BENCHMARKS: readonly Benchmark[] = [
	deliver,
	messages,
	identities10k,
	auditDns,
	load,
	startTriggers,
	weight,
	parse,
	senderCheck,
	hostile,
];

/** The figures, and files of the runs; not committed. */
const KEPT = join(projectFolder, '.bench');

interface RunOptions {
	only?: string[];
	quick: boolean;
	mails?: string;
}

/**
 * Measures, prints a table for each benchmark and keeps the figures of one day and machine in `.bench/`. When it has those of all
 * benchmarks, it writes `docs/performance.md` and `benchmarks/goals.md`.
 */
export async function runBenchmarks({ only, quick, mails }: RunOptions): Promise<void> {
	const chosen = choose(only);
	const place: Place = {
		date: new Date().toISOString().slice(0, 10),
		machine: describeMachine(),
		n8n: hostOf('2').version,
		quick,
	};
	mkdirSync(KEPT, { recursive: true });
	const scratch = mkdtempSync(join(KEPT, 'run-'));
	const outside = mkdtempSync(join(tmpdir(), 'email-identity-bench-'));
	const failed: string[] = [];
	try {
		process.env[PACKED_PACKAGE] = await whileSaying('Building the package', packedPackage);
		for (const benchmark of chosen) {
			try {
				const result = await measure(benchmark, { quick, mails, scratch, outside });
				process.stdout.write(`\n${await writeSection(result)}\n`);
				await keep(result, place);
			} catch (error) {
				// The others are measured all the same: each of them takes minutes.
				failed.push(benchmark.name);
				say(`${benchmark.name} failed: ${inspect(error)}`);
			}
		}
	} finally {
		for (const folder of [scratch, outside]) rmSync(folder, { recursive: true, force: true });
	}
	if (failed.length > 0) {
		const again = `npm run bench -- --only ${failed.join(',')}`;
		throw new SetupFailure(`Not everything was measured. To repeat what failed: ${again}`);
	}
}

async function measure({ name, title, run }: Benchmark, bench: Bench): Promise<Result> {
	const share = await shareOfOthers();
	const comparisons = await whileSaying(`Measuring ${name}`, async () => await run(bench));
	return { name, title, shareOfOthers: share, comparisons };
}

function choose(only: RunOptions['only']): readonly Benchmark[] {
	if (only === undefined) return BENCHMARKS;
	const names = BENCHMARKS.map(({ name }) => name);
	const unknown = only.find((name) => !names.includes(name));
	if (unknown === undefined) return BENCHMARKS.filter(({ name }) => only.includes(name));
	throw new SetupFailure(`There is no benchmark "${unknown}": they are ${names.join(', ')}.`);
}

/** Adds a result to those of the same place, so that one benchmark can be measured again. */
async function keep(result: Result, place: Place): Promise<void> {
	const file = join(KEPT, place.quick ? 'quick.json' : 'results.json');
	const all = [...resultsOf(place, file), result];
	const measured: Result[] = [];
	for (const { name } of BENCHMARKS) {
		const newest = all.findLast((one) => one.name === name);
		if (newest !== undefined) measured.push(newest);
	}
	const results: Results = { place, measured };
	writeFileSync(file, `${JSON.stringify(results, roundNumbers, '\t')}\n`);
	const isComplete = measured.length === BENCHMARKS.length && !place.quick;
	const folderOf = (folder: string) => (isComplete ? join(projectFolder, folder) : KEPT);
	writeFileSync(join(folderOf('docs'), 'performance.md'), await writePage(results));
	writeFileSync(join(folderOf('benchmarks'), 'goals.md'), await writeGoals(results));
}

/** What was measured before at this place. */
function resultsOf(place: Place, file: string): Result[] {
	if (!existsSync(file)) return [];
	const known = JSON.parse(readFileSync(file, 'utf8')) as Results;
	return JSON.stringify(known.place) === JSON.stringify(place) ? known.measured : [];
}

/** Six digits are more than any of it means. */
function roundNumbers(_: string, value: unknown): unknown {
	return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
}
