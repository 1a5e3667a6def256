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

/** For fields that mean nothing to the service's own data; a tool has Output in place of Simplify. */
export const SIMPLIFIED_ONLY = { hide: { '/simplify': [false], '/output': ['raw'] } };

/** Whether the node is a tool of an AI agent, so that its output goes to a model. n8n adds this to the node's type. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Whether the output has the documented shape rather than the service's own.
 *
 * @throws NodeOperationError when an expression gives neither: the service's own may hold secrets
 */
export function isSimplified(context: IExecuteFunctions, itemIndex: number): boolean {
	if (isTool(context)) return context.getNodeParameter('output', itemIndex, 'simple') !== 'raw';
	const simplify = context.getNodeParameter('simplify', itemIndex);
	return readSwitch(context.getNode(), 'Simplify', simplify, itemIndex);
}

/** Makes the output for one object of the service. */
export type ToOutput = (entry: Entry) => IDataObject;

/**
 * Reads what the output is to be like, before anything is written.
 *
 * @param toShape brings an object into the documented shape
 * @throws NodeOperationError when an expression does not say
 */
export function outputOf(
	context: IExecuteFunctions,
	itemIndex: number,
	toShape: (entry: Entry) => object,
): ToOutput {
	return isSimplified(context, itemIndex) ? (entry) => ({ ...toShape(entry) }) : (entry) => entry;
}

/** @param fields in the order in which the editor's table shows them */
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
				{ name: 'Simplified', value: 'simple', description: 'The most important fields' },
				{
					name: 'Selected Fields',
					value: 'fields',
					description: 'Only the fields that you choose',
				},
				{ name: 'Raw', value: 'raw', description: "All fields, with the service's own names" },
			],
			default: 'simple',
			description: 'How much of the response the agent receives. Secrets are always masked.',
			displayOptions: { show: { '@tool': [true] } },
		},
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			options: [...fields].sort().map((field) => ({ name: labelOf(field), value: field })),
			default: [],
			description: 'The fields of each result that the agent receives',
			displayOptions: { show: { '@tool': [true], output: ['fields'] } },
		},
	];
}

/** Leaves of a tool's output the fields that were chosen, if any were. */
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
