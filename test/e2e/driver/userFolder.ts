import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The parameters n8n itself installs community packages with, so that the result is the same. */
const AS_N8N_DOES = [
	'--audit=false',
	'--fund=false',
	'--bin-links=false',
	'--install-strategy=shallow',
	'--ignore-scripts=true',
	'--package-lock=false',
	'--legacy-peer-deps',
	'--offline',
];

/**
 * Makes a fresh user folder for n8n with community packages installed the way users install them.
 *
 * @param packages tarballs
 * @returns the folder, to be given to n8n as `N8N_USER_FOLDER`
 */
export async function createUserFolder(packages: string[]): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'email-identity-n8n-'));
	const nodes = join(folder, '.n8n/nodes');
	await mkdir(nodes, { recursive: true });
	const manifest = { name: 'installed-nodes', private: true, dependencies: {} };
	await writeFile(join(nodes, 'package.json'), JSON.stringify(manifest));
	if (packages.length > 0) {
		await execute('npm', ['install', ...AS_N8N_DOES, ...packages], { cwd: nodes });
	}
	return folder;
}
