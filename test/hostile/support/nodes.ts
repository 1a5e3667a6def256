import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const project = join(__dirname, '../../..');

const SCRIPT =
	"import('./scripts/setup/node24.mjs').then(async ({ node24 }) => console.log((await node24()).bin))";

/** The program of Node.js 24, which n8n 2 needs; installed if it is missing. */
export function node24Program(): string {
	return execFileSync(process.execPath, ['-e', SCRIPT], { cwd: project, encoding: 'utf8' }).trim();
}

/** n8n 1 runs with Node.js 20, which copies long lists six times slower than the one that n8n 2 needs. */
export const NODES = [
	['this Node.js', () => process.execPath],
	['Node.js 24', node24Program],
] as const;
