import { NodeOperationError, type INodeProperties } from 'n8n-workflow';

import { isObject } from '../api/json';
import { readId } from '../api/resources';
import type { ItemParameters } from './fields';

export const ADDRESS_AS_ID = 'This is an address, not an ID: choose it under From List';

type LocatorTexts = Pick<INodeProperties, 'displayName' | 'name' | 'description'>;

/** @param searchListMethod a function of `listSearch/` */
function locatorField(texts: LocatorTexts, searchListMethod: string): INodeProperties {
	return {
		...texts,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
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
						// n8n puts ^ and $ around it.
						properties: { regex: '[^@]*', errorMessage: ADDRESS_AS_ID },
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
							// n8n puts ^ and $ around it.
							regex: '\\s*https?://[^/?#\\s]+/(?:[^?#]*/)?[^/?#\\s]+/?\\s*(?:[?#][\\s\\S]*)?',
							errorMessage: 'The last part of the URL must be the ID',
						},
					},
				],
			},
		],
	};
}

export const identityLocator = locatorField(
	{
		displayName: 'Identity',
		name: 'identityId',
		description: 'The address or domain to use',
	},
	'searchIdentities',
);

export const webhookLocator = locatorField(
	{
		displayName: 'Webhook',
		name: 'webhookId',
		description: 'The webhook to use',
	},
	'searchWebhooks',
);

/**
 * The chosen ID. An expression for the whole field returns the ID itself.
 *
 * @throws NodeOperationError when none is chosen
 */
export function readLocator(
	{ context, parameter }: ItemParameters,
	{ name, displayName }: INodeProperties,
): string {
	const given = parameter(name, '');
	if (isAddressAsId(given)) throw new NodeOperationError(context.getNode(), ADDRESS_AS_ID);
	const id = readId(isObject(given) ? given.value : given);
	if (id !== undefined) return id;
	const located = displayName.toLowerCase();
	throw new NodeOperationError(context.getNode(), `No valid ${located} is selected`, {
		description: "Choose one under 'From List', or enter its ID or a URL that ends in the ID.",
	});
}

/** Whether an address was entered under By ID, in the editor or by an expression. */
export function isAddressAsId(locator: unknown): boolean {
	if (!isObject(locator) || locator.mode !== 'id') return false;
	return String(locator.value).includes('@');
}

/** The identity of "Receive For: One Identity". */
export function receiveForIdentity(description: string): INodeProperties {
	return {
		...identityLocator,
		description,
		displayOptions: { show: { receiveFor: ['one'] } },
	};
}

/** The name of an entry that was chosen from the list, which the editor stores with the ID. */
export function nameOfChosen(locator: unknown): string | undefined {
	if (!isObject(locator) || locator.mode !== 'list') return undefined;
	const { cachedResultName } = locator;
	if (typeof cachedResultName !== 'string' || cachedResultName === '') return undefined;
	return cachedResultName;
}
