import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder } from '../driver';
import type { N8n, StoredWorkflow } from '../driver';

/**
 * Makes the data table that comes with an example, and chooses it in the nodes that ask for one.
 *
 * @param folder of the example
 * @param stored the example as it was imported
 * @returns the ID of the table
 */
export async function installExampleTable(
	n8n: N8n,
	folder: string,
	{ id, nodes }: StoredWorkflow,
): Promise<string> {
	const csv = await readFile(join(projectFolder, 'examples', folder, 'table.csv'), 'utf8');
	const table = await n8n.dataTables.importCsv(folder, csv);
	for (const { name, type, parameters } of nodes) {
		if (type !== 'n8n-nodes-base.dataTable') continue;
		const dataTableId = { __rl: true, mode: 'list', value: table };
		await n8n.workflows.updateNode(id, name, { parameters: { ...parameters, dataTableId } });
	}
	return table;
}
