import { chain, itemsOf, manualTrigger } from '../driver';
import type { CredentialReference, Execution, N8n } from '../driver';
import { CREDENTIAL_TYPE } from './deployment';

const NODE = 'Email Identity';
const START = 'Start';

/** Runs a workflow of one action node to its end. */
export async function runAction(
	n8n: N8n,
	credential: CredentialReference,
	parameters: Record<string, unknown>,
): Promise<Execution> {
	const node = {
		name: NODE,
		type: 'n8n-nodes-email-identity.emailIdentity',
		parameters,
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	const { id } = await n8n.workflows.create(chain('Action', [manualTrigger(START), node]));
	const execution = await n8n.executions.ended(await n8n.workflows.run(id, START));
	await n8n.workflows.delete(id);
	return execution;
}

/** Runs a workflow of one action node and gives the JSON of its items; a failure of the node is thrown. */
export async function actionOutput(
	n8n: N8n,
	credential: CredentialReference,
	parameters: Record<string, unknown>,
): Promise<Record<string, unknown>[]> {
	const execution = await runAction(n8n, credential, parameters);
	return itemsOf(execution, NODE).map(({ json }) => json);
}

/** A resource locator set to "By ID". */
export function byId(id: unknown): Record<string, unknown> {
	return { __rl: true, mode: 'id', value: id };
}
