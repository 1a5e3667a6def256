import type { INodeProperties } from 'n8n-workflow';

/**
 * The expression for a node's subtitle on the canvas: the labels of what was chosen in drop-downs. n8n's own
 * nodes show the values there, such as `getAll`.
 *
 * @param names of the parameters; drop-downs may share a name where the same value has the same label
 * @param fields among which the drop-downs are
 * @returns what gives nothing for a parameter whose value is an expression: the canvas cannot know it
 */
export function subtitleOf(names: string[], fields: INodeProperties[]): string {
	const labels = names.map((name) => `${labelsOf(name, fields)}[$parameter.${name}]`);
	return `={{ [${labels.join(', ')}].filter((label) => label).join(': ') }}`;
}

function labelsOf(name: string, fields: INodeProperties[]): string {
	const options = fields
		.filter((field) => field.name === name)
		.flatMap((field) => field.options ?? [])
		.flatMap((option) => ('value' in option ? [[option.value, option.name]] : []));
	return JSON.stringify(Object.fromEntries(options));
}
