import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { isReached } from '../measure/compare';
import { drawChart } from './chart';
import reasons from './reasons.json';
import type { Result, Results } from './results';
import { markdownTable } from './table';

const INTRODUCTION = `# Performance

What this package costs beside what one would use instead: n8n's own nodes wired up by hand, other
community packages, another MIME parser. Everything on this page is written by \`npm run bench\`
(\`npm run bench -- --only <name>\` for one section) from \`benchmarks/results.json\`.

How to read it: both sides are measured in turn, round after round, on the same machine, while other
programs may run on it. Figures are medians over the rounds. A ratio is ours divided by theirs, the
median of the rounds' ratios; only ratios within one section mean anything, the figures themselves
depend on the machine.`;

/** Up to here a machine counts as idle: what has just ended is in the figure, too. */
const IDLE = 0.75;

/** Writes the page and its charts from what was measured, in the given order. */
export async function writePage(
	results: Results,
	order: readonly string[],
	folder: string,
): Promise<void> {
	const images = join(folder, 'images');
	await mkdir(images, { recursive: true });
	const sections: string[] = [INTRODUCTION, summary(results, order)];
	for (const name of order) {
		const result = results[name];
		if (result === undefined) continue;
		sections.push(section(result));
		for (const growth of result.growth ?? []) {
			await writeFile(join(images, `performance-${growth.id}.svg`), drawChart(growth));
		}
	}
	const page = await format(sections.join('\n\n'), { parser: 'markdown' });
	await writeFile(join(folder, 'performance.md'), page);
}

function summary(results: Results, order: readonly string[]): string {
	const judged = order.flatMap((name) =>
		(results[name]?.comparisons ?? []).map((comparison) => ({
			name,
			what: comparison.what,
			against: comparison.against,
			reached: isReached(comparison),
		})),
	);
	const goals = judged.filter(({ reached }) => reached !== undefined);
	const missed = goals.filter(({ reached }) => reached === false);
	const list = missed.map(({ name, what, against }) => {
		const other = against === undefined ? '' : ` (against ${against})`;
		return `- [\`${name}\`](#${name}): ${what}${other}`;
	});
	const count = `${goals.length - missed.length} of ${goals.length} goals are reached.`;
	if (list.length === 0) return count;
	return [`${count} Not reached, each with its reason below:`, list.join('\n')].join('\n\n');
}

function section(result: Result): string {
	const { name, title, comparisons, growth = [] } = result;
	const charts = growth.map(
		({ id, title: alternative }) => `![${alternative}](images/performance-${id}.svg)`,
	);
	const missed = comparisons.filter((comparison) => isReached(comparison) === false);
	const why = (reasons as Record<string, string[]>)[name] ?? [];
	return [
		`## ${name}`,
		`${title}.`,
		...(comparisons.length > 0 ? [markdownTable(comparisons)] : []),
		...charts,
		...(missed.length > 0 && why.length === 0
			? ['What was not reached here has no known reason yet.']
			: why),
		circumstances(result),
	].join('\n\n');
}

/** What the figures depend on, and whether something else was running. */
function circumstances({ measuredAt, machine, n8n, busy }: Result): string {
	const others =
		busy < IDLE
			? ''
			: `; other programs kept the machine busy (${busy.toFixed(1)} wanted to run on each core)`;
	return `_Measured on ${measuredAt.slice(0, 10)}, n8n ${n8n}, ${machine}${others}._`;
}
