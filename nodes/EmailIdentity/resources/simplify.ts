import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Entry } from '../api/types';
import { readSwitch } from '../shared/switches';

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

/**
 * Whether the user wants the documented shape rather than the service's own; of a tool, Output says so.
 *
 * @throws NodeOperationError when an expression does not tell: the service's own may hold secrets
 */
export function isSimplified(context: IExecuteFunctions, itemIndex: number): boolean {
	if (isTool(context)) return context.getNodeParameter('output', itemIndex, 'simple') !== 'raw';
	const simplify = context.getNodeParameter('simplify', itemIndex);
	return readSwitch(context.getNode(), 'Simplify', simplify, itemIndex);
}

/** Makes the output for one object of the service. */
export type ToOutput = (entry: Entry) => IDataObject;

/**
 * Reads what the output is to be like; asked for before anything is written.
 *
 * @param toShape brings an object into the documented shape; not used when the user wants the service's own
 * @throws NodeOperationError when an expression does not tell
 */
export function outputOf(
	context: IExecuteFunctions,
	itemIndex: number,
	toShape: (entry: Entry) => object,
): ToOutput {
	return isSimplified(context, itemIndex) ? (entry) => ({ ...toShape(entry) }) : (entry) => entry;
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
	const picked: Partial<Pick<Shape, Field>> = {};
	for (const field of fields) picked[field] = shape[field];
	return picked as Pick<Shape, Field>;
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
