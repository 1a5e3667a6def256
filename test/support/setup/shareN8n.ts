import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@jest/types';
import { N8n, SHARED_N8N } from '../n8n/n8n';
import prepareOnce from './prepareOnce';

/** Jest's global setup and teardown share nothing but this. */
export const stopping = globalThis as { stopSharedN8n?: () => Promise<void> };

/** Starts an n8n for each of Jest's workers: most test files need no n8n of their own. */
export default async function shareN8n({ maxWorkers }: Config.GlobalConfig): Promise<void> {
	await prepareOnce();
	const folder = await mkdtemp(join(tmpdir(), 'email-identity-shared-'));
	const starting = Array.from({ length: maxWorkers }, async (_, index) => {
		const logFile = join(folder, `${index}.log`);
		const n8n = await N8n.start({ logFile, environment: { N8N_LOG_LEVEL: 'info' } });
		return { n8n, logFile };
	});
	const shared = await Promise.all(starting);
	process.env[SHARED_N8N] = JSON.stringify(
		shared.map(({ n8n: { host, userFolder, port }, logFile }) => {
			return { release: host.release, userFolder, port, logFile };
		}),
	);
	stopping.stopSharedN8n = async () => {
		await Promise.all(shared.map(({ n8n }) => n8n.stop()));
		await rm(folder, { recursive: true, force: true });
	};
}
