import { until } from '../../e2e/driver';
import type { Database } from '../services/database';
import { EXECUTIONS_OF, readExecutions } from './executions';
import type { ExecutionRow, Recorded } from './executions';

/** A crashed worker's jobs are noticed after its lock (60 s) and the next look at stalled ones (30 s). */
const PATIENCE_MS = 300_000;
const LOOK_EVERY_MS = 1_000;
const QUIET_FOR_LOOKS = 120;

const UNFINISHED = `
	SELECT count(*)::int AS count FROM execution_entity
	WHERE "workflowId" = $1 AND status IN ('new', 'running', 'waiting')`;

/** All executions of a workflow. */
export async function executionsInPostgres(
	database: Database,
	workflowId: string,
): Promise<Recorded[]> {
	return readExecutions(await database.query<ExecutionRow>(EXECUTIONS_OF, [workflowId]));
}

/** Waits until the workers have nothing more to do, or do nothing for two minutes; gives what is left. */
export async function untilWorkedOff(database: Database, workflowId: string): Promise<number> {
	let last = -1;
	let quiet = 0;
	const { left } = await until(
		async () => {
			const [row] = await database.query<{ count: number }>(UNFINISHED, [workflowId]);
			const count = row?.count ?? 0;
			quiet = count === last ? quiet + 1 : 0;
			last = count;
			return (count === 0 || quiet >= QUIET_FOR_LOOKS) && { left: count };
		},
		{ describe: 'the workers are done', timeout: PATIENCE_MS * 4, interval: LOOK_EVERY_MS },
	);
	return left;
}
