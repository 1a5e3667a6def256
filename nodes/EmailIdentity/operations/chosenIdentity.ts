import { NodeOperationError, type INodeProperties } from 'n8n-workflow';

import { addressKeysOf, identityKey } from '../../../lib/basics';
import { toIdentity, type Identity } from '../api/data/resources';
import { cannotSend } from '../api/failures/sender';
import { enteredAddress, readLocator } from '../shared/editor/locators';
import type { Item } from './operation';

// The address may come from an email.
const MAX_SHOWN_ADDRESS = 320;

type IdentitiesByAddress = Map<string, Identity>;

/** Read once for all items. */
const IDENTITIES = 'identities by address';

/**
 * The ID of the identity that was chosen. An address is looked up in the account's list, once for all items: case makes no
 * difference, and neither does a plus tag, unless an identity has the tag itself.
 *
 * @param given the value of the field, if it is not at the top level of the node
 * @param check throws if the identity of that address may not be chosen; an ID is not looked up
 * @throws NodeOperationError if none is chosen, or if an address is no identity of the account
 */
export async function readChosenIdentity(
	item: Item,
	field: INodeProperties,
	given = item.parameter(field.name, ''),
	check?: (identity: Identity, address: string) => void,
): Promise<string> {
	const address = enteredAddress(given);
	if (address === undefined) return readLocator(item, field, given);
	const identity = await findByAddress(item, field, address);
	check?.(identity, address);
	return identity.id;
}

/**
 * The same for an identity that sends an email.
 *
 * @param given the value of the field
 * @throws NodeOperationError also if the account's list shows that it cannot send
 */
export async function readSendingIdentity(
	item: Item,
	field: INodeProperties,
	given: unknown,
): Promise<string> {
	return await readChosenIdentity(item, field, given, (identity, address) => {
		const problem = cannotSend(identity);
		if (problem === undefined) return;
		throw new NodeOperationError(item.context.getNode(), problem.message, {
			description: `'${field.displayName}' is ${addressInError(address)}. ${problem.description}`,
		});
	});
}

async function findByAddress(
	item: Item,
	field: INodeProperties,
	address: string,
): Promise<Identity> {
	if (address === '') {
		throw new NodeOperationError(item.context.getNode(), `No address in '${field.displayName}'`, {
			description:
				"Enter the address of an identity, or choose one under 'From List'. After the trigger, delivery.recipient is empty if the email does not say which address received it.",
		});
	}
	const identities = await item.cache.once(IDENTITIES, async () => await identitiesByKey(item));
	const [exact = '', untagged = ''] = addressKeysOf(address);
	const identity = identities.get(exact) ?? identities.get(untagged);
	if (identity !== undefined) return identity;
	const shown = addressInError(address);
	throw new NodeOperationError(item.context.getNode(), `No identity has the address ${shown}`, {
		description:
			"Add the address in the service, or choose another one under 'From List'. The API key must belong to the account that owns it.",
	});
}

function addressInError(address: string): string {
	return address.replace(/\s+/g, ' ').slice(0, MAX_SHOWN_ADDRESS);
}

/** Whether an address is an identity of the account, if its list was read for the sender of this item or another one. */
export function isKnownIdentity(item: Item, address: string): boolean {
	const identities = item.cache.last(IDENTITIES)?.answer as IdentitiesByAddress | undefined;
	return identities !== undefined && addressKeysOf(address).some((key) => identities.has(key));
}

/** The first one of several with the same address. */
async function identitiesByKey({ service }: Item): Promise<IdentitiesByAddress> {
	const identities = new Map<string, Identity>();
	for (const entry of await service.listIdentities()) {
		const identity = toIdentity(entry);
		const key = identityKey(identity.value ?? '');
		if (key !== '' && !identities.has(key)) identities.set(key, identity);
	}
	return identities;
}
