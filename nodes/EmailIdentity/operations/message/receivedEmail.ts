import { NodeOperationError, sleep, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import type { Entry } from '../../api/data/json';
import { readMessage } from '../../api/data/messages';
import { LogThrottle } from '../../../../lib/basics';
import { decodeRawEmail, type ReadEmailOptions } from '../../../../lib/email';
import {
	DEFAULT_ATTACHMENT_PREFIX,
	readSenderCheck,
	readSwitch,
	readTextField,
	readTextFormat,
} from '../../shared/editor/fields';
import {
	authenticateSender,
	senderCheckProblem,
	type CheckedMessage,
} from '../../shared/reading/authenticateSender';
import { withEmail, type MessageWithEmail } from '../../shared/reading/messageWithEmail';
import { toOwnIdentities, type OwnIdentities } from '../../shared/reading/ownIdentities';
import { prepareFiles, readSimplifiedEmail } from '../../shared/reading/simplifiedEmail';
import type { Item } from '../operation';
import { rawEmailProblem, withoutMailboxLine } from './rawEmailProblem';

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

/**
 * Reads the raw email of an input item.
 *
 * @returns the trigger's item; `delivery.id` is null, and the recipient is known only if a header says it
 * @throws NodeOperationError if there is no email, or something else
 */
export async function parseEmail(item: Item): Promise<INodeExecutionData> {
	const options = item.parameter('options', {}) as IDataObject;
	const reading = readParseOptions(item, options);
	const sent = messageOf(await readRawEmail(item));
	const checked = await checkSenderOf(sent, item, options);
	const { json, files } = await readSimplifiedEmail(checked?.email ?? sent, {
		...reading,
		sender: checked?.sender,
		// The service is not asked: no address counts as one's own.
		askIdentities: async () => undefined,
	});
	if (files.length === 0) return { json };
	const { prepareBinaryData } = item.context.helpers;
	return { json, binary: await prepareFiles(files, prepareBinaryData) };
}

/** @throws NodeOperationError if a switch is neither true nor false */
function readParseOptions(item: Item, options: IDataObject): ReadEmailOptions {
	const {
		attachmentPrefix = DEFAULT_ATTACHMENT_PREFIX,
		includeHeaders = false,
		removeQuotedText = false,
		textFormat,
	} = options;
	const attachments = item.parameter('downloadAttachments', true);
	return {
		attachments: readSwitch(item, 'Download Attachments', attachments),
		headers: readSwitch(item, 'Include Headers', includeHeaders),
		binaryPrefix: String(attachmentPrefix ?? '').trim(),
		removeQuotedText: readSwitch(item, 'Remove Quoted Text', removeQuotedText),
		textFormat: readTextFormat(textFormat),
	};
}

async function readRawEmail(item: Item): Promise<string> {
	const { context, index } = item;
	const bytes = await readInput(item);
	const problem = rawEmailProblem(bytes);
	if (problem === undefined) return decodeRawEmail(withoutMailboxLine(bytes));
	throw new NodeOperationError(context.getNode(), problem.message, {
		description: problem.description,
		itemIndex: index,
	});
}

async function readInput(item: Item): Promise<Buffer> {
	const { context, index, parameter } = item;
	if (parameter('source', 'binary') === 'text') {
		return Buffer.from(readTextField(item, 'Raw Email', parameter('rawEmail', '')));
	}
	const field = parameter('binaryPropertyName', 'data') as string;
	context.helpers.assertBinaryData(index, field);
	return await context.helpers.getBinaryDataBuffer(index, field);
}

function messageOf(rawEmail: string): MessageWithEmail {
	return withEmail({ id: null, message: {}, rawEmail }, async () => await sleep(0));
}

const logThrottle = new LogThrottle();

/**
 * Checks the sender of a message if the option Sender Check is on.
 *
 * @returns undefined if it is off
 * @throws NodeOperationError if DNS Resolver or Trusted Mail Servers cannot be used, or if the execution was cancelled
 */
async function checkSenderOf(
	message: MessageWithEmail,
	item: Item,
	options: IDataObject,
): Promise<CheckedMessage | undefined> {
	const { context } = item;
	// Unlike the trigger, an operation that adds nothing must be asked for.
	if (readSenderCheck(options.senderCheck ?? 'off') === 'off') return undefined;
	const settings = {
		dnsResolver: String(options.dnsResolver ?? ''),
		trustedServers: String(options.trustedServers ?? ''),
	};
	const problem = senderCheckProblem(settings);
	if (problem !== undefined) throw new NodeOperationError(context.getNode(), problem);
	const checked = await authenticateSender(context, message, settings);
	if (checked.sender.retryable) warnOfDns(context, checked.sender.because);
	return checked;
}

function warnOfDns(context: Item['context'], because = ''): void {
	const node = context.getNode();
	const workflow = context.getWorkflow();
	if (logThrottle.pass(workflow.id, node.id) === undefined) return;
	const workflowName = workflow.name ?? workflow.id;
	const subject = `Email Identity "${node.name}" of workflow "${workflowName}"`;
	context.logger.warn(`${subject}: 'Sender Check' could not query the DNS: ${because}`);
}
