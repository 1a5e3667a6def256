// Starts the stand-in for the service alone: `npm run sandbox`, options in sandbox/README.md.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (!existsSync(join(root, 'node_modules', 'tsx'))) {
	console.error('The development dependencies are missing: run "npm ci" first.');
	process.exit(1);
}

const sandbox = spawn(
	process.execPath,
	['--import', 'tsx', join(root, 'sandbox', 'main.ts'), ...process.argv.slice(2)],
	{ cwd: root, stdio: 'inherit' },
);

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => sandbox.kill(signal));
sandbox.on('exit', (code) => process.exit(code ?? 1));
