import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(__dirname, '../../corpus');

/** What each file of the corpus is there for, by file name. */
export const corpusComments: Record<string, string> = JSON.parse(
	readFileSync(path.join(folder, 'manifest.json'), 'utf8'),
);

export const corpusFiles = readdirSync(folder)
	.filter((name) => name.endsWith('.eml'))
	.sort();

/** As the service delivers it: the bytes decoded as UTF-8. */
export function readCorpus(name: string): string {
	return readFileSync(path.join(folder, name), 'utf8');
}
