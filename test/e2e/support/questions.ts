import type { CredentialReference, NodeDefinition } from '../../support/n8n';
import { ACTION_NODE } from './actions';
import { ADDRESS, CREDENTIAL_TYPE } from './deployment';

/** A node that asks a person for an approval and waits for the answer. */
export function askingNode(
	credential: CredentialReference,
	parameters: Record<string, unknown> = {},
): NodeDefinition {
	return {
		name: 'Ask',
		type: ACTION_NODE,
		parameters: {
			resource: 'message',
			operation: 'sendAndWait',
			identityId: { __rl: true, mode: 'address', value: ADDRESS },
			to: 'person@example.org',
			subject: 'A question',
			message: 'May we?',
			...parameters,
		},
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
}

/** Sends the form of the page. @returns the status of n8n's answer */
export async function sendAnswer(url: string, fields: Record<string, string>): Promise<number> {
	return (await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })).status;
}
