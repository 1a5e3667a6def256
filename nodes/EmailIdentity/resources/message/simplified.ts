import { NodeOperationError, sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { readMessage, readMessageFields, type ServiceMessage } from '../../api/messages';
import type { Entry } from '../../api/types';
import type { Authentication } from '../../dns/senders/result';
import { asSigned, openEmail, type OpenedEmail } from '../../email';
import { dnsResolverProblem } from '../../shared/dnsResolver';
import { findRecipient } from '../../shared/recipient';
import { authenticateSender } from '../../shared/senderAuthentication';
import { readSimplifiedEmail } from '../../shared/simplifiedEmail';
import { readSwitch } from '../../shared/switches';
import type { Session } from '../operation';

/** An action gives what is in the message; its files are the trigger's business. */
const READING = { attachments: false, headers: false, binaryPrefix: '' };

/** Reads a message into the documented output, with what the user asks for. */
export async function readSimplifiedMessage(
	{ context, ownIdentities }: Session,
	entry: Entry,
	itemIndex: number,
): Promise<IDataObject> {
	const received = readMessage(entry);
	const isChecked = readSwitch(
		context.getNode(),
		'Check Sender',
		context.getNodeParameter('checkSender', itemIndex, false),
		itemIndex,
	);
	const { rawEmail = '' } = received;
	const opened = await openEmail(isChecked ? asSigned(rawEmail) : rawEmail, {
		known: () => readMessageFields(received.message),
		pause: async () => await sleep(0),
	});
	const removeQuotedText = readSwitch(
		context.getNode(),
		'Remove Quoted Text',
		context.getNodeParameter('removeQuotedText', itemIndex, false),
		itemIndex,
	);
	const { json } = await readSimplifiedEmail(received, opened, {
		...READING,
		removeQuotedText,
		authentication: isChecked
			? await checkedSender(context, itemIndex, received, opened)
			: undefined,
		recipient: await findRecipient(received, opened, { askIdentities: ownIdentities }),
	});
	return json;
}

/** @throws NodeOperationError when the DNS cannot be asked as the user wants it */
async function checkedSender(
	context: IExecuteFunctions,
	itemIndex: number,
	received: ServiceMessage,
	opened: OpenedEmail,
): Promise<Authentication> {
	const fields = {
		dnsResolver: String(context.getNodeParameter('dnsResolver', itemIndex, '')),
		trustedServers: String(context.getNodeParameter('trustedServers', itemIndex, '')),
	};
	const problem = dnsResolverProblem(fields.dnsResolver);
	if (problem !== undefined)
		throw new NodeOperationError(context.getNode(), problem, { itemIndex });
	const logFailure = (because: string) =>
		context.logger.warn(`Check Sender could not ask the DNS: ${because}`);
	const check = await authenticateSender(context, received, opened, { ...fields, logFailure });
	return check.authentication;
}
