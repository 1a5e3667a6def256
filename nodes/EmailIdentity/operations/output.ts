import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Entry } from '../api/data/json';
import { readSwitch, type ItemParameters } from '../shared/editor/fields';

/** @param fields in the order of the editor's table */
export function pickFields(shape: object, fields: readonly string[]): IDataObject {
	const values = shape as IDataObject;
	return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

/** With labels such as `DNS Records` for `dnsRecords`. */
export function optionsOf(values: readonly string[]): INodePropertyOptions[] {
	return values.map((value) => ({ name: toLabel(value), value }));
}

function toLabel(name: string): string {
	const words = name.replace(/[A-Z]/g, ' $&');
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
				{ name: 'Selected Fields', value: 'fields', description: 'Only the fields you select' },
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
			options: optionsOf(fields.toSorted()),
			default: [],
			description: 'The fields to return to the agent',
			displayOptions: { show: { '@tool': [true], output: ['fields'] } },
		},
	];
}

/** Writes an entry of the service as an output item. */
export type ToJson = (entry: Entry) => IDataObject | Promise<IDataObject>;

/**
 * How an entry becomes an item of the output: by the field Simplify, or by Output and Fields in a tool.
 *
 * @param mask hides secrets from an agent; default: nothing is hidden
 * @throws NodeOperationError when Simplify is not a boolean, because the raw data may contain secrets
 */
export function chosenOutput(
	item: ItemParameters,
	simplify: ToJson,
	mask = (entry: Entry): Entry => entry,
): ToJson {
	if (isTool(item)) return chosenToolOutput(item, simplify, mask);
	const isSimplified = readSwitch(item, 'Simplify', item.parameter('simplify'));
	if (isSimplified) return simplify;
	return (entry) => entry;
}

/** n8n adds this suffix to the type of a node that is a tool of an AI agent. */
export function isTool({ context }: ItemParameters): boolean {
	return context.getNode().type.endsWith('Tool');
}

function chosenToolOutput(
	{ parameter }: ItemParameters,
	simplify: ToJson,
	mask: (entry: Entry) => Entry,
): ToJson {
	const choice = parameter('output', 'simple');
	if (choice === 'raw') return mask;

	const chosen = [parameter('fields', [])].flat();
	return async (entry) => {
		const json = mask(await simplify(entry));
		if (choice !== 'fields') return json;
		const fields = Object.keys(json).filter((field) => chosen.includes(field));
		return pickFields(json, fields);
	};
}
