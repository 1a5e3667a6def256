import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** n8n reads these when its modules are loaded, so they are set before any of them is imported. */
const userFolder = join(
	tmpdir(),
	'n8n-nodes-email-identity-host',
	process.env.JEST_WORKER_ID ?? 'single',
);
mkdirSync(userFolder, { recursive: true });

process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'key-of-the-test-rig';
process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_DEFAULT_BINARY_DATA_MODE = 'default';
