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

const ABBREVIATIONS = /\b(?:Dns|Id|Url|Html)\b/g;

/** The label for a field of an output, such as `DNS Records` for `dnsRecords`. */
function labelOf(field: string): string {
	const words = field.replace(/[A-Z]/g, ' $&');
	const title = words.charAt(0).toUpperCase() + words.slice(1);
	return title.replace(ABBREVIATIONS, (word) => word.toUpperCase());
}

/**
 * A tool has these in place of Simplify (n8n's UX guidelines): fewer fields are fewer words for the model to read.
 *
 * @param fields of the simplified output
 */
export function toolOutputFields(fields: readonly string[]): INodeProperties[] {
	return [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{ name: 'Raw', value: 'raw', description: "All fields, by the service's own names" },
				{
					name: 'Selected Fields',
					value: 'fields',
					description: 'Only the fields that you choose',
				},
				{ name: 'Simplified', value: 'simple', description: 'The fields that people look at' },
			],
			default: 'simple',
			description: 'How much of the response the agent is given. Secrets are masked in all of it.',
			displayOptions: { show: { '@tool': [true] } },
		},
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			options: [...fields].sort().map((field) => ({ name: labelOf(field), value: field })),
			default: [],
			description: 'What the agent is given of each result',
			displayOptions: { show: { '@tool': [true], output: ['fields'] } },
		},
	];
}

/** Leaves of a tool's output what the agent is to be given (`toolOutputFields`): all of it, unless fields were chosen. */
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
