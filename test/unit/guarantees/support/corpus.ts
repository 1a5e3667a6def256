import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Its `manifest.json` says what each file is there for. */
const folder = path.join(__dirname, '../../../corpus');

export const corpusFiles = readdirSync(folder)
	.filter((name) => name.endsWith('.eml'))
	.sort();

/** As the service delivers it: the bytes decoded as UTF-8. */
export function readCorpus(name: string): string {
	return readFileSync(path.join(folder, name), 'utf8');
}
