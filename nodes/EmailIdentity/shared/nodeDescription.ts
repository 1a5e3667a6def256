import { type INodeProperties, type NodeConnectionType, NodeConnectionTypes } from 'n8n-workflow';

/** As in `engines` and in the README. */
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
 * The labels of the chosen options and the chosen identity's address. The canvas does not know the values of expressions.
 *
 * @param names of parameters; drop-downs may share a name if the same value has the same label
 */
export function subtitleOf(names: string[], fields: INodeProperties[]): string {
	const labels = names.map((name) => labelIn(name, fields));
	return `={{ [${[...labels, addressIn(fields)].join(', ')}].filter((label) => label).join(': ') }}`;
}

/** The chosen identity's address, or else the event in the words of the node panel: On message received. */
export function triggerSubtitleOf(event: string, fields: INodeProperties[]): string {
	return `={{ ${addressIn(fields)} || 'On ' + ${labelIn(event, fields)}.toLowerCase() }}`;
}

/** The start of the name that the editor stores with the chosen entry. It stays in the workflow if the field is hidden. */
function addressIn(fields: INodeProperties[]): string {
	const isShown = fields
		.filter(({ name }) => name === IDENTITY_FIELD)
		.map(({ displayOptions }) =>
			Object.entries(displayOptions?.show ?? {})
				.map(([name, values]) => `${JSON.stringify(values)}.includes($parameter.${name})`)
				.join(' && '),
		);
	const where = isShown.map((condition) => `(${condition})`).join(' || ');
	const address = "((chosen) => chosen?.value && chosen.cachedResultName?.split(' ')[0])";
	// $parameter itself gives the ID only, and evaluates an expression (n8n-workflow, `workflow-data-proxy`).
	return `((${where}) && ${address}($parameter.toJSON().${IDENTITY_FIELD}))`;
}

function labelIn(name: string, fields: INodeProperties[]): string {
	const options = fields
		.filter((field) => field.name === name)
		.flatMap((field) => field.options ?? [])
		.flatMap((option) => ('value' in option ? [[option.value, option.name]] : []));
	return `${JSON.stringify(Object.fromEntries(options))}[$parameter.${name}]`;
}
