import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { EmailIdentity } from '../../../../nodes/EmailIdentity/EmailIdentity.node';
import type { Sandbox } from '../../../../sandbox';
import { runNode, type ExecuteSetup, type NodeRun } from '../../rig';

export const actionNode = new EmailIdentity();

/** The credential of the sandbox's owner. */
export const credentialOf = (sandbox: Sandbox, allowPrivateWebhookUrls = false) => ({
	baseUrl: sandbox.baseUrl,
	apiKey: sandbox.accounts.owner.apiKey,
	allowPrivateWebhookUrls,
});

/** Runs one operation against the sandbox, for one empty item unless told otherwise. */
export async function run(
	sandbox: Sandbox,
	parameters: INodeParameters,
	more: Partial<ExecuteSetup> = {},
): Promise<NodeRun> {
	return await runNode({
		type: actionNode,
		credential: credentialOf(sandbox),
		parameters,
		...more,
	});
}

/** The JSON of the items of the first output; fails with the node's error when there is one. */
export function jsonOf({ outputs, error }: NodeRun): Array<INodeExecutionData['json']> {
	if (error !== undefined) throw error;
	return (outputs[0] ?? []).map(({ json }) => json);
}

/** What a drop-down stores for a chosen entry. */
export const chosen = (value: string, mode = 'id') => ({ __rl: true, mode, value });

/** Input items with these fields. */
export const itemsOf = (...fields: Array<INodeExecutionData['json']>): INodeExecutionData[] =>
	fields.map((json) => ({ json }));

/** The requests that the sandbox got, as `GET /me`. */
export const requestLines = (sandbox: Sandbox): string[] =>
	sandbox.requests().map(({ method, path }) => `${method} ${path}`);
