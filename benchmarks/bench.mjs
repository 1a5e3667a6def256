/**
 * Measures this package against what a user would pick instead. Installs what is missing.
 *
 *   npm run bench                     everything; writes benchmarks/results.json and docs/performance.md
 *   npm run bench -- --only parse     one line of the table (or several, separated by commas)
 *   npm run bench -- --quick          a short form, to see that it works: prints, and writes to .bench/ only
 */
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { requireRecentNode, runScript, SetupFailure } from '../scripts/setup/failure.mjs';
import { n8nHost } from '../scripts/setup/n8nHost.mjs';
import { say, whileSaying } from '../scripts/setup/progress.mjs';
import { requirePrograms } from '../scripts/setup/programs.mjs';
import { installProject } from '../scripts/setup/project.mjs';

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
	requireRecentNode();
	const options = readOptions();
	if (options.only?.includes('audit-dns') ?? true) {
		requirePrograms(['nsd', 'nsd-control', 'dnsdist']);
	}
	await installProject();
	await n8nHost('2');
	// Only now is there something to load TypeScript with.
	const { register } = await import('tsx/cjs/api');
	register();
	const { runBenchmarks } = createRequire(import.meta.url)('./run.ts');
	await runBenchmarks(options, {
		say,
		whileSaying,
		failure: (message) => new SetupFailure(message),
	});
});
