import { NodeOperationError, sleep, type IDataObject } from 'n8n-workflow';

import { readMessage, readMessageFields, type ServiceMessage } from '../../api/messages';
import type { Entry } from '../../api/types';
import type { SenderCheck } from '../../dns/senders';
import { asSigned, openEmail, type OpenedEmail, type TextFormat } from '../../email';
import {
	dnsResolverProblem,
	readSenderCheck,
	readSwitch,
	readTextFormat,
	UNKNOWN_TEXT_FORMAT,
} from '../../shared/fields';
import { toOwnIdentities } from '../../shared/identities';
import { findRecipient, readSimplifiedEmail } from '../../shared/simplifiedEmail';
import { authenticateSender } from '../../shared/dnsAccess';
import type { Session } from '../operation';

export async function readSimplifiedMessage(
	session: Session,
	entry: Entry,
	itemIndex: number,
): Promise<IDataObject> {
	const { context, service, once } = session;
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const { removeQuotedText = false, senderCheck = 'off', textFormat = 'plain' } = options;
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
		removeQuotedText: readSwitch(
			context.getNode(),
			'Remove Quoted Text',
			removeQuotedText,
			itemIndex,
		),
		textFormat: readFormat(context, textFormat, itemIndex),
		sender: isChecked
			? await checkedSender(session, itemIndex, received, opened, options)
			: undefined,
		...(await findRecipient(received, opened, { askIdentities })),
	});
	return json;
}

/** @throws NodeOperationError when the value is unknown */
function readFormat(context: Session['context'], value: unknown, itemIndex: number): TextFormat {
	const format = readTextFormat(value);
	if (format !== undefined) return format;
	throw new NodeOperationError(context.getNode(), UNKNOWN_TEXT_FORMAT, { itemIndex });
}

async function checkedSender(
	{ context }: Session,
	itemIndex: number,
	received: ServiceMessage,
	opened: OpenedEmail,
	options: IDataObject,
): Promise<SenderCheck> {
	const dnsResolver = String(options.dnsResolver ?? '');
	const problem = dnsResolverProblem(dnsResolver);
	if (problem !== undefined)
		throw new NodeOperationError(context.getNode(), problem, { itemIndex });
	return await authenticateSender(context, received, opened, {
		dnsResolver,
		trustedServers: String(options.trustedServers ?? ''),
		logFailure: (because) =>
			context.logger.warn(`Sender Check could not query the DNS: ${because}`),
	});
}
