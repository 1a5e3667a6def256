import { NodeOperationError, type INodeProperties, type IExecuteFunctions } from 'n8n-workflow';

import { readUuid, UUID_PATTERN } from '../../api/identifiers';

interface LocatorTexts {
	displayName: string;
	name: string;
	description: string;
	/** Name of the method that searches the list. */
	searchListMethod: string;
}

/** A field that finds one entry in a searchable list, by its ID or by an address that ends in the ID. */
export function locatorField(texts: LocatorTexts): INodeProperties {
	const { displayName, name, description, searchListMethod } = texts;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: `^\\s*(?:\\S*/)?${UUID_PATTERN}/?\\s*$`,
							errorMessage: 'An ID is a UUID such as 1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11',
						},
					},
				],
			},
			{
				displayName: 'By URL',
				name: 'url',
				type: 'string',
				placeholder: 'e.g. https://mail.example.com/1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: `^\\s*https?://[^?#]*/${UUID_PATTERN}/?(?:[?#].*)?$`,
							errorMessage: 'The last part of the address must be the ID',
						},
					},
				],
			},
		],
	};
}

/**
 * Reads what a locator field points to.
 *
 * @param name the field's name
 * @param what the thing it points to, for the error: `identity`, `webhook`
 * @returns the UUID in lower case
 * @throws NodeOperationError when nothing was chosen or what was entered holds no UUID
 */
export function readLocator(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
	what: string,
): string {
	const parameter = context.getNodeParameter(name, itemIndex, '') as
		{ value?: unknown } | string | null;
	const entered = typeof parameter === 'object' ? (parameter?.value ?? '') : parameter;
	const id = readUuid(entered);
	if (id !== undefined) return id;
	const message =
		String(entered).trim() === ''
			? `No ${what} was chosen`
			: `What was entered for the ${what} is not an ID`;
	throw new NodeOperationError(context.getNode(), message, {
		itemIndex,
		description: `Choose the ${what} from the list, or enter its ID: a UUID such as 1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11, or an address that ends in it.`,
	});
}
