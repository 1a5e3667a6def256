import { NodeOperationError, type INodeProperties } from 'n8n-workflow';

import { isObject } from '../../api/data/json';
import { readId } from '../../api/data/resources';
import type { ItemParameters } from './fields';

export const ADDRESS_AS_ID = 'This is an address, not an ID: choose it under From List';

type LocatorTexts = Pick<INodeProperties, 'displayName' | 'name' | 'description'>;

/** The ways to choose besides From List. */
const OTHER_MODES: Required<Pick<INodeProperties, 'modes'>> = {
	modes: [
		{
			displayName: 'By Email',
			name: 'address',
			type: 'string',
			placeholder: 'e.g. sales@example.com',
			validation: [
				{
					type: 'regex',
					// n8n puts ^ and $ around it.
					properties: { regex: '[^@]+@[^@]+', errorMessage: 'This is not an address' },
				},
			],
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
	],
};

/**
 * @param searchListMethod a function of `listSearch/`
 * @param names of the other modes
 */
function locatorField(
	texts: LocatorTexts,
	searchListMethod: string,
	names: readonly string[],
): INodeProperties {
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
			...OTHER_MODES.modes.filter(({ name }) => names.includes(name)),
		],
	};
}

const IDENTITY_TEXTS: LocatorTexts = {
	displayName: 'Identity',
	name: 'identityId',
	description: 'The address or domain to use',
};

/** Of the action node; read it with `readChosenIdentity`. */
export const identityLocator = locatorField(IDENTITY_TEXTS, 'searchIdentities', ['address', 'id']);

/** Of the operations that send; read it with `readSendingIdentity`. */
export const senderLocator = locatorField(
	{ ...IDENTITY_TEXTS, displayName: 'From', description: 'The address that sends the email' },
	'searchSenders',
	['address', 'id'],
);

/** Of the trigger, which restricts its webhook to an ID. */
const restrictionLocator = locatorField(IDENTITY_TEXTS, 'searchIdentities', ['id']);

export const webhookLocator = locatorField(
	{
		displayName: 'Webhook',
		name: 'webhookId',
		description: 'The webhook to use',
	},
	'searchWebhooks',
	['id'],
);

/**
 * The chosen ID. An expression for the whole field returns the ID itself.
 *
 * @param given the value of the field, if it is not at the top level of the node
 * @throws NodeOperationError when none is chosen
 */
export function readLocator(
	{ context, parameter }: ItemParameters,
	{ name, displayName }: INodeProperties,
	given = parameter(name, ''),
): string {
	if (isAddressAsId(given)) throw new NodeOperationError(context.getNode(), ADDRESS_AS_ID);
	const id = readId(isObject(given) ? given.value : given);
	if (id !== undefined) return id;
	const located = displayName.toLowerCase();
	throw new NodeOperationError(context.getNode(), `No valid ${located} is selected`, {
		description: "Choose one under 'From List', or enter its ID.",
	});
}

/** Whether an address was entered under By ID, in the editor or by an expression. */
export function isAddressAsId(locator: unknown): boolean {
	if (!isObject(locator) || locator.mode !== 'id') return false;
	return String(locator.value).includes('@');
}

const FOR_ONE: INodeProperties['displayOptions'] = { show: { receiveFor: ['one'] } };

/** The identity of "Receive For: One Identity" in the action node. */
export const receiveForLocator: INodeProperties = { ...identityLocator, displayOptions: FOR_ONE };

/** The same in the trigger. */
export const triggerIdentityLocator: INodeProperties = {
	...restrictionLocator,
	description: 'The address or domain whose emails start the workflow',
	displayOptions: FOR_ONE,
};

/** An address that was entered under By Email, or that an expression for the whole field returns; undefined for an ID. */
export function enteredAddress(locator: unknown): string | undefined {
	const isByAddress = isObject(locator) && locator.mode === 'address';
	const value = isObject(locator) ? locator.value : locator;
	const entered = typeof value === 'string' ? value.trim() : '';
	if (isByAddress || (!isObject(locator) && entered.includes('@'))) return entered;
	return undefined;
}

/** The name of an entry that was chosen from the list, which the editor stores with the ID. */
export function nameOfChosen(locator: unknown): string | undefined {
	if (!isObject(locator) || locator.mode !== 'list') return undefined;
	const { cachedResultName } = locator;
	if (typeof cachedResultName !== 'string' || cachedResultName === '') return undefined;
	return cachedResultName;
}
