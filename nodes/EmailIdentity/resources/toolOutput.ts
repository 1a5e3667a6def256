import type { INodeProperties } from 'n8n-workflow';

/** How n8n words fields: short words for what is an abbreviation. */
const ABBREVIATIONS = /\b(?:Dns|Id|Url|Html|Cc)\b/g;

/** The label for a field of an output, such as `DNS Records` for `dnsRecords`. */
function labelOf(field: string): string {
	const words = field.replace(/[A-Z]/g, ' $&');
	const title = words.charAt(0).toUpperCase() + words.slice(1);
	return title.replace(ABBREVIATIONS, (word) => (word === 'Cc' ? word : word.toUpperCase()));
}

/**
 * What stands in the place of Simplify where the node is a tool (n8n's UX guidelines): fewer fields are fewer words for the
 * model to read.
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
