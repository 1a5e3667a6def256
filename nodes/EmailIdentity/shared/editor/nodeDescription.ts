import {
	NodeConnectionTypes,
	type ICredentialDataDecryptedObject,
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
	type IDisplayOptions,
	type INodeCredentialTestResult,
	type INodeProperties,
	type NodeConnectionType,
} from 'n8n-workflow';

/** The same as in `engines` and in the README. */
export const OLDEST_N8N = '1.100.1';

/** @throws Error in an n8n that is too old to have these names (before about 1.85), with the oldest supported version */
export function mainConnection(): NodeConnectionType {
	const types: { Main: NodeConnectionType } | undefined = NodeConnectionTypes;
	if (types === undefined) {
		throw new Error(
			`n8n-nodes-email-identity needs n8n ${OLDEST_N8N} or later: update n8n, or uninstall the package`,
		);
	}
	return types.Main;
}

const IDENTITY_FIELD = 'identityId';

/**
 * The labels of the chosen options and the chosen identity's address: Get: ada@example.com. The canvas does not know the
 * values of expressions.
 *
 * The expression is `={{ [{"get":"Get"}[$parameter.operation], …].filter((label) => label).join(': ') }}`.
 *
 * @param names of parameters; drop-downs may share a name if the same value has the same label
 */
export function subtitleOf(names: string[], fields: INodeProperties[]): string {
	const parts = names.map((name) => labelIn(name, fields));
	parts.push(addressIn(fields));
	return `={{ [${parts.join(', ')}].filter((label) => label).join(': ') }}`;
}

/** The chosen identity's address, or else the event in the words of the node panel: On message received. */
export function triggerSubtitleOf(event: string, fields: INodeProperties[]): string {
	const address = addressIn(fields);
	const label = labelIn(event, fields);
	return `={{ ${address} || 'On ' + ${label}.toLowerCase() }}`;
}

/** The first word of the name that the editor stores with the chosen entry. It stays in the workflow if the field is hidden. */
function addressIn(fields: INodeProperties[]): string {
	const conditions: string[] = [];
	for (const { name, displayOptions } of fields) {
		if (name === IDENTITY_FIELD) conditions.push(`(${shownIf(displayOptions?.show)})`);
	}
	const isShown = conditions.join(' || ');
	const toAddress = "((chosen) => chosen?.value && chosen.cachedResultName?.split(' ')[0])";
	// $parameter itself gives the ID only, and evaluates an expression (n8n-workflow, `workflow-data-proxy`).
	return `((${isShown}) && ${toAddress}($parameter.toJSON().${IDENTITY_FIELD}))`;
}

function shownIf(show: IDisplayOptions['show'] = {}): string {
	const conditions = Object.entries(show).map(
		([name, values]) => `${JSON.stringify(values)}.includes($parameter.${name})`,
	);
	return conditions.join(' && ');
}

/** The label of the chosen option of a drop-down. */
function labelIn(name: string, fields: INodeProperties[]): string {
	const labels: Record<string, string> = {};
	for (const field of fields) {
		if (field.name !== name) continue;
		for (const option of field.options ?? []) {
			if ('value' in option) labels[String(option.value)] = option.name;
		}
	}
	return `${JSON.stringify(labels)}[$parameter.${name}]`;
}

/** n8n calls it when a user saves the credential. */
export async function emailIdentityApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const { testCredential } = await import('../../api/credentialTest');
	return await testCredential(this, credential);
}
