import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Host } from './host';

/** n8n's Node can change a SQLite database by itself. Earlier releases of 2.x have no such table. */
const SCRIPT = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1]);
const table = 'workflow_publication_outbox';
if (database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table)) {
	database.exec("UPDATE " + table + " SET updatedAt = '2000-01-01' WHERE status = 'in_progress'");
}`;

/** Ends the lease of a publication that a killed n8n had begun, so that n8n goes on with it when it starts: it has a long one, see `environment.ts`. */
export async function endPublicationLease(host: Host, userFolder: string): Promise<void> {
	if (host.line === '1') return;
	const database = join(userFolder, '.n8n/database.sqlite');
	await promisify(execFile)(host.node, ['-e', SCRIPT, database]);
}
