import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8n } from '../../test/e2e/driver';

/** What n8n keeps of one execution. */
export interface StoredSize {
	/** Characters of its data in the database. */
	database: number;
	/** Bytes of its files on the disk. */
	files: number;
}

/** The newest execution of a workflow, as n8n stores it. */
export async function storedSize(n8n: N8n, workflowId: string): Promise<StoredSize> {
	const [newest] = await n8n.executions.list(workflowId);
	if (newest === undefined) throw new Error(`Workflow ${workflowId} has no execution.`);
	const { data } = await n8n.session.call<{ data: string }>('GET', `/rest/executions/${newest.id}`);
	const folder = join('workflows', workflowId, 'executions', newest.id);
	return { database: data.length, files: await sizeOfFolder(n8n, folder) };
}

async function sizeOfFolder({ userFolder }: N8n, folder: string): Promise<number> {
	for (const storage of ['.n8n/storage', '.n8n/binaryData']) {
		const path = join(userFolder, storage, folder);
		const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
		const sizes = await Promise.all(
			entries
				.filter((entry) => entry.isFile())
				.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
		);
		if (sizes.length > 0) return sizes.reduce((sum, size) => sum + size, 0);
	}
	return 0;
}
