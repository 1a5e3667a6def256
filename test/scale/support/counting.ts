import { execFile } from 'node:child_process';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'flatted';
import { until, type N8n } from '../../support/n8n';
import { SIZE } from './load';
import type { Database } from './services';

const begin = performance.now();

/** Prints progress on the terminal at once; Jest would keep it until the end. */
export function say(line: string): void {
	const seconds = Math.round((performance.now() - begin) / 1_000);
	writeSync(2, `  ${String(seconds).padStart(4)} s  ${line}\n`);
}

export function sayResults(numbers: Record<string, number>): void {
	for (const [label, value] of Object.entries(numbers)) say(`${label}: ${value}`);
}

export interface Recorded {
	status: string;
	message: string | undefined;
}

interface ExecutionRow {
	status: string;
	data: string | null;
	/** noted when the execution was recorded; n8n may overwrite the data later */
	message?: string | null;
}

/** The messages of these measurements, in an execution's data. */
const MESSAGE = /scale-\d+/;

function readExecutions(rows: readonly ExecutionRow[]): Recorded[] {
	const failures = rows.filter(({ status }) => status !== 'success').map(failureOf);
	for (const [failure, count] of tally(failures)) say(`${count} executions: ${failure}`);
	return rows.map(({ status, data, message }) => ({
		status,
		message: message ?? MESSAGE.exec(data ?? '')?.[0],
	}));
}

function failureOf({ status, data }: ExecutionRow): string {
	const content = data ? (parse(data) as { resultData?: { error?: { message?: string } } }) : {};
	return `${status}: ${content.resultData?.error?.message ?? 'no reason given'}`;
}

export function tally<T>(values: Iterable<T>): Map<T, number> {
	const counts = new Map<T, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}

export function repeated(counts: Map<unknown, number>): number {
	return [...counts.values()].filter((count) => count > 1).length;
}

const executionsWith = (message: string, notes = '') => `
	SELECT execution_entity.status AS status, execution_data.data AS data, ${message} AS message
	FROM execution_entity
	LEFT JOIN execution_data ON execution_data."executionId" = execution_entity.id
	${notes}
	WHERE execution_entity."workflowId" = $1`;

/** All executions of a workflow in the database of an n8n that is stopped. */
export async function executionsInSqlite(n8n: N8n, workflowId: string): Promise<Recorded[]> {
	const file = join(n8n.userFolder, '.n8n/database.sqlite');
	const script = join(__dirname, 'readSqlite.cjs');
	const { stdout } = await promisify(execFile)(
		n8n.host.node,
		[script, file, executionsWith('NULL'), workflowId],
		{ maxBuffer: Infinity },
	);
	return readExecutions(JSON.parse(stdout) as ExecutionRow[]);
}

/** n8n overwrites the data of an execution that it gives up. */
const NOTE_STARTS = `
	CREATE TABLE scale_started (execution integer PRIMARY KEY, message text);
	CREATE FUNCTION scale_note() RETURNS trigger AS $$
	BEGIN
		INSERT INTO scale_started
		VALUES (NEW."executionId", substring(NEW.data from 'scale-[0-9]+'))
		ON CONFLICT DO NOTHING;
		RETURN NEW;
	END $$ LANGUAGE plpgsql;
	CREATE TRIGGER scale_note AFTER INSERT ON execution_data
		FOR EACH ROW EXECUTE FUNCTION scale_note();`;

const WITH_NOTES = executionsWith(
	'scale_started.message',
	'LEFT JOIN scale_started ON scale_started.execution = execution_entity.id',
);

/** Makes the database note with which message each execution starts. */
export async function noteStarts(database: Database): Promise<void> {
	await database.query(NOTE_STARTS);
}

export async function executionsInPostgres(
	database: Database,
	workflowId: string,
): Promise<Recorded[]> {
	return readExecutions(await database.query<ExecutionRow>(WITH_NOTES, [workflowId]));
}

const PATIENCE_MS = 1_200_000;

const UNFINISHED = `
	SELECT count(*)::int AS count FROM execution_entity
	WHERE "workflowId" = $1 AND status IN ('new', 'running', 'waiting')`;

/**
 * Waits until no execution is unfinished, or until none has ended for so long that none will: n8n notices the executions of a
 * crashed worker when their lock has expired and it looks for stalled ones.
 */
export async function untilWorkedOff(database: Database, workflowId: string): Promise<void> {
	const longestPauseMs = SIZE.lockMs + 2 * SIZE.lookMs;
	let left = -1;
	let since = performance.now();
	const isDone = async () => {
		const [row] = await database.query<{ count: number }>(UNFINISHED, [workflowId]);
		const count = row?.count ?? 0;
		if (count !== left) since = performance.now();
		left = count;
		return count === 0 || performance.now() - since >= longestPauseMs;
	};
	await until('the workers are done', isDone, PATIENCE_MS);
}
