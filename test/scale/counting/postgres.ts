import { until } from '../../e2e/driver';
import type { Size } from '../load/size';
import type { Database } from '../services/database';
import { readExecutions } from './executions';
import type { ExecutionRow, Recorded } from './executions';

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

const EXECUTIONS_OF = `
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
	return readExecutions(await database.query<ExecutionRow>(EXECUTIONS_OF, [workflowId]));
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
