import { chromium, type Browser } from 'playwright-core';
import { findProgram } from '../../../scripts/setup/programs.mjs';

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
 * @throws SetupFailure when there is none
 */
export async function startBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: findProgram('chromium'),
		headless: true,
		args: ARGUMENTS,
	});
}
