import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Entry } from '../api/types';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The same field where what it does to the output has to be said. */
export function simplifyFieldWith(hint: string): INodeProperties {
	return { ...simplifyField, hint };
}

/** What n8n adds to the type of a node that an AI agent uses. */
const TOOL_ENDING = 'Tool';

/** Whether the node is a tool of an AI agent: what it puts out then goes to a model, and to whoever runs that. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith(TOOL_ENDING);
}

/** Whether the user wants the documented shape rather than the service's own; of a tool, Output says so. */
export function isSimplified(context: IExecuteFunctions, itemIndex: number): boolean {
	return isTool(context)
		? context.getNodeParameter('output', itemIndex, 'simple') !== 'raw'
		: (context.getNodeParameter('simplify', itemIndex) as boolean);
}

/**
 * The output for one object of the service.
 *
 * @param toShape brings it into the documented shape; not used when the user wants the service's own
 */
export function toOutput(
	context: IExecuteFunctions,
	itemIndex: number,
	entry: Entry,
	toShape: (entry: Entry) => object,
): IDataObject {
	return isSimplified(context, itemIndex) ? { ...toShape(entry) } : entry;
}

/**
 * Takes the documented fields out of all that is known of a resource.
 *
 * @param fields in the order in which the editor's table shows them, what people look at first
 */
export function pickFields<Shape extends object, Field extends keyof Shape>(
	shape: Shape,
	fields: readonly Field[],
): Pick<Shape, Field> {
	return Object.fromEntries(fields.map((field) => [field, shape[field]])) as Pick<Shape, Field>;
}

/** Leaves of a tool's output what the agent is to be given (`toolOutput.ts`): all of it, unless fields were chosen. */
export function selectFields(
	context: IExecuteFunctions,
	itemIndex: number,
	output: IDataObject[],
): IDataObject[] {
	if (!isTool(context) || context.getNodeParameter('output', itemIndex, 'simple') !== 'fields') {
		return output;
	}
	const chosen = [context.getNodeParameter('fields', itemIndex, []) as unknown].flat().map(String);
	return output.map((json) =>
		pickFields(
			json,
			chosen.filter((field) => Object.hasOwn(json, field)),
		),
	);
}
