import { delimiter, dirname, join } from 'node:path';
import { homedir } from 'node:os';
import { announcedDefaults, WITH_THIS_MACHINE_ALLOWED } from './announcedDefaults';
import type { Host } from './host';

/** What an n8n is started with, apart from which n8n it is. */
export interface Surroundings {
	userFolder: string;
	port: number;
	/** where its task runner would connect; its default collides when two n8n run */
	brokerPort: number;
	/** start a task runner, which only Code nodes need and which costs 140 MB */
	codeNodes: boolean;
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

/** `announced` in this environment variable stands for what n8n will do by default from 3.0 on. */
const DEFAULTS = 'N8N_DEFAULTS';

const WITHOUT_TASK_RUNNER = { N8N_RUNNERS_MODE: 'external', N8N_RUNNERS_AUTH_TOKEN: 'unused' };

/**
 * An environment of n8n's own: nothing of the shell's, so that no setting of the machine steers a test.
 *
 * @param extra settings that go before all others
 */
export function environmentFor(
	host: Host,
	{ userFolder, port, brokerPort, codeNodes }: Surroundings,
	extra: Record<string, string>,
): Record<string, string> {
	return {
		PATH: [dirname(host.node), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
		HOME: userFolder,
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_SECURE_COOKIE: 'false',
		NODE_COMPILE_CACHE: join(cacheBase(), 'n8n-nodes-email-identity/compile-cache'),
		...QUIET,
		...(codeNodes ? {} : WITHOUT_TASK_RUNNER),
		...(process.env[DEFAULTS] === 'announced' ? tomorrow(userFolder) : {}),
		...extra,
	};
}

function tomorrow(userFolder: string): Record<string, string> {
	return { ...announcedDefaults(join(userFolder, 'storage')), ...WITH_THIS_MACHINE_ALLOWED };
}

/** The same place that the set-up scripts install n8n into. */
function cacheBase(): string {
	return process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
}
