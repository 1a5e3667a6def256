import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from './hostFact';
import type { ProbedHost } from './probedHost';

/**
 * Looks for words in the files of an installed n8n.
 *
 * @param path a file, or a folder whose scripts are searched, below `node_modules`
 * @param words what one of the files has to contain
 * @throws Error where there is no such file any more: then somebody has to look where it went
 */
export function inSource({ n8n }: ProbedHost, path: string, words: RegExp): Observation {
	const start = join(n8n.host.folder, 'node_modules', path);
	const files = path.endsWith('.js') ? [start] : scriptsIn(start);
	const found = files.find((file) => words.test(readFileSync(file, 'utf8')));
	return found
		? { holds: true, seen: `looked at ${found.slice(start.length - path.length)}` }
		: { holds: false, seen: `looked at ${path} (${files.length} files): nothing like ${words}` };
}

/**
 * Runs a script of `scripts/` with an n8n's own Node and libraries.
 *
 * @returns what it printed, which is JSON
 */
export function withLibrariesOf(
	{ n8n }: ProbedHost,
	name: string,
	...parameters: string[]
): unknown {
	const { node, folder } = n8n.host;
	const output = execFileSync(node, [join(__dirname, 'scripts', name), ...parameters], {
		cwd: folder,
		encoding: 'utf8',
	});
	return JSON.parse(output);
}

function scriptsIn(folder: string): string[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.js') && !name.includes('-legacy-'))
		.map((name) => join(folder, name));
}
