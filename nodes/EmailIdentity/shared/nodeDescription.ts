import { type INodeProperties, type NodeConnectionType, NodeConnectionTypes } from 'n8n-workflow';

/** The oldest n8n that the package is tested in; it stands in `engines` and in the README, too. */
export const OLDEST_N8N = '1.100.1';

/**
 * The kind of connection by which nodes hand on items. Each node asks for it while n8n loads it, which makes it the place
 * where an n8n that is too old is told so: it lacks these names (n8n before about 1.85), and would report that something
 * is undefined.
 *
 * @throws Error naming the oldest n8n that will do
 */
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
 * The expression for the action node's subtitle on the canvas: the labels of what was chosen in drop-downs, and the address
 * that was chosen from the list of identities. n8n's own nodes show the values there, such as `getAll`.
 *
 * @param names of the parameters; drop-downs may share a name where the same value has the same label
 * @param fields all of the node, among which the drop-downs and the locators of identities are
 * @returns what gives nothing for a parameter whose value is an expression: the canvas cannot know it
 */
export function subtitleOf(names: string[], fields: INodeProperties[]): string {
	const labels = names.map((name) => labelIn(name, fields));
	return `={{ [${[...labels, addressIn(fields)].join(', ')}].filter((label) => label).join(': ') }}`;
}

/** The subtitle of the trigger: the chosen address, else the label of the event. See {@link subtitleOf}. */
export function triggerSubtitleOf(event: string, fields: INodeProperties[]): string {
	return `={{ ${addressIn(fields)} || ${labelIn(event, fields)} }}`;
}

/**
 * The address behind the name that the editor stored with the chosen entry of the list, up to the first blank. It stays
 * in the workflow when the field is hidden again, so that it counts only where the field is shown.
 */
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
