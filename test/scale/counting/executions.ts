import { parse } from 'flatted';

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
