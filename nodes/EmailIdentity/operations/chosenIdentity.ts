import { NodeOperationError, type INodeProperties } from 'n8n-workflow';

import { identityKey, identityKeysOf } from '../../../lib/basics';
import { toIdentity } from '../api/data/resources';
import { enteredAddress, readLocator } from '../shared/locators';
import type { Item } from './operation';

// The address may come from an email.
const MAX_SHOWN_ADDRESS = 320;

/**
 * The ID of the identity that was chosen. An address is looked up in the account's list, once for all items: case makes no
 * difference, and neither does a plus tag, unless an identity has the tag itself.
 *
 * @throws NodeOperationError if none is chosen, or if an address is no identity of the account
 */
export async function readChosenIdentity(item: Item, field: INodeProperties): Promise<string> {
	const address = enteredAddress(item.parameter(field.name, ''));
	if (address === undefined) return readLocator(item, field);
	if (address === '') {
		throw new NodeOperationError(item.context.getNode(), `No address in '${field.displayName}'`, {
			description:
				"Enter the address of an identity, or choose one under 'From List'. After the trigger, delivery.recipient is empty if the email does not say which address received it.",
		});
	}
	const ids = await item.cache.once('identities by address', async () => await idsByKey(item));
	const [exact = '', untagged = ''] = identityKeysOf(address);
	const id = ids.get(exact) ?? ids.get(untagged);
	if (id !== undefined) return id;
	const shown = address.replace(/\s+/g, ' ').slice(0, MAX_SHOWN_ADDRESS);
	throw new NodeOperationError(item.context.getNode(), `No identity has the address ${shown}`, {
		description:
			"Add the address in the service, or choose another one under 'From List'. The API key must belong to the account that owns it.",
	});
}

/** The first one of several with the same address. */
async function idsByKey({ service }: Item): Promise<Map<string, string>> {
	const ids = new Map<string, string>();
	for (const entry of await service.listIdentities()) {
		const { id, value } = toIdentity(entry);
		const key = identityKey(value ?? '');
		if (!ids.has(key)) ids.set(key, id);
	}
	return ids;
}
