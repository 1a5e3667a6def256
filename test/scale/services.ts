import { execFile, execFileSync } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../../scripts/setup/programs.mjs';
import { freePort, hostOf, until } from '../e2e/driver';
import { GuardedProgram } from '../programs/guardedProgram';

/** What is used of the client library that n8n brings. */
interface Pool {
	query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
	on(event: 'error', listener: () => void): void;
	end(): Promise<void>;
}

type PostgresLibrary = { Pool: new (options: Record<string, unknown>) => Pool };

/** The user and the database that `initdb` makes. */
export const DATABASE_USER = 'n8n';
export const DATABASE_NAME = 'postgres';

/** Queries against a PostgreSQL of ours, past n8n. */
export class Database {
	private readonly pool: Pool;

	constructor(port: number) {
		const fromN8n = createRequire(join(hostOf('2').folder, 'package.json'));
		const { Pool: PoolOfN8n } = fromN8n('pg') as PostgresLibrary;
		const place = { host: '127.0.0.1', port, user: DATABASE_USER, database: DATABASE_NAME };
		this.pool = new PoolOfN8n({ ...place, max: 2 });
		// An idle connection that PostgreSQL ends is no reason to end the test.
		this.pool.on('error', () => {});
	}

	async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
		const { rows } = await this.pool.query<Row>(text, values);
		return rows;
	}

	async close(): Promise<void> {
		await this.pool.end();
	}
}

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

/** A Redis of our own, with its data on disk as `docs/operations.md` recommends it. */
export class Redis {
	private program: GuardedProgram | undefined;

	private constructor(
		readonly port: number,
		private readonly folder: string,
	) {}

	/** @throws SetupFailure, or an Error with the end of Redis' log when it does not come up */
	static async start(): Promise<Redis> {
		const program = findProgram('redis-server');
		const folder = await mkdtemp(join(tmpdir(), 'email-identity-redis-'));
		const redis = new Redis(await freePort(), folder);
		await redis.begin(program);
		return redis;
	}

	/** Stops it in good order and starts it again with what it had written. */
	async restart(): Promise<void> {
		await this.program?.stop('SIGTERM');
		await this.begin(findProgram('redis-server'));
	}

	async stop(): Promise<void> {
		await this.program?.stop('SIGTERM');
		await rm(this.folder, { recursive: true, force: true });
	}

	private async begin(program: string): Promise<void> {
		const settings = {
			port: String(this.port),
			bind: '127.0.0.1',
			dir: this.folder,
			appendonly: 'yes',
			save: '',
		};
		const parameters = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
		const running = new GuardedProgram({ program, parameters, folder: this.folder });
		this.program = running;
		await until(() => answersPing(this.port), {
			describe: `Redis answers at port ${this.port}`,
		}).catch((error: Error) => {
			throw new Error(`${error.message}\n${running.log.tail()}`);
		});
	}
}

/** While Redis reads its data from disk it answers with an error instead. */
async function answersPing(port: number): Promise<boolean> {
	return await new Promise((resolve, reject) => {
		const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
		socket.once('error', reject);
		socket.once('data', (answer) => {
			socket.destroy();
			resolve(answer.toString().startsWith('+PONG'));
		});
	});
}
