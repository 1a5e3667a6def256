import { parse } from 'flatted';

/** An execution as n8n's database has it. */
export interface Recorded {
	status: string;
	/** the message it was started with; undefined when it holds none */
	message: string | undefined;
	/** why it did not end well, in n8n's words */
	failure: string | undefined;
}

export interface ExecutionRow {
	status: string;
	data: string;
}

/** The messages of these measurements, in an execution's data. */
const MESSAGE = /(?:scale|refused)-\d+/;

/** How the database is asked, the same for both kinds; the parameter is the workflow's ID. */
export const EXECUTIONS_OF = `
	SELECT execution_entity.status AS status, execution_data.data AS data
	FROM execution_entity
	JOIN execution_data ON execution_data."executionId" = execution_entity.id
	WHERE execution_entity."workflowId" = $1`;

export function readExecutions(rows: readonly ExecutionRow[]): Recorded[] {
	return rows.map(({ status, data }) => ({
		status,
		message: MESSAGE.exec(data)?.[0],
		failure: status === 'success' ? undefined : `${status}: ${failureIn(data)}`,
	}));
}

function failureIn(data: string): string {
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
