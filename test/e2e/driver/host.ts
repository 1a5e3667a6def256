import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** n8n's two lines; they differ in how workflows are switched on and off, and in much that nodes rely on. */
export type Line = '1' | '2';

/** An installed n8n. */
export interface Host {
	line: Line;
	/** as it was asked for: the name of its folder in `test/hosts/`, such as `2` or `1.100`, or its version */
	release: string;
	version: string;
	/** holds `node_modules/n8n` */
	folder: string;
	/** the program of the Node that it is to be run with */
	node: string;
}

export const projectFolder = join(__dirname, '../../..');

const known = new Map<string, Host>();

/** The pinned n8n that a run is about: the newest 2.x unless the environment variable `N8N_RELEASE` names another one. */
export function chosenRelease(): string {
	return process.env.N8N_RELEASE ?? '2';
}

/** Gives an n8n, a pinned one or any by its version, installed into the user's cache where it is missing (that takes minutes). */
export function hostOf(release: string = chosenRelease()): Host {
	const host = known.get(release) ?? prepare(release);
	known.set(release, host);
	return host;
}

function prepare(release: string): Host {
	const script = join(projectFolder, 'scripts/prepare.mjs');
	const output = execFileSync(process.execPath, [script, '--release', release], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	return JSON.parse(output) as Host;
}
