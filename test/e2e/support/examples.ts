import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importExample, readExamples } from '../../../scripts/demo/examples';
import { projectFolder } from '../../support/n8n';
import type { CredentialReference, N8n, StoredWorkflow } from '../../support/n8n';
import type { Stage } from './stage';

/** Imports an example with its credential. */
export async function installExample(stage: Stage, name: string): Promise<StoredWorkflow> {
	const example = (await readExamples()).find((one) => one.name === name);
	if (!example) throw new Error(`There is no example "${name}".`);
	return stage.keep(await importExample(stage.n8n, example, stage.credential));
}

/**
 * Creates the data table of an example and chooses it in the nodes that need one. It is deleted afterwards.
 *
 * @returns the ID of the table
 */
export async function installTable(
	stage: Stage,
	folder: string,
	...workflows: StoredWorkflow[]
): Promise<string> {
	const csv = await readFile(join(projectFolder, 'examples', folder, 'table.csv'), 'utf8');
	const { n8n } = stage;
	const table = await n8n.dataTables.importCsv(folder, csv);
	stage.afterwards(() => n8n.dataTables.delete(table));
	const dataTableId = { __rl: true, mode: 'list', value: table };
	for (const { id, nodes } of workflows) {
		for (const { name, type, parameters } of nodes) {
			if (type !== 'n8n-nodes-base.dataTable') continue;
			await n8n.workflows.updateNode(id, name, { parameters: { ...parameters, dataTableId } });
		}
	}
	return table;
}

/** Changes some parameters of a node, and chooses credentials in it. */
export async function changeNode(
	n8n: N8n,
	workflowId: string,
	name: string,
	parameters: object,
	credentials: Record<string, CredentialReference> = {},
): Promise<void> {
	const { nodes } = await n8n.workflows.get(workflowId);
	const node = nodes.find((one) => one.name === name);
	await n8n.workflows.updateNode(workflowId, name, {
		parameters: { ...node?.parameters, ...parameters },
		credentials: { ...node?.credentials, ...credentials },
	});
}
