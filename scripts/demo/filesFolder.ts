import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8n } from '../../test/e2e/driver';

/**
 * Makes the one folder that n8n 2 lets workflows write files into, as long as `N8N_RESTRICT_FILE_ACCESS_TO` is not set.
 *
 * @returns its path
 */
export async function makeFilesFolder({ userFolder }: N8n): Promise<string> {
	const folder = join(userFolder, '.n8n-files');
	await mkdir(folder, { recursive: true });
	return folder;
}
