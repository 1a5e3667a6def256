import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** n8n's two lines; they differ in how workflows are switched on and off, and in much that nodes rely on. */
export type Line = '1' | '2';

/** An installed n8n. */
export interface Host {
	line: Line;
	version: string;
	/** holds `node_modules/n8n` */
	folder: string;
	/** the program of the Node that it is to be run with */
	node: string;
}

export const projectFolder = join(__dirname, '../../..');

const known = new Map<Line, Host>();

/** The line that a run is about: 2 unless the environment variable `N8N_LINE` says 1. */
export function chosenLine(): Line {
	return process.env.N8N_LINE === '1' ? '1' : '2';
}

/** Gives the pinned n8n of a line, installed into the user's cache where it is missing (that takes minutes). */
export function hostOf(line: Line = chosenLine()): Host {
	const host = known.get(line) ?? prepare(line);
	known.set(line, host);
	return host;
}

function prepare(line: Line): Host {
	const script = join(projectFolder, 'scripts/prepare.mjs');
	const output = execFileSync(process.execPath, [script, '--line', line], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	return JSON.parse(output) as Host;
}
