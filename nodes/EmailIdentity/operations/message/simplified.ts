import { NodeOperationError, sleep, type IDataObject } from 'n8n-workflow';

import { readMessage } from '../../api/messages';
import type { Entry } from '../../api/json';
import { LogThrottle } from '../../../../lib/basics';
import {
	readSenderCheck,
	readTextFormat,
	senderCheckProblem,
	readSwitch,
} from '../../shared/fields';
import { toOwnIdentities } from '../../shared/identities';
import { withEmail, type MessageWithEmail } from '../../shared/messageWithEmail';
import { readSimplifiedEmail } from '../../shared/simplifiedEmail';
import { authenticateSender, type CheckedMessage } from '../../shared/dnsAccess';
import type { Item } from '../runOperation';

export async function readSimplifiedMessage(item: Item, entry: Entry): Promise<IDataObject> {
	const { service, cache } = item;
	const options = item.parameter('options', {}) as IDataObject;
	const { removeQuotedText = false, senderCheck = 'off', textFormat } = options;
	const isChecked = readSenderCheck(senderCheck) !== 'off';
	const message = withEmail(readMessage(entry), async () => await sleep(0));
	const { sender, email } = isChecked
		? await checkedMessage(item, message, options)
		: { sender: undefined, email: message };
	// A failed request is not repeated for each message.
	const askIdentities = async () =>
		await cache.once(
			'identities',
			async () => await service.listIdentities().then(toOwnIdentities, () => undefined),
		);
	const { json } = await readSimplifiedEmail(email, {
		// Only the trigger returns files.
		attachments: false,
		headers: false,
		binaryPrefix: '',
		removeQuotedText: readSwitch(item, 'Remove Quoted Text', removeQuotedText),
		textFormat: readTextFormat(textFormat),
		sender,
		askIdentities,
	});
	return json;
}

const logThrottle = new LogThrottle();

async function checkedMessage(
	{ context }: Item,
	message: MessageWithEmail,
	{ dnsResolver, trustedServers }: IDataObject,
): Promise<CheckedMessage> {
	const fields = {
		dnsResolver: String(dnsResolver ?? ''),
		trustedServers: String(trustedServers ?? ''),
	};
	const problem = senderCheckProblem(fields);
	if (problem !== undefined) throw new NodeOperationError(context.getNode(), problem);
	const checked = await authenticateSender(context, message, fields);
	if (checked.sender.retryable) warnOfDns(context, checked.sender.because);
	return checked;
}

function warnOfDns(context: Item['context'], because = ''): void {
	const { id, name } = context.getNode();
	const { id: workflowId, name: workflow } = context.getWorkflow();
	if (logThrottle.pass(workflowId, id) === undefined) return;
	const subject = `Email Identity "${name}" of workflow "${workflow ?? workflowId}"`;
	context.logger.warn(`${subject}: 'Sender Check' could not query the DNS: ${because}`);
}
