import { NodeOperationError, sleep, type IDataObject } from 'n8n-workflow';

import { readMessage } from '../../api/messages';
import type { Entry } from '../../api/json';
import type { SenderCheck } from '../../../../lib/proof';
import { LogThrottle } from '../../../../lib/basics';
import {
	readSenderCheck,
	readTextFormat,
	senderCheckProblem,
	readSwitch,
} from '../../shared/fields';
import { toOwnIdentities } from '../../shared/identities';
import { withEmail, type MessageWithEmail } from '../../shared/messageWithEmail';
import { findRecipient, readSimplifiedEmail } from '../../shared/simplifiedEmail';
import { authenticateSender } from '../../shared/dnsAccess';
import type { Item } from '../runOperation';

export async function readSimplifiedMessage(item: Item, entry: Entry): Promise<IDataObject> {
	const { service, once } = item;
	const options = item.parameter('options', {}) as IDataObject;
	const { removeQuotedText = false, senderCheck = 'off', textFormat } = options;
	const isChecked = readSenderCheck(senderCheck) !== 'off';
	const email = withEmail(readMessage(entry), isChecked, async () => await sleep(0));
	const { received } = email;
	const sender = isChecked ? await checkedSender(item, email, options) : undefined;
	const { content } = sender ?? {};
	const opened = await (content ? email.withContent(content) : email).open();
	// A failed request is not repeated for each message.
	const askIdentities = async () =>
		await once(
			'identities',
			async () => await service.listIdentities().then(toOwnIdentities, () => undefined),
		);
	const { json } = await readSimplifiedEmail(received, opened, {
		// Only the trigger returns files.
		attachments: false,
		headers: false,
		binaryPrefix: '',
		removeQuotedText: readSwitch(item, 'Remove Quoted Text', removeQuotedText),
		textFormat: readTextFormat(textFormat),
		sender,
		...(await findRecipient(received, opened, { askIdentities })),
	});
	return json;
}

const logThrottle = new LogThrottle();

async function checkedSender(
	{ context }: Item,
	email: MessageWithEmail,
	{ dnsResolver, trustedServers }: IDataObject,
): Promise<SenderCheck> {
	const fields = {
		dnsResolver: String(dnsResolver ?? ''),
		trustedServers: String(trustedServers ?? ''),
	};
	const problem = senderCheckProblem(fields);
	if (problem !== undefined) throw new NodeOperationError(context.getNode(), problem);
	const check = await authenticateSender(context, email.text(), await email.open(), fields);
	if (check.retryable) warnOfDns(context, check.because);
	return check;
}

function warnOfDns(context: Item['context'], because = ''): void {
	const { id, name } = context.getNode();
	const { id: workflowId, name: workflow } = context.getWorkflow();
	if (logThrottle.pass(workflowId, id) === undefined) return;
	const subject = `Email Identity "${name}" of workflow "${workflow ?? workflowId}"`;
	context.logger.warn(`${subject}: Sender Check could not query the DNS: ${because}`);
}
