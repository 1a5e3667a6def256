/**
 * What n8n has announced that its version 3.0 does unless told otherwise (its migration report in 2.x,
 * `modules/breaking-changes/rules/v3/`), as settings of an n8n 2.x. That unverified packages are not loaded by default is
 * what whoever installs this one has to change.
 *
 * @param storage a folder that all processes share: files are no longer kept in memory, nor each in a process of its own
 */
export function announcedDefaults(storage: string): Record<string, string> {
	return {
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_BINARY_DATA_STORAGE_PATH: storage,
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		...PROTECTED,
	};
}

/** n8n's protection against requests into private networks, with the ranges that 3.0 adds. */
export const PROTECTED = {
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_BLOCKED_IP_RANGES: 'default,100.64.0.0/10,64:ff9b::/96,2002::/16',
};

/** What lets the nodes reach a stand-in for the service on this machine all the same. */
export const WITH_THIS_MACHINE_ALLOWED = { N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8,::1/128' };
