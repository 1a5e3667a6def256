import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeProperties,
} from 'n8n-workflow';

import { readFlag, readId } from '../api/resources';

type LocatorTexts = Pick<INodeProperties, 'displayName' | 'name' | 'description'>;

/** A field to choose an entry from a searchable list, by its ID or by a URL that ends in the ID. */
const locatorField = (texts: LocatorTexts, searchListMethod: string): INodeProperties => ({
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
					properties: {
						// n8n puts ^ and $ around it.
						regex: '\\s*\\S[\\s\\S]*',
						errorMessage: 'Enter the ID from the service',
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
						errorMessage: 'The last part of the URL must be the ID',
					},
				},
			],
		},
	],
});

export const identityLocator = locatorField(
	{ displayName: 'Identity', name: 'identityId', description: 'The address or domain to use' },
	'searchIdentities',
);

export const webhookLocator = locatorField(
	{ displayName: 'Webhook', name: 'webhookId', description: 'The webhook to use' },
	'searchWebhooks',
);

/** The identity of "Receive For: One Identity". */
export const receiveForIdentity = (description: string): INodeProperties => ({
	...identityLocator,
	description,
	displayOptions: { show: { receiveFor: ['one'] } },
});

/** The name of an entry that was chosen from the list, which the editor stores with the ID. */
export function nameOfChosen(locator: unknown): string | undefined {
	const { mode, cachedResultName } = (locator ?? {}) as Record<string, unknown>;
	return mode === 'list' && typeof cachedResultName === 'string' && cachedResultName !== ''
		? cachedResultName
		: undefined;
}

/** @throws NodeOperationError when none is chosen */
export const readIdentityId = (context: IExecuteFunctions, itemIndex: number): string =>
	readLocator(context, itemIndex, identityLocator);

/** @throws NodeOperationError when none is chosen */
export const readWebhookId = (context: IExecuteFunctions, itemIndex: number): string =>
	readLocator(context, itemIndex, webhookLocator);

function readLocator(
	context: IExecuteFunctions,
	itemIndex: number,
	{ name, displayName }: INodeProperties,
): string {
	// An expression for the whole field returns the ID itself.
	const given = context.getNodeParameter(name, itemIndex, '') as unknown;
	const entered =
		typeof given === 'object' ? ((given as { value?: unknown } | null)?.value ?? '') : given;
	const id = readId(entered);
	if (id !== undefined) return id;
	const located = displayName.toLowerCase();
	const message =
		String(entered).trim() === ''
			? `No ${located} is selected`
			: `The value for the ${located} is not an ID`;
	throw new NodeOperationError(context.getNode(), message, {
		itemIndex,
		description: `Choose the ${located} from the list, or enter its ID or a URL that ends in the ID.`,
	});
}

/**
 * Reads a switch. n8n does not convert the value of an expression, such as `TRUE` from a spreadsheet or 1.
 *
 * @param label the switch's name in the editor
 * @throws NodeOperationError when the value is neither true nor false, because a guess might be wrong
 */
export function readSwitch(node: INode, label: string, value: unknown, itemIndex: number): boolean {
	const flag = readFlag(value);
	if (flag !== null) return flag;
	throw new NodeOperationError(node, `${label} must be true or false`, {
		itemIndex,
		description: 'Set it to a fixed value, or use an expression that returns true or false.',
	});
}
