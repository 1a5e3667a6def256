import { NodeOperationError, type INodeProperties } from 'n8n-workflow';

import { addressKeysOf, identityKey } from '../../../lib/basics';
import { toIdentity } from '../api/data/resources';
import { enteredAddress, readLocator } from '../shared/locators';
import type { Item } from './operation';

// The address may come from an email.
const MAX_SHOWN_ADDRESS = 320;

type IdsByAddress = Map<string, string>;

/** Read once for all items. */
const IDENTITIES = 'identities by address';

/**
 * The ID of the identity that was chosen. An address is looked up in the account's list, once for all items: case makes no
 * difference, and neither does a plus tag, unless an identity has the tag itself.
 *
 * @param given the value of the field, if it is not at the top level of the node
 * @throws NodeOperationError if none is chosen, or if an address is no identity of the account
 */
export async function readChosenIdentity(
	item: Item,
	field: INodeProperties,
	given = item.parameter(field.name, ''),
): Promise<string> {
	const address = enteredAddress(given);
	if (address === undefined) return readLocator(item, field, given);
	if (address === '') {
		throw new NodeOperationError(item.context.getNode(), `No address in '${field.displayName}'`, {
			description:
				"Enter the address of an identity, or choose one under 'From List'. After the trigger, delivery.recipient is empty if the email does not say which address received it.",
		});
	}
	const ids = await item.cache.once(IDENTITIES, async () => await idsByKey(item));
	const [exact = '', untagged = ''] = addressKeysOf(address);
	const id = ids.get(exact) ?? ids.get(untagged);
	if (id !== undefined) return id;
	const shown = address.replace(/\s+/g, ' ').slice(0, MAX_SHOWN_ADDRESS);
	throw new NodeOperationError(item.context.getNode(), `No identity has the address ${shown}`, {
		description:
			"Add the address in the service, or choose another one under 'From List'. The API key must belong to the account that owns it.",
	});
}

/** Whether an address is an identity of the account, if its list was read for the sender of this item or another one. */
export function isKnownIdentity(item: Item, address: string): boolean {
	const ids = item.cache.last(IDENTITIES)?.answer as IdsByAddress | undefined;
	return ids !== undefined && addressKeysOf(address).some((key) => ids.has(key));
}

/** The first one of several with the same address. */
async function idsByKey({ service }: Item): Promise<IdsByAddress> {
	const ids = new Map<string, string>();
	for (const entry of await service.listIdentities()) {
		const { id, value } = toIdentity(entry);
		const key = identityKey(value ?? '');
		if (!ids.has(key)) ids.set(key, id);
	}
	return ids;
}
