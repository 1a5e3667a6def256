import { NodeOperationError, sleep, type IDataObject } from 'n8n-workflow';

import { readMessage, readMessageFields, type ServiceMessage } from '../../api/messages';
import type { Entry } from '../../api/types';
import type { SenderCheck } from '../../dns/senders';
import { asSigned, openEmail, type OpenedEmail } from '../../email';
import { LogThrottle } from '../../lib/logThrottle';
import { dnsResolverProblem, readSenderCheck, readTextFormat } from '../../shared/fields';
import { toOwnIdentities } from '../../shared/identities';
import { findRecipient, readSimplifiedEmail } from '../../shared/simplifiedEmail';
import { authenticateSender } from '../../shared/dnsAccess';
import { readSwitch, type Item } from '../item';

export async function readSimplifiedMessage(item: Item, entry: Entry): Promise<IDataObject> {
	const { service, once } = item;
	const options = item.parameter('options', {}) as IDataObject;
	const { removeQuotedText = false, senderCheck = 'off', textFormat } = options;
	const received = readMessage(entry);
	const { rawEmail = '' } = received;
	const isChecked = readSenderCheck(senderCheck) !== 'off';
	const opened = await openEmail(isChecked ? asSigned(rawEmail) : rawEmail, {
		known: () => readMessageFields(received.message),
		pause: async () => await sleep(0),
	});
	// A failed request is not repeated for each message.
	const askIdentities = async () =>
		await once(
			'identities',
			async () => await service.listIdentities().then(toOwnIdentities, () => undefined),
		);
	const { json } = await readSimplifiedEmail(received, opened, {
		// Only the trigger returns files.
		...{ attachments: false, headers: false, binaryPrefix: '' },
		removeQuotedText: readSwitch(item, 'Remove Quoted Text', removeQuotedText),
		textFormat: readTextFormat(textFormat),
		sender: isChecked ? await checkedSender(item, received, opened, options) : undefined,
		...(await findRecipient(received, opened, { askIdentities })),
	});
	return json;
}

const logThrottle = new LogThrottle();

async function checkedSender(
	{ context }: Item,
	received: ServiceMessage,
	opened: OpenedEmail,
	{ dnsResolver, trustedServers }: IDataObject,
): Promise<SenderCheck> {
	const fields = {
		dnsResolver: String(dnsResolver ?? ''),
		trustedServers: String(trustedServers ?? ''),
	};
	const problem = dnsResolverProblem(fields.dnsResolver);
	if (problem !== undefined) throw new NodeOperationError(context.getNode(), problem);
	const check = await authenticateSender(context, received, opened, fields);
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
