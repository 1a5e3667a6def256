import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort, hostOf, projectFolder, until } from '../../support/n8n';
import { GuardedProgram } from '../../support/programs/guardedProgram';

const INSTALL_TIMEOUT_MS = 240_000;
const START_TIMEOUT_MS = 120_000;

/** Only what is published to it, and nothing of the real registry. */
const SETTINGS = `
storage: ./storage
auth:
  htpasswd:
    file: ./htpasswd
uplinks: {}
packages:
  '**':
    access: $all
    publish: $authenticated
log: { type: stdout, level: error }
`;

/** A local npm registry, with a user who may publish. */
export interface Registry {
	url: string;
	/** Options for npm to publish there. */
	options: string[];
	stop(): Promise<void>;
}

/** Starts Verdaccio with an empty storage on a free port; it is installed where it is missing, and runs on n8n's Node. */
export async function startVerdaccio(): Promise<Registry> {
	const prepare = join(projectFolder, 'scripts/prepare.mjs');
	const { program } = JSON.parse(
		execFileSync(process.execPath, [prepare, '--registry'], {
			encoding: 'utf8',
			timeout: INSTALL_TIMEOUT_MS,
		}),
	) as { program: string };
	const folder = await mkdtemp(join(tmpdir(), 'email-identity-registry-'));
	const settings = join(folder, 'config.yaml');
	await writeFile(settings, SETTINGS);
	const host = `127.0.0.1:${await freePort()}`;
	const verdaccio = new GuardedProgram({
		program: hostOf('2').node,
		parameters: [program, '--config', settings, '--listen', host],
		folder,
	});
	const url = `http://${host}`;
	const signal = AbortSignal.timeout(START_TIMEOUT_MS);
	await until(async () => (await fetch(`${url}/-/ping`, { signal })).ok, {
		describe: 'the registry answers',
		timeout: START_TIMEOUT_MS,
	});
	return {
		url,
		options: [`--registry=${url}`, `--//${host}/:_authToken=${await tokenOfNewUser(url, signal)}`],
		stop: async () => {
			await verdaccio.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** As `npm adduser` does. */
async function tokenOfNewUser(url: string, signal: AbortSignal): Promise<string> {
	const name = 'publisher';
	const response = await fetch(`${url}/-/user/org.couchdb.user:${name}`, {
		method: 'PUT',
		signal,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ name, password: 'only-for-this-run' }),
	});
	return ((await response.json()) as { token: string }).token;
}
