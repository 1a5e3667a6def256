import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** Nothing that a headless test needs, and everything that would call home. */
const ARGUMENTS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/**
 * Starts a headless Chromium or Chrome of this machine; `CHROME_PATH` names another.
 *
 * @throws Error that says what to install when there is none
 */
export async function startBrowser(): Promise<Browser> {
	return await chromium.launch({ executablePath: findBrowser(), headless: true, args: ARGUMENTS });
}

function findBrowser(): string {
	const named = process.env.CHROME_PATH;
	if (named) return named;
	const folders = (process.env.PATH ?? '').split(delimiter);
	const found = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), MAC].find(
		existsSync,
	);
	if (found) return found;
	throw new Error(
		'The tests of the editor need a browser: install Chromium (Debian: apt-get install chromium) or Chrome, or name one in CHROME_PATH.',
	);
}
