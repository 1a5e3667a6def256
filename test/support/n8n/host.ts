import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** n8n's two lines differ in how workflows are published, and in much that nodes rely on. */
export type Line = '1' | '2';

export interface Host {
	line: Line;
	/** the name of its folder in `test/hosts/`, such as `2` or `1.100`, or its version */
	release: string;
	version: string;
	folder: string;
	node: string;
}

export const projectFolder = join(__dirname, '../../..');

const known = new Map<string, Host>();

/** The pinned n8n under test: the newest 2.x unless the environment variable `N8N_RELEASE` names another one. */
export function chosenRelease(): string {
	return process.env.N8N_RELEASE ?? '2';
}

/** An n8n by its release or version; installed into the user's cache if missing, which takes minutes. */
export function hostOf(release: string = chosenRelease()): Host {
	const host = known.get(release) ?? prepare<Host>('--release', release);
	known.set(release, host);
	return host;
}

/** Installs something if it is missing, as the options of `scripts/prepare.mjs` say. @returns where it is */
export function prepare<Installed>(...options: string[]): Installed {
	const script = join(projectFolder, 'scripts/prepare.mjs');
	const output = execFileSync(process.execPath, [script, ...options], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	return JSON.parse(output) as Installed;
}

/** The environment variable that names a package that is already packed. */
export const PACKED_PACKAGE = 'EMAIL_IDENTITY_PACKAGE';

let packed: Promise<string> | undefined;

/** The tarball that would be published, built from this clone unless the environment names one. */
export async function packedPackage(): Promise<string> {
	packed ??= Promise.resolve(process.env[PACKED_PACKAGE] ?? buildAndPack());
	return await packed;
}

async function buildAndPack(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'email-identity-package-'));
	const script = join(projectFolder, 'scripts/package.mjs');
	const { stdout } = await execute(process.execPath, [script, folder]);
	return stdout.trim();
}

/** The parameters with which n8n itself installs community packages. */
const AS_N8N_DOES = [
	'--audit=false',
	'--fund=false',
	'--bin-links=false',
	'--install-strategy=shallow',
	'--ignore-scripts=true',
	'--package-lock=false',
	'--legacy-peer-deps',
	'--offline',
	// Not by n8n: copies a package that is a folder instead of linking to it.
	'--install-links',
];

/** Creates a user folder for n8n with community packages (tarballs or folders) installed as users install them. */
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
