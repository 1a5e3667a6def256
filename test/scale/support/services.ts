import { execFile, execFileSync } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../../../scripts/setup/programs.mjs';
import { freePort, hostOf } from '../../support/n8n';
import { GuardedProgram } from '../../support/programs/guardedProgram';

/** The used part of the client library in n8n. */
interface Pool {
	query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
	on(event: 'error', listener: () => void): void;
	end(): Promise<void>;
}

type PostgresLibrary = { Pool: new (options: Record<string, unknown>) => Pool };

/** The user and the database that `initdb` creates. */
export const DATABASE_USER = 'n8n';
export const DATABASE_NAME = 'postgres';

export class Database {
	private readonly pool: Pool;

	constructor(port: number) {
		const fromN8n = createRequire(join(hostOf('2').folder, 'package.json'));
		const { Pool: PoolOfN8n } = fromN8n('pg') as PostgresLibrary;
		const place = { host: '127.0.0.1', port, user: DATABASE_USER, database: DATABASE_NAME };
		this.pool = new PoolOfN8n({ ...place, max: 2 });
		// When PostgreSQL ends an idle connection, the test goes on.
		this.pool.on('error', () => {});
	}

	async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
		return (await this.pool.query<Row>(text, values)).rows;
	}

	async close(): Promise<void> {
		await this.pool.end();
	}
}

/** An own PostgreSQL, with an empty database. */
export class Postgres {
	private constructor(
		readonly port: number,
		readonly database: Database,
		private readonly folder: string,
		private readonly program: GuardedProgram,
	) {}

	static async start(): Promise<Postgres> {
		const [postgres, initdb] = [findProgram('postgres'), findProgram('initdb')];
		const user = userInsteadOfRoot();
		const folder = await mkdtemp(join(tmpdir(), 'email-identity-postgres-'));
		if (user) await chown(folder, user.uid, user.gid);
		const data = join(folder, 'data');
		const own = ['--username=n8n', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
		await promisify(execFile)(initdb, ['-D', data, ...own], { ...user, cwd: folder });
		const port = await freePort();
		const settings = [
			'listen_addresses=127.0.0.1',
			`port=${port}`,
			'unix_socket_directories=',
			// These matter only if the machine crashes, which is not tested.
			'fsync=off',
			'synchronous_commit=off',
			'full_page_writes=off',
		];
		const parameters = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
		const database = new Database(port);
		const program = new GuardedProgram({ program: postgres, parameters, folder, user });
		await program.ready(async () => await database.query('SELECT 1'));
		return new Postgres(port, database, folder, program);
	}

	async stop(): Promise<void> {
		await this.database.close();
		// Its "fast" shutdown: connections are ended, data is kept in order.
		await this.program.stop('SIGINT');
		await rm(this.folder, { recursive: true, force: true });
	}
}

/** PostgreSQL refuses to run as root. Debian's package creates this user. */
function userInsteadOfRoot(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
	return { uid: uid!, gid: gid! };
}

/** An own Redis, with its data on disk as `docs/queue-mode.md` recommends. */
export class Redis {
	private program: GuardedProgram | undefined;

	private constructor(
		readonly port: number,
		private readonly folder: string,
	) {}

	static async start(): Promise<Redis> {
		const folder = await mkdtemp(join(tmpdir(), 'email-identity-redis-'));
		const redis = new Redis(await freePort(), folder);
		await redis.begin();
		return redis;
	}

	/** Stops it in good order and starts it again with its data. */
	async restart(): Promise<void> {
		await this.program?.stop();
		await this.begin();
	}

	async stop(): Promise<void> {
		await this.program?.stop();
		await rm(this.folder, { recursive: true, force: true });
	}

	private async begin(): Promise<void> {
		const { port, folder } = this;
		const settings = { port, bind: '127.0.0.1', dir: folder, appendonly: 'yes', save: '' };
		const parameters = Object.entries(settings).flatMap(([name, value]) => [
			`--${name}`,
			String(value),
		]);
		const program = findProgram('redis-server');
		this.program = new GuardedProgram({ program, parameters, folder });
		const { log } = this.program;
		await this.program.ready(async () => log.text().includes('Ready to accept connections'));
	}
}
