import { sleep, type IDataObject } from 'n8n-workflow';

import { readMessage } from '../../api/data/messages';
import type { Entry } from '../../api/data/json';
import { readSwitch, readTextFormat } from '../../shared/fields';
import { toOwnIdentities, type OwnIdentities } from '../../shared/ownIdentities';
import { withEmail } from '../../shared/messageWithEmail';
import { readSimplifiedEmail } from '../../shared/simplifiedEmail';
import type { Item } from '../operation';
import { checkSenderOf } from './senderCheck';

/** The fields of the trigger, for a message of the service (contract, `GET /messages/{id}`). */
export async function readSimplifiedMessage(item: Item, entry: Entry): Promise<IDataObject> {
	const options = item.parameter('options', {}) as IDataObject;
	const { removeQuotedText = false, textFormat } = options;
	const message = withEmail(readMessage(entry), async () => await sleep(0));
	const checked = await checkSenderOf(message, item, options);
	const { json } = await readSimplifiedEmail(checked?.email ?? message, {
		// The trigger and Parse return files.
		attachments: false,
		headers: false,
		binaryPrefix: '',
		removeQuotedText: readSwitch(item, 'Remove Quoted Text', removeQuotedText),
		textFormat: readTextFormat(textFormat),
		sender: checked?.sender,
		askIdentities: async () => await askIdentities(item),
	});
	return json;
}

/** The account's identities. A request that failed is not repeated for each message. */
async function askIdentities({ service, cache }: Item): Promise<OwnIdentities | undefined> {
	return await cache.once('identities', async () => {
		try {
			return toOwnIdentities(await service.listIdentities());
		} catch {
			return undefined;
		}
	});
}
