import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OutputLog } from '../programs/outputLog';
import { environmentFor } from './environment';
import { freePort } from './freePort';
import type { Host } from './host';
import { startHostProcess } from './hostProcess';

/** n8n's command line creates the database for any command. This one does nothing else. */
const COMMAND = ['list:workflow'];

/** The files of the database. Without n8n's key, which each n8n makes for itself. */
const FILES = ['database.sqlite', 'database.sqlite-shm', 'database.sqlite-wal'];

const keptFor = (host: Host): string => join(host.folder, 'migrated-database');

/** Has n8n create an empty database once, and keeps it: the migrations are a third of the first start of an n8n. */
export async function keepMigratedDatabase(host: Host): Promise<void> {
	const kept = keptFor(host);
	if (existsSync(kept)) return;
	const userFolder = await mkdtemp(`${kept}-`);
	const log = new OutputLog();
	try {
		const environment = await environmentFor({ host, userFolder, port: await freePort() }, {});
		await startHostProcess(host, environment, log, COMMAND).ended;
		const created = join(userFolder, '.n8n');
		if (!existsSync(join(created, 'database.sqlite'))) {
			throw new Error(`n8n created no database:\n${log.text()}`);
		}
		// Another process may have been quicker.
		await rename(created, kept).catch((error: unknown) => {
			if (!existsSync(kept)) throw error;
		});
	} finally {
		await rm(userFolder, { recursive: true, force: true });
	}
}

/** Gives a new n8n the database that was kept, if there is one. */
export async function copyMigratedDatabase(host: Host, userFolder: string): Promise<void> {
	for (const file of FILES) {
		const source = join(keptFor(host), file);
		if (existsSync(source)) await cp(source, join(userFolder, '.n8n', file));
	}
}
