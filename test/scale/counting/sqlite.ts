import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { N8n } from '../../e2e/driver';
import { readExecutions } from './executions';
import type { ExecutionRow, Recorded } from './executions';

const execute = promisify(execFile);
const MOST_OUTPUT = 512 * 1024 * 1024;

const EXECUTIONS_OF = `
	SELECT execution_entity.status AS status, execution_data.data AS data
	FROM execution_entity
	LEFT JOIN execution_data ON execution_data."executionId" = execution_entity.id
	WHERE execution_entity."workflowId" = $1`;

/** All executions of a workflow in the database of an n8n that is not running just now. */
export async function executionsInSqlite(n8n: N8n, workflowId: string): Promise<Recorded[]> {
	const file = join(n8n.userFolder, '.n8n/database.sqlite');
	const script = join(__dirname, 'readSqlite.cjs');
	const { stdout } = await execute(n8n.host.node, [script, file, EXECUTIONS_OF, workflowId], {
		maxBuffer: MOST_OUTPUT,
	});
	return readExecutions(JSON.parse(stdout) as ExecutionRow[]);
}
