/** Tells Jest's workers of the running n8n that they share. */
const VARIABLE = 'EMAIL_IDENTITY_SHARED_N8N';

/** An n8n that runs already. */
export interface SharedHost {
	release: string;
	userFolder: string;
	port: number;
	logFile: string;
}

/** @param hosts one for each of Jest's workers */
export function announceSharedHosts(hosts: readonly SharedHost[]): void {
	process.env[VARIABLE] = JSON.stringify(hosts);
}

/** @throws Error where Jest was started without the set-up that starts it */
export function sharedOfThisWorker(): SharedHost {
	const hosts = JSON.parse(process.env[VARIABLE] ?? '[]') as SharedHost[];
	const host = hosts[Number(process.env.JEST_WORKER_ID ?? 1) - 1];
	if (host === undefined) throw new Error('This worker of Jest has no n8n to share.');
	return host;
}
