import { join } from 'node:path';
import { GuardedProgram } from '../programs/guardedProgram';
import type { OutputLog } from '../programs/outputLog';
import type { Host } from './host';

/** Starts n8n, or another of its commands; it is not yet ready when this returns. */
export function startHostProcess(
	host: Host,
	env: Record<string, string>,
	log: OutputLog,
	command = ['start'],
): GuardedProgram {
	return new GuardedProgram({
		program: host.node,
		parameters: [join(host.folder, 'node_modules/n8n/bin/n8n'), ...command],
		env,
		cwd: env.N8N_USER_FOLDER,
		log,
	});
}
