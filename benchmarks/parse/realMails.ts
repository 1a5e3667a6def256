import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ANY = 400;
const HEAVY = 70;

/** Emails with at least so many tags have much HTML. Those in base64 are not found. */
const MANY_TAGS = 500;

const MAX_EMAIL_BYTES = 2_000_000;

export interface RealMails {
	/** Paths of emails of any kind. */
	any: string[];
	/** Paths of emails with much HTML. */
	heavyHtml: string[];
}

/** Draws emails of a folder with raw emails evenly, the same ones each time. */
export async function selectRealMails(folder: string): Promise<RealMails> {
	const names = await readdir(folder, { recursive: true });
	const files = names.filter((name) => /\.(?:eml|txt)$/.test(name)).sort();
	const all: string[] = [];
	const heavy: string[] = [];
	for (const name of files) {
		const path = join(folder, name);
		const content = await readFile(path, 'latin1');
		if (content.length > MAX_EMAIL_BYTES) continue;
		all.push(path);
		const tags = content.match(/<[a-z]/gi)?.length ?? 0;
		if (tags >= MANY_TAGS) heavy.push(path);
	}
	return { any: drawEvenly(all, ANY), heavyHtml: drawEvenly(heavy, HEAVY) };
}

function drawEvenly(paths: readonly string[], count: number): string[] {
	const step = Math.max(1, paths.length / count);
	return paths.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}
