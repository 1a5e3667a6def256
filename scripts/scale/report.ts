import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { hostOf, projectFolder, type Line } from '../../test/e2e/driver';
import { describeMachine } from './machine';

/** A number for each thing that was counted, in the order of the table. */
export type Numbers = Record<string, number | string>;

/** For the terminal: names, then numbers under each other. */
export function plainTable(numbers: Numbers): string {
	const rows = Object.entries(numbers).map(([name, value]) => [name, shown(value)] as const);
	const [names, values] = [0, 1].map((column) =>
		Math.max(...rows.map((row) => row[column]?.length ?? 0)),
	);
	return rows
		.map(([name, value]) => `  ${name.padEnd(names ?? 0)}  ${value.padStart(values ?? 0)}`)
		.join('\n');
}

export function markdownTable(numbers: Numbers): string {
	const rows = Object.entries(numbers).map(([name, value]) => `| ${name} | ${shown(value)} |`);
	return ['| counted | |', '| --- | ---: |', ...rows].join('\n');
}

/** With a comma at the thousands. */
function shown(value: number | string): string {
	return typeof value === 'number' ? value.toLocaleString('en-US') : value;
}

/** What one measurement found, and where. */
interface Result {
	measuredAt: string;
	machine: string;
	n8n: string;
	numbers: Numbers;
}

type Results = Record<string, Result>;

const RESULTS = join(projectFolder, 'test/scale/results.json');
const PAGE = join(projectFolder, 'docs/operations.md');

/** Prints what the tests left in a folder, a table for each. */
export function printResults(folder: string): void {
	for (const [name, numbers] of read(folder)) {
		process.stdout.write(`\n${name}\n${plainTable(numbers)}\n`);
	}
	process.stdout.write('\n');
}

/**
 * Writes what the tests left in a folder to `test/scale/results.json`, beside what earlier runs found, and
 * to `docs/operations.md`, each table between its two markers.
 *
 * @throws Error when the page has no markers for one of them
 */
export async function writeReport(folder: string, line: Line): Promise<void> {
	const results: Results = existsSync(RESULTS)
		? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results)
		: {};
	let page = readFileSync(PAGE, 'utf8');
	for (const [name, numbers] of read(folder)) {
		const result = {
			measuredAt: new Date().toISOString(),
			machine: describeMachine(),
			n8n: hostOf(line).version,
			numbers,
		};
		results[name] = result;
		page = withTable(page, name, result);
	}
	const style = { ...(await resolveConfig(RESULTS)), filepath: RESULTS };
	writeFileSync(RESULTS, await format(JSON.stringify(results), style));
	writeFileSync(PAGE, page);
}

/** The measurement's name, and its numbers. */
function read(folder: string): [string, Numbers][] {
	return readdirSync(folder)
		.filter((file) => /^(queue|gateway|crash-\d)\.json$/.test(file))
		.map((file) => [
			basename(file, '.json'),
			JSON.parse(readFileSync(join(folder, file), 'utf8')) as Numbers,
		]);
}

function withTable(
	page: string,
	name: string,
	{ n8n, machine, measuredAt, numbers }: Result,
): string {
	const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
	const [before, rest] = page.split(begin);
	const after = rest?.split(end)[1];
	if (before === undefined || after === undefined) {
		throw new Error(`docs/operations.md has no place for the numbers of "${name}".`);
	}
	const where = `n8n ${n8n}, ${measuredAt.slice(0, 10)}, ${machine}:`;
	return `${before}${begin}\n${where}\n\n${markdownTable(numbers)}\n${end}${after}`;
}
