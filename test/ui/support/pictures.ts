import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

import { projectFolder } from '../../e2e/driver';

/** The editor's two themes. */
export type Theme = 'light' | 'dark';

/** What every run leaves behind for a look; not kept in the repository. */
const RESULTS = join(projectFolder, 'test-results/ui');

/** What the documentation shows; written only when asked for, as every run's pictures differ a little. */
const DOCUMENTATION = join(projectFolder, 'docs/images');

/**
 * Takes a picture of what the editor shows.
 *
 * @param shown the whole page, or a part of it
 * @param name of the file, without theme and ending
 * @param options.style what the picture looks like besides, as CSS
 * @param options.documented whether `UPDATE_PICTURES=1` also puts it into `docs/images`
 */
export async function takePicture(
	shown: Page | Locator,
	name: string,
	theme: Theme,
	{ documented = false, style = '' } = {},
): Promise<void> {
	for (const folder of foldersFor(documented)) {
		mkdirSync(folder, { recursive: true });
		const path = join(folder, `${name}-${theme}.png`);
		await shown.screenshot({ path, animations: 'disabled', caret: 'hide', style });
	}
}

function foldersFor(documented: boolean): string[] {
	return documented && process.env.UPDATE_PICTURES ? [RESULTS, DOCUMENTATION] : [RESULTS];
}
