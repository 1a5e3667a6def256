import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort, hostOf, prepare } from '../../support/n8n';
import { GuardedProgram } from '../../support/programs/guardedProgram';

/** It has only the packages that are published to it, none of the real registry. */
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
	const { program } = prepare<{ program: string }>('--registry');
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
	await verdaccio.ready(async () => (await fetch(`${url}/-/ping`)).ok);
	return {
		url,
		options: [`--registry=${url}`, `--//${host}/:_authToken=${await tokenOfNewUser(url)}`],
		stop: async () => {
			await verdaccio.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** As `npm adduser` does. */
async function tokenOfNewUser(url: string): Promise<string> {
	const name = 'publisher';
	const response = await fetch(`${url}/-/user/org.couchdb.user:${name}`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ name, password: 'only-for-this-run' }),
	});
	return ((await response.json()) as { token: string }).token;
}
