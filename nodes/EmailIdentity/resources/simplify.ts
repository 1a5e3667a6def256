import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Entry } from '../api/types';
import { readSwitch } from '../shared/fields';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Hides fields that do not affect the raw data. A tool has Output instead of Simplify. */
export const SIMPLIFIED_ONLY = { hide: { '/simplify': [false], '/output': ['raw'] } };

/** Whether the node is a tool of an AI agent. n8n adds this suffix to the node's type. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** @throws NodeOperationError when the value is not a boolean, because the raw data may contain secrets */
export function isSimplified(context: IExecuteFunctions, itemIndex: number): boolean {
	if (isTool(context)) return context.getNodeParameter('output', itemIndex, 'simple') !== 'raw';
	const simplify = context.getNodeParameter('simplify', itemIndex);
	return readSwitch(context.getNode(), 'Simplify', simplify, itemIndex);
}

export type ToOutput = (entry: Entry) => IDataObject;

/** @param toShape makes the simplified output */
export function outputOf(
	context: IExecuteFunctions,
	itemIndex: number,
	toShape: (entry: Entry) => object,
): ToOutput {
	return isSimplified(context, itemIndex) ? (entry) => ({ ...toShape(entry) }) : (entry) => entry;
}

/** @param fields in the order of the editor's table */
export function pickFields<Shape extends object, Field extends keyof Shape>(
	shape: Shape,
	fields: readonly Field[],
): Pick<Shape, Field> {
	return Object.fromEntries(fields.map((field) => [field, shape[field]])) as Pick<Shape, Field>;
}

/** The label for a field of an output, such as `DNS Records` for `dnsRecords`. */
function labelOf(field: string): string {
	const words = field.replace(/[A-Z]/g, ' $&');
	const title = words.charAt(0).toUpperCase() + words.slice(1);
	return title.replace(/\b(?:Dns|Id|Url|Html)\b/g, (word) => word.toUpperCase());
}

/** The fields of a tool instead of Simplify (n8n's UX guidelines), so that the model reads less. */
export function toolOutputFields(fields: readonly string[]): INodeProperties[] {
	return [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{ name: 'Simplified', value: 'simple', description: 'The most important fields' },
				{
					name: 'Selected Fields',
					value: 'fields',
					description: 'Only the fields you select',
				},
				{ name: 'Raw', value: 'raw', description: "All fields, with the service's own names" },
			],
			default: 'simple',
			description: 'How much of the response to return to the agent. Secrets are always masked.',
			displayOptions: { show: { '@tool': [true] } },
		},
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			options: [...fields].sort().map((field) => ({ name: labelOf(field), value: field })),
			default: [],
			description: 'The fields to return to the agent',
			displayOptions: { show: { '@tool': [true], output: ['fields'] } },
		},
	];
}

/** Reduces a tool's output to the selected fields. */
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
