import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@jest/types';

import { N8n } from '../driver/n8n';
import { announceSharedHosts } from '../driver/sharedHosts';
import packOnce from './packOnce';

/** Jest's global setup and teardown share nothing but this. */
export const stopping = globalThis as { stopSharedN8n?: () => Promise<void> };

/** Starts an n8n for each of Jest's workers: most test files need no n8n of their own. */
export default async function shareN8n({ maxWorkers }: Config.GlobalConfig): Promise<void> {
	await packOnce();
	const folder = await mkdtemp(join(tmpdir(), 'email-identity-shared-'));
	const logFiles = Array.from({ length: maxWorkers }, (_, index) => join(folder, `${index}.log`));
	const starting = logFiles.map(
		async (logFile) => await N8n.start({ logFile, environment: { N8N_LOG_LEVEL: 'info' } }),
	);
	const hosts = await Promise.all(starting);
	announceSharedHosts(
		hosts.map(({ host: { release }, userFolder, port }, index) => ({
			...{ release, userFolder, port },
			logFile: logFiles[index]!,
		})),
	);
	stopping.stopSharedN8n = async () => {
		await Promise.all(hosts.map(async (n8n) => await n8n.stop()));
		await rm(folder, { recursive: true, force: true });
	};
}
