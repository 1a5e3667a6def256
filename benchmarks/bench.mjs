/**
 * Measures this package against what a user would pick instead. Installs what is missing.
 *
 *   npm run bench                     everything; writes benchmarks/results.json and docs/performance.md
 *   npm run bench -- --only parse     one line of the table (or several, separated by commas)
 *   npm run bench -- --quick          a short form, to see that it works: prints, and writes to .bench/ only
 */
import { parseArgs } from 'node:util';
import { runScript, SetupFailure } from '../scripts/setup/failure.mjs';
import { n8nHost } from '../scripts/setup/n8nHost.mjs';
import { requirePrograms } from '../scripts/setup/programs.mjs';
import { loadTypeScript } from '../scripts/setup/typescript.mjs';

function readOptions() {
	try {
		const { only, quick } = parseArgs({
			options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
		}).values;
		return { only: only?.split(','), quick };
	} catch (error) {
		throw new SetupFailure(`${error.message}\nKnown options: --only <name>, --quick.`);
	}
}

await runScript(async () => {
	const options = readOptions();
	if (options.only?.includes('audit-dns') ?? true) {
		requirePrograms(['nsd', 'nsd-control', 'dnsdist']);
	}
	const { runBenchmarks } = await loadTypeScript('benchmarks/run.ts');
	await n8nHost('2');
	await runBenchmarks(options);
});
