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

/**
 * The action node's subtitle on the canvas: the labels of the chosen resource and operation. Shows nothing for a parameter
 * with an expression, whose value the canvas does not know.
 */
export function subtitleOf(fields: INodeProperties[]): string {
	const labels = ['resource', 'operation'].map((name) => labelIn(name, fields));
	return `={{ [${labels.join(', ')}].filter((label) => label).join(': ') }}`;
}

/**
 * The trigger's subtitle: the chosen address, else the label of the event. The address is the start of the name that the
 * editor stores with the entry.
 */
export function triggerSubtitleOf(fields: INodeProperties[]): string {
	// $parameter itself gives the ID only, and evaluates an expression (n8n-workflow, `workflow-data-proxy`).
	const chosen = '$parameter.toJSON().identityId';
	const address = `${chosen}?.value && ${chosen}.cachedResultName?.split(' ')[0]`;
	return `={{ ($parameter.receiveFor === 'one' && ${address}) || ${labelIn('event', fields)} }}`;
}

function labelIn(name: string, fields: INodeProperties[]): string {
	const options = fields
		.filter((field) => field.name === name)
		.flatMap((field) => field.options ?? [])
		.flatMap((option) => ('value' in option ? [[option.value, option.name]] : []));
	return `${JSON.stringify(Object.fromEntries(options))}[$parameter.${name}]`;
}
