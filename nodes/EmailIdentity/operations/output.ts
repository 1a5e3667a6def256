import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Entry } from '../api/json';
import { readSwitch, type ItemParameters } from '../shared/fields';

/** @param fields in the order of the editor's table */
export function pickFields(shape: object, fields: readonly string[]): IDataObject {
	return Object.fromEntries(fields.map((field) => [field, (shape as IDataObject)[field]]));
}

/** With labels such as `DNS Records` for `dnsRecords`. */
export function optionsOf(values: readonly string[]): INodePropertyOptions[] {
	return values.map((value) => {
		const words = value.replace(/[A-Z]/g, ' $&');
		const title = words.charAt(0).toUpperCase() + words.slice(1);
		const name = title.replace(/\b(?:Dns|Id|Url|Html)\b/g, (word) => word.toUpperCase());
		return { name, value };
	});
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
 * What an item returns, by its field Simplify, or by Output and Fields in a tool.
 *
 * @throws NodeOperationError when Simplify is not a boolean, because the raw data may contain secrets
 */
export function chosenOutput(
	item: ItemParameters,
	simplify: ToJson,
	mask = (entry: Entry): Entry => entry,
): ToJson {
	const { context, parameter } = item;
	// n8n adds this suffix to the type of a node that is a tool of an AI agent.
	if (!context.getNode().type.endsWith('Tool')) {
		if (readSwitch(item, 'Simplify', parameter('simplify'))) return simplify;
		return (entry) => entry;
	}
	const choice = parameter('output', 'simple');
	if (choice === 'raw') return mask;
	const chosen = [parameter('fields', [])].flat();
	const isChosen = (field: string) => choice !== 'fields' || chosen.includes(field);
	return async (entry) => {
		const json = mask(await simplify(entry));
		return pickFields(json, Object.keys(json).filter(isChosen));
	};
}
