import { chain, itemsOf, manualTrigger } from '../../support/n8n';
import type { CredentialReference, Execution, N8n } from '../../support/n8n';
import { CREDENTIAL_TYPE } from './deployment';

export const ACTION_NODE = 'n8n-nodes-email-identity.emailIdentity';

export const NODE_NAME = 'Email Identity';

const START = 'Start';

export async function runAction(
	n8n: N8n,
	credential: CredentialReference,
	parameters: Record<string, unknown>,
): Promise<Execution> {
	const credentials = { [CREDENTIAL_TYPE]: credential };
	const node = { name: NODE_NAME, type: ACTION_NODE, parameters, credentials };
	const { id } = await n8n.workflows.create(chain('Action', [manualTrigger(START), node]));
	const execution = await n8n.executions.ended(await n8n.workflows.run(id, START));
	await n8n.workflows.delete(id);
	return execution;
}

/** Runs a workflow of one action node. @throws Error if the node fails */
export async function actionOutput(
	n8n: N8n,
	credential: CredentialReference,
	parameters: Record<string, unknown>,
): Promise<Record<string, unknown>[]> {
	const execution = await runAction(n8n, credential, parameters);
	return itemsOf(execution, NODE_NAME).map(({ json }) => json);
}

type Entry = { name: string; value: string };

/** The entries of a drop-down, requested as the editor does. */
export async function offered(
	n8n: N8n,
	credential: CredentialReference,
	methodName: 'searchIdentities' | 'searchWebhooks',
): Promise<Entry[]> {
	const path = '/rest/dynamic-node-parameters/resource-locator-results';
	const { results } = await n8n.session.call<{ results: Entry[] }>('POST', path, {
		methodName,
		path: '',
		nodeTypeAndVersion: { name: ACTION_NODE, version: 1 },
		currentNodeParameters: {},
		credentials: { [CREDENTIAL_TYPE]: credential },
	});
	return results;
}
