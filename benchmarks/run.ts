import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from './machine';
import { SetupFailure } from '../scripts/setup/failure.mjs';
import { whileSaying } from '../scripts/setup/progress.mjs';
import { hostOf, PACKED_PACKAGE, packedPackage, projectFolder } from '../test/support/n8n';
import { deliver } from './deliver/deliver';
import { hostile } from './hostile';
import { load } from './load';
import { auditDns } from './actions/auditDns';
import { identities10k } from './actions/identities10k';
import { messages } from './actions/messages';
import { parse } from './parse/parse';
import { senderCheck } from './parse/senderCheck';
import { writePage, writeSection } from './report';
import { startTriggers } from './startTriggers';
import type { Benchmark, Place, Result, Results } from './types';
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
 * benchmarks, it writes `docs/performance.md`.
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
	try {
		process.env[PACKED_PACKAGE] = await whileSaying('Building the package', packedPackage);
		for (const { name, title, run } of chosen) {
			const measure = async () => await run({ quick, mails, scratch, outside });
			const comparisons = await whileSaying(`Measuring ${name}`, measure);
			const result = { name, title, comparisons };
			process.stdout.write(`\n${await writeSection(result)}\n`);
			await keep(result, place);
		}
	} finally {
		for (const folder of [scratch, outside]) rmSync(folder, { recursive: true, force: true });
	}
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
	const file = join(KEPT, 'results.json');
	const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : undefined;
	const isSamePlace = JSON.stringify(known?.place) === JSON.stringify(place);
	const others = isSamePlace ? known!.measured.filter(({ name }) => name !== result.name) : [];
	const all = [...others, result];
	const measured = BENCHMARKS.flatMap(({ name }) => all.filter((one) => one.name === name));
	const results: Results = { place, measured };
	writeFileSync(file, `${JSON.stringify(results, roundNumbers, '\t')}\n`);
	const isComplete = measured.length === BENCHMARKS.length && !place.quick;
	const folder = isComplete ? join(projectFolder, 'docs') : KEPT;
	writeFileSync(join(folder, 'performance.md'), await writePage(results));
}

/** Six digits are more than any of it means. */
function roundNumbers(_: string, value: unknown): unknown {
	return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
}
