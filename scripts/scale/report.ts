import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hostOf, projectFolder, type Line } from '../../test/support/n8n';
import { describeMachine } from './machine';

export type Numbers = Record<string, number>;

const PAGES = ['docs/queue-mode.md', 'docs/recovery.md'].map((page) => join(projectFolder, page));

/** Writes the tables that the tests left in a folder between their markers in the documents. */
export function writeReport(folder: string, line: Line): void {
	for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
		const name = basename(file, '.json');
		// Jest's own file is beside them.
		if (name === 'scale') continue;
		const numbers = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Numbers;
		const page = PAGES.find((path) =>
			readFileSync(path, 'utf8').includes(`<!-- ${name}: begin -->`),
		);
		if (page === undefined) throw new Error(`No page has a place for the numbers of "${name}".`);
		const text = withTable(readFileSync(page, 'utf8'), name, hostOf(line).version, numbers);
		writeFileSync(page, text);
	}
}

function withTable(page: string, name: string, n8n: string, numbers: Numbers): string {
	const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
	const [before = '', rest = ''] = page.split(begin);
	const [, after = ''] = rest.split(end);
	const today = new Date().toISOString().slice(0, 10);
	const where = `n8n ${n8n}, ${today}, ${describeMachine()}:`;
	const rows = Object.entries(numbers).map(
		([label, value]) => `| ${label} | ${value.toLocaleString('en-US')} |`,
	);
	const table = ['| counted | |', '| --- | ---: |', ...rows].join('\n');
	return `${before}${begin}\n${where}\n\n${table}\n${end}${after}`;
}
