import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { installedOnce } from '../../../scripts/setup/cache.mjs';
import { OutputLog } from '../programs/outputLog';
import { environmentFor } from './environment';
import { freePort } from './freePort';
import type { Host } from './host';
import { startHostProcess } from './hostProcess';

/** n8n's command line creates the database for any command. This one does nothing else. */
const COMMAND = ['list:workflow'];

/** The files of the database, in a user folder. Without n8n's key, which each n8n makes for itself. */
const FILES = ['database.sqlite', 'database.sqlite-shm', 'database.sqlite-wal'].map((name) =>
	join('.n8n', name),
);

/** The user folder in which n8n created its database, beside that n8n. */
const keptFor = (host: Host): string => join(host.folder, 'user-folder');

/** Has n8n create an empty database once, and keeps it: the migrations are a third of the first start of an n8n. */
export async function keepMigratedDatabase(host: Host): Promise<void> {
	await installedOnce(keptFor(host), async (userFolder) => {
		const log = new OutputLog();
		const environment = await environmentFor({ host, userFolder, port: await freePort() }, {});
		await startHostProcess(host, environment, log, COMMAND).ended;
		const [database = ''] = FILES;
		if (existsSync(join(userFolder, database))) return;
		throw new Error(`n8n created no database:\n${log.text()}`);
	});
}

/** Gives a new n8n the database that was kept, if there is one. */
export async function copyMigratedDatabase(host: Host, userFolder: string): Promise<void> {
	for (const file of FILES) {
		const source = join(keptFor(host), file);
		if (existsSync(source)) await cp(source, join(userFolder, file));
	}
}
