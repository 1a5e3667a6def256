import { createRequire } from 'node:module';
import { join } from 'node:path';
import { hostOf } from '../../e2e/driver';

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
