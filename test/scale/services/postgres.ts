import { execFile, execFileSync } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, until } from '../../e2e/driver';
import { Database } from './database';
import { GuardedProgram } from '../../programs/guardedProgram';
import { findProgram } from '../../../scripts/setup/programs.mjs';

const execute = promisify(execFile);

/** PostgreSQL refuses to run as root; either of these users is on every Debian. */
const USERS_INSTEAD_OF_ROOT = ['postgres', 'nobody'];

const START_TIMEOUT_MS = 180_000;

/** Only this machine's crash, which is not tested, would need them; without, it leaves the disk to others. */
const WITHOUT_WAITING_FOR_THE_DISK = [
	'fsync=off',
	'synchronous_commit=off',
	'full_page_writes=off',
];

/** A PostgreSQL of our own, with an empty database. */
export class Postgres {
	private constructor(
		readonly port: number,
		readonly database: Database,
		private readonly folder: string,
		private readonly program: GuardedProgram,
	) {}

	/** @throws SetupFailure, or an Error with the end of PostgreSQL's log when it does not come up */
	static async start(): Promise<Postgres> {
		const [postgres, initdb] = [findProgram('postgres'), findProgram('initdb')];
		const user = userInsteadOfRoot();
		const folder = await mkdtemp(join(tmpdir(), 'email-identity-postgres-'));
		if (user) await chown(folder, user.uid, user.gid);
		const data = join(folder, 'data');
		const own = ['--username=n8n', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
		await execute(initdb, ['-D', data, ...own], { ...user, cwd: folder });
		const port = await freePort();
		const settings = [
			'listen_addresses=127.0.0.1',
			`port=${port}`,
			'unix_socket_directories=',
			...WITHOUT_WAITING_FOR_THE_DISK,
		];
		const program = new GuardedProgram({
			program: postgres,
			parameters: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
			folder,
			user,
		});
		const database = new Database(port);
		const running = new Postgres(port, database, folder, program);
		await until(() => database.query('SELECT 1'), {
			describe: `PostgreSQL answers at port ${port}`,
			timeout: START_TIMEOUT_MS,
		}).catch(async (error: Error) => {
			await running.stop();
			throw new Error(`${error.message}\n${program.log.tail()}`);
		});
		return running;
	}

	async stop(): Promise<void> {
		await this.database.close();
		// Its "fast" shutdown: connections are ended, data is kept in order.
		await this.program.stop('SIGINT');
		await rm(this.folder, { recursive: true, force: true });
	}
}

function userInsteadOfRoot(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	for (const name of USERS_INSTEAD_OF_ROOT) {
		try {
			const [uid, gid] = ['-u', '-g'].map((flag) =>
				Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] })),
			);
			if (uid && gid) return { uid, gid };
		} catch {
			continue;
		}
	}
	throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.');
}
