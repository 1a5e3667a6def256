/**
 * Measures this package against what a user would pick instead. Installs what is missing.
 *
 *   npm run bench                     everything; writes docs/performance.md
 *   npm run bench -- --only parse     one benchmark (or several, separated by commas); writes docs/performance.md if all others
 *                                     were measured on the same day and machine
 *   npm run bench -- --mails <folder> also reads real emails of a folder, which this project does not have
 *   npm run bench -- --quick          a short form, to see that it works: prints, and writes to .bench/ only
 */
import { runScript } from '../scripts/setup/failure.mjs';
import { n8nHost } from '../scripts/setup/n8nHost.mjs';
import { readCommandLine } from '../scripts/setup/options.mjs';
import { requirePrograms } from '../scripts/setup/programs.mjs';
import { installProject } from '../scripts/setup/project.mjs';
import { loadTypeScript } from '../scripts/setup/typescript.mjs';

await runScript(async () => {
	const { values } = readCommandLine({
		only: { type: 'string' },
		quick: { type: 'boolean', default: false },
		mails: { type: 'string' },
	});
	const only = values.only?.split(',');
	if (only?.includes('audit-dns') ?? true) requirePrograms(['nsd', 'nsd-control', 'dnsdist']);
	await installProject();
	const { runBenchmarks } = await loadTypeScript('benchmarks/run.ts');
	await n8nHost('2');
	await runBenchmarks({ only, quick: values.quick, mails: values.mails });
});
