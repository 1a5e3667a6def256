import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ANY = 400;
const HEAVY = 70;

/** Emails with at least so much HTML, in characters. */
const HEAVY_HTML = 40_000;

const MAX_EMAIL_BYTES = 2_000_000;

export interface RealMails {
	/** Paths of files, evenly drawn from the folder. */
	any: string[];
	/** Those with the most HTML. */
	heavyHtml: string[];
}

/** Selects emails of a folder with raw emails, the same ones each time. */
export async function selectRealMails(folder: string): Promise<RealMails> {
	const names = await readdir(folder, { recursive: true });
	const files = names.filter((name) => /\.(?:eml|txt)$/.test(name)).sort();
	const step = Math.max(1, Math.floor(files.length / ANY));
	const any: string[] = [];
	const heavyHtml: string[] = [];
	for (const [index, name] of files.entries()) {
		const path = join(folder, name);
		const isDrawn = index % step === 0 && any.length < ANY;
		if (!isDrawn && heavyHtml.length === HEAVY) continue;
		const content = await readFile(path, 'latin1');
		if (content.length > MAX_EMAIL_BYTES) continue;
		if (isDrawn) any.push(path);
		const isHeavy = content.length > HEAVY_HTML && /content-type: *text\/html/i.test(content);
		if (isHeavy && heavyHtml.length < HEAVY) heavyHtml.push(path);
	}
	return { any, heavyHtml };
}
