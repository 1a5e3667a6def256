/**
 * Installs what tests, demo and benchmarks stand on, where it is missing, and prints as JSON where it is:
 * `node scripts/prepare.mjs` for the project's dependencies and n8n 2.x, `… --line 1` for n8n 1.x.
 */
import { parseArgs } from 'node:util';
import { requireRecentNode, runScript } from './setup/failure.mjs';
import { n8nHost } from './setup/n8nHost.mjs';
import { installProject } from './setup/project.mjs';

await runScript(async () => {
	requireRecentNode();
	const { values } = parseArgs({ options: { line: { type: 'string', default: '2' } } });
	await installProject();
	const host = await n8nHost(values.line);
	process.stdout.write(`${JSON.stringify(host)}\n`);
});
