import { parse } from 'flatted';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until, type N8n } from '../e2e/driver';
import type { Size } from './load';
import type { Database } from './services';

/** An execution as n8n's database has it. */
export interface Recorded {
	status: string;
	/** the message it was started with; undefined when it holds none */
	message: string | undefined;
	/** whether its data no longer say which message that was */
	isForgotten: boolean;
	/** why it did not end well, in n8n's words */
	failure: string | undefined;
}

export interface ExecutionRow {
	status: string;
	data: string | null;
	/** noted when it was recorded; n8n may overwrite the data later */
	message?: string | null;
}

/** The messages of these measurements, in an execution's data. */
const MESSAGE = /(?:scale|refused)-\d+/;

export function readExecutions(rows: readonly ExecutionRow[]): Recorded[] {
	return rows.map(({ status, data, message }) => {
		const inData = MESSAGE.exec(data ?? '')?.[0];
		return {
			status,
			message: message ?? inData,
			isForgotten: inData === undefined,
			failure: status === 'success' ? undefined : `${status}: ${failureIn(data)}`,
		};
	});
}

function failureIn(data: string | null): string {
	if (!data) return 'no data';
	const { resultData } = parse(data) as { resultData?: { error?: { message?: string } } };
	return resultData?.error?.message ?? 'no reason given';
}

/** How often each value occurs. */
export function tally<T>(values: Iterable<T>): Map<T, number> {
	const counts = new Map<T, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}

/** Counts in one line, for whoever watches. */
export function shown(counts: Map<unknown, number>): string {
	return [...counts].map(([value, count]) => `${count} × ${String(value)}`).join(', ');
}

const execute = promisify(execFile);
const MOST_OUTPUT = 512 * 1024 * 1024;

const IN_SQLITE = `
	SELECT execution_entity.status AS status, execution_data.data AS data
	FROM execution_entity
	LEFT JOIN execution_data ON execution_data."executionId" = execution_entity.id
	WHERE execution_entity."workflowId" = $1`;

/** All executions of a workflow in the database of an n8n that is not running just now. */
export async function executionsInSqlite(n8n: N8n, workflowId: string): Promise<Recorded[]> {
	const file = join(n8n.userFolder, '.n8n/database.sqlite');
	const script = join(__dirname, 'readSqlite.cjs');
	const { stdout } = await execute(n8n.host.node, [script, file, IN_SQLITE, workflowId], {
		maxBuffer: MOST_OUTPUT,
	});
	return readExecutions(JSON.parse(stdout) as ExecutionRow[]);
}

const PATIENCE_MS = 1_200_000;
const LOOK_EVERY_MS = 1_000;

const UNFINISHED = `
	SELECT count(*)::int AS count FROM execution_entity
	WHERE "workflowId" = $1 AND status IN ('new', 'running', 'waiting')`;

/** Where n8n gives up an execution it overwrites what it was started with. */
const NOTE_STARTS = `
	CREATE TABLE scale_started (execution integer PRIMARY KEY, message text);
	CREATE FUNCTION scale_note() RETURNS trigger AS $$
	BEGIN
		INSERT INTO scale_started
		VALUES (NEW."executionId", substring(NEW.data from '(?:scale|refused)-[0-9]+'))
		ON CONFLICT DO NOTHING;
		RETURN NEW;
	END $$ LANGUAGE plpgsql;
	CREATE TRIGGER scale_note AFTER INSERT ON execution_data
		FOR EACH ROW EXECUTE FUNCTION scale_note();`;

const IN_POSTGRES = `
	SELECT execution_entity.status AS status, execution_data.data AS data, scale_started.message AS message
	FROM execution_entity
	LEFT JOIN execution_data ON execution_data."executionId" = execution_entity.id
	LEFT JOIN scale_started ON scale_started.execution = execution_entity.id
	WHERE execution_entity."workflowId" = $1`;

/** Has the database note which message each execution is started with. */
export async function noteStarts(database: Database): Promise<void> {
	await database.query(NOTE_STARTS);
}

/** All executions of a workflow. */
export async function executionsInPostgres(
	database: Database,
	workflowId: string,
): Promise<Recorded[]> {
	return readExecutions(await database.query<ExecutionRow>(IN_POSTGRES, [workflowId]));
}

/**
 * Waits until the workers have nothing more to do, or do nothing for so long that nothing more will come.
 *
 * @param size a crashed worker's executions are noticed after its lock and the next look for stalled ones
 * @param hopeless what is known to be left for ever
 * @returns how many executions are left
 */
export async function untilWorkedOff(
	database: Database,
	workflowId: string,
	{ lock, look }: Pick<Size, 'lock' | 'look'>,
	hopeless = 0,
): Promise<number> {
	const longestPause = lock + 2 * look;
	let last = -1;
	let quiet = 0;
	const { left } = await until(
		async () => {
			const [row] = await database.query<{ count: number }>(UNFINISHED, [workflowId]);
			const count = row?.count ?? 0;
			quiet = count === last ? quiet + 1 : 0;
			last = count;
			return (count <= hopeless || quiet * LOOK_EVERY_MS >= longestPause) && { left: count };
		},
		{ describe: 'the workers are done', timeout: PATIENCE_MS, interval: LOOK_EVERY_MS },
	);
	return left;
}

/** Counts what workflows really did, outside of n8n: one request to `url` + the message for each. */
export interface EndResults {
	readonly url: string;
	readonly messages: string[];
	stop(): Promise<void>;
}

export async function countEndResults(): Promise<EndResults> {
	const messages: string[] = [];
	const server = createServer((request, response) => {
		messages.push(decodeURIComponent((request.url ?? '').slice(1)));
		response.setHeader('content-type', 'application/json');
		response.end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		messages,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
