import { delimiter, dirname, join } from 'node:path';
import { cacheFolder } from '../../../scripts/setup/cache.mjs';
import { freePort } from './freePort';
import type { Host } from './host';

export interface Surroundings {
	host: Host;
	userFolder: string;
	port: number;
	/** starts a task runner, which only Code nodes need and which takes 140 MB */
	codeNodes?: boolean;
}

const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LOG_LEVEL: 'warn',
	NO_COLOR: '1',
};

/** n8n 2.x ends a publication after 70 % of this lease, by default after 84 seconds: a busy machine may need more. */
const PATIENT = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '86400' };

const WITHOUT_TASK_RUNNER = { N8N_RUNNERS_MODE: 'external', N8N_RUNNERS_AUTH_TOKEN: 'unused' };

/** n8n's protection against requests into private networks, with the ranges that 3.0 adds. */
export const PROTECTED = {
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_BLOCKED_IP_RANGES: 'default,100.64.0.0/10,64:ff9b::/96,2002::/16',
};

/** Lets the nodes reach a stand-in for the service on this machine in spite of that. */
export const WITH_THIS_MACHINE_ALLOWED = { N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8,::1/128' };

/**
 * The announced defaults of n8n 3.0 (its migration report in 2.x, `modules/breaking-changes/rules/v3/`) as settings of n8n 2.x,
 * except that this unverified package is loaded.
 *
 * @param storage a folder for files, shared by all processes
 */
export function announcedDefaults(storage: string): Record<string, string> {
	return {
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_BINARY_DATA_STORAGE_PATH: storage,
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		...PROTECTED,
		...WITH_THIS_MACHINE_ALLOWED,
	};
}

/**
 * The whole environment of an n8n: no variable of the shell, so that no setting of the machine changes a test. With
 * `N8N_DEFAULTS=announced` it has the defaults of n8n 3.0.
 */
export async function environmentFor(
	{ host, userFolder, port, codeNodes = false }: Surroundings,
	extra: Record<string, string>,
): Promise<Record<string, string>> {
	const isTomorrow = process.env.N8N_DEFAULTS === 'announced';
	return {
		PATH: [dirname(host.node), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
		HOME: userFolder,
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		// The default collides when two n8n run.
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_SECURE_COOKIE: 'false',
		NODE_COMPILE_CACHE: join(cacheFolder(), 'compile-cache'),
		...QUIET,
		...PATIENT,
		...(codeNodes ? {} : WITHOUT_TASK_RUNNER),
		...(isTomorrow ? announcedDefaults(join(userFolder, 'storage')) : {}),
		...extra,
	};
}
