/**
 * Installs what tests, demo and benchmarks need besides the project's dependencies, if it is missing, and prints its place as JSON:
 * `node scripts/prepare.mjs` for n8n 2.x, `… --release 1.100` for another n8n (of `test/hosts/`, or a version), `… --registry` for
 * the npm registry of the release tests.
 */
import { runScript } from './setup/failure.mjs';
import { n8nHost } from './setup/n8nHost.mjs';
import { readCommandLine } from './setup/options.mjs';
import { registry } from './setup/registry.mjs';

await runScript(async () => {
	const { values } = readCommandLine({
		release: { type: 'string', default: '2' },
		registry: { type: 'boolean' },
	});
	const installed = values.registry ? await registry() : await n8nHost(values.release);
	process.stdout.write(`${JSON.stringify(installed)}\n`);
});
