import type { IDataObject, INodeProperties } from 'n8n-workflow';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Hides fields that do not affect the raw data. A tool has Output instead of Simplify. */
export const SIMPLIFIED_ONLY = { hide: { '/simplify': [false], '/output': ['raw'] } };

/** @param fields in the order of the editor's table */
export function pickFields(shape: object, fields: readonly string[]): IDataObject {
	const picked: IDataObject = {};
	for (const field of fields) picked[field] = (shape as IDataObject)[field];
	return picked;
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
