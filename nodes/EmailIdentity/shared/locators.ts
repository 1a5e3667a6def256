import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeProperties,
} from 'n8n-workflow';

import { readId } from '../api/resources';

/** What a locator can point to, as errors name it. */
type Located = 'identity' | 'webhook';

interface LocatorTexts {
	displayName: string;
	name: string;
	description: string;
	/** Name of the method that searches the list. */
	searchListMethod: string;
}

/** A field that finds one entry in a searchable list, by its ID or by an address that ends in the ID. */
function locatorField(texts: LocatorTexts): INodeProperties {
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
							// n8n puts ^ and $ around it.
							regex: '\\s*\\S[\\s\\S]*',
							errorMessage: 'Enter the ID as the service gave it',
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
							regex: '\\s*https?://[^/?#\\s]+/(?:[^?#]*/)?[^/?#\\s]+/?\\s*(?:[?#][\\s\\S]*)?',
							errorMessage: 'The last part of the address must be the ID',
						},
					},
				],
			},
		],
	};
}

/** Points to one identity. */
export const identityLocator = locatorField({
	displayName: 'Identity',
	name: 'identityId',
	description: 'The address or domain to use',
	searchListMethod: 'searchIdentities',
});

/**
 * Points to the one identity that "Receive For: One Identity" asks for.
 *
 * @param description what becomes of it
 */
export function receiveForIdentity(description: string): INodeProperties {
	return {
		...identityLocator,
		description,
		displayOptions: { show: { receiveFor: ['one'] } },
	};
}

/** Points to one webhook subscription. */
export const webhookLocator = locatorField({
	displayName: 'Webhook',
	name: 'webhookId',
	description: 'The webhook subscription to use',
	searchListMethod: 'searchWebhooks',
});

/**
 * What a person calls an entry that was chosen from the list; the editor stores it with the ID.
 *
 * @param parameter the field's value, as the editor stores it
 * @returns undefined for one that was chosen otherwise
 */
export function nameOfChosen(parameter: unknown): string | undefined {
	const { mode, cachedResultName } = (parameter ?? {}) as Record<string, unknown>;
	return mode === 'list' && typeof cachedResultName === 'string' && cachedResultName !== ''
		? cachedResultName
		: undefined;
}

/**
 * The ID of the chosen identity.
 *
 * @throws NodeOperationError when there is none
 */
export function readIdentityId(context: IExecuteFunctions, itemIndex: number): string {
	const parameter = context.getNodeParameter('identityId', itemIndex, '');
	return readLocator(context.getNode(), parameter, 'identity', itemIndex);
}

/**
 * The ID of the chosen webhook subscription.
 *
 * @throws NodeOperationError when there is none
 */
export function readWebhookId(context: IExecuteFunctions, itemIndex: number): string {
	const parameter = context.getNodeParameter('webhookId', itemIndex, '');
	return readLocator(context.getNode(), parameter, 'webhook', itemIndex);
}

/**
 * Reads what a locator field points to.
 *
 * @param parameter the field's value: what the editor stores, or what an expression in its place gives
 * @param itemIndex of the input item that is read for; none in a trigger
 * @returns whatever the service gave for an ID; of an address, its last path segment
 * @throws NodeOperationError when nothing was chosen or what was entered holds no ID
 */
function readLocator(
	node: INode,
	parameter: unknown,
	located: Located,
	itemIndex?: number,
): string {
	const entered =
		typeof parameter === 'object'
			? ((parameter as { value?: unknown } | null)?.value ?? '')
			: parameter;
	const id = readId(entered);
	if (id !== undefined) return id;
	const message =
		String(entered).trim() === ''
			? `No ${located} was chosen`
			: `What was entered for the ${located} is not an ID`;
	throw new NodeOperationError(node, message, {
		itemIndex,
		description: `Choose the ${located} from the list, or enter its ID as the service gave it, or an address that ends in the ID.`,
	});
}
