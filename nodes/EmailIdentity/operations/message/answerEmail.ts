import { NodeOperationError } from 'n8n-workflow';

import { mayHaveBeenDone } from '../../api/failures/errors';
import { readTextField } from '../../shared/editor/fields';
import { isKnownIdentity } from '../chosenIdentity';
import type { Item, PreparedEmail, SendingResult } from '../operation';
import { isTool } from '../output';
import {
	digestOf,
	readContent,
	readToAddress,
	readSender,
	readSubjectLine,
	toOutgoingEmail,
	type EmailContent,
	type Sender,
} from './emailContent';
import { mayReply, takeBackReply } from './replyBrake';
import { sendReply } from './sendReply';
import { notSent, sampleResult, sentAs } from './sentEmail';
import { findStartingEmail, isStartedBySample } from './startingEmail';

/** A reply that was checked. */
interface Reply {
	/** The service's ID of the email that is answered; null if unknown. */
	messageId: string | null;
	/** What tells the answered email from others in the same run. */
	email: unknown;
	sender: Sender;
	to: string;
	/** '' if the service makes it itself. */
	subject: string;
	content: EmailContent;
}

/** Checks a reply to the email that started the workflow, or to another one. */
export async function prepareReply(item: Item): Promise<PreparedEmail> {
	if (answersAnother(item)) return await prepareForAnother(item);
	return await prepareForStartingEmail(item);
}

/** @throws NodeOperationError for a tool, because there a model could choose who gets a reply */
function answersAnother(item: Item): boolean {
	if (item.parameter('emailToAnswer', 'started') !== 'other') return false;
	if (!isTool(item)) return true;
	throw new NodeOperationError(
		item.context.getNode(),
		'As a tool, Reply answers only the email that started the workflow',
		{ description: "Set 'Email to Answer' to Email That Started the Workflow." },
	);
}

async function prepareForStartingEmail(item: Item): Promise<PreparedEmail> {
	const email = await findStartingEmail(item);
	const { id, recipient, answer, noAnswer, isSample } = email;
	if (answer === null) return toPrepared(notSent(noAnswer ?? 'automatic'));

	const to = readToAddress(item, answer.to);
	const subject = readChosenSubject(item) || readSubjectLine(item, answer.subject);
	const content = await readContent(item);
	if (isSample) return toPrepared(sampleResult({ to, subject }, content));

	const sender = await readReplySender(item, recipient);
	// The trigger may not have known all identities, and Message Parse knows none.
	if (isKnownIdentity(item, to)) return toPrepared(notSent('ownAddress', { to, subject }));
	return toPreparedReply(item, { messageId: id, email, sender, to, subject, content });
}

async function prepareForAnother(item: Item): Promise<PreparedEmail> {
	const messageId = readMessageId(item);
	const to = readToAddress(item, item.parameter('to', ''));
	const subject = readChosenSubject(item);
	const content = await readContent(item);
	if (await isStartedBySample(item)) return toPrepared(sampleResult({ to, subject }, content));

	const sender = await readReplySender(item, null);
	return toPreparedReply(item, { messageId, email: messageId, sender, to, subject, content });
}

function readMessageId(item: Item): string {
	const id = readTextField(item, 'Message ID', item.parameter('messageId', '')).trim();
	if (id !== '') return id;
	throw new NodeOperationError(item.context.getNode(), "'Message ID' is empty", {
		description:
			'Enter the ID of the email to reply to (delivery.id), or use Message > Send for a new email.',
	});
}

/** @returns '' without the option Subject */
function readChosenSubject(item: Item): string {
	return readSubjectLine(item, item.parameter('options.subject', ''));
}

/** @param recipient the address that received the email; null if unknown */
async function readReplySender(item: Item, recipient: string | null): Promise<Sender> {
	const chosen = item.parameter('options.identityId', null);
	if (chosen !== null) return await readSender(item, chosen);
	if (recipient !== null) return await readSender(item, recipient);
	throw new NodeOperationError(
		item.context.getNode(),
		'It is not known which address received the email',
		{ description: "Choose 'From' under 'Options': the address that sends the reply." },
	);
}

function toPrepared(result: SendingResult): PreparedEmail {
	return { send: async () => await Promise.resolve(result) };
}

/** Items of one run with the same reply to the same email send it once, such as one for each attachment. */
function toPreparedReply(item: Item, reply: Reply): PreparedEmail {
	const { messageId, email, sender, to, subject, content } = reply;
	return {
		key: digestOf([email, sender.identityId, to, subject, content]),
		async send() {
			if (!mayReply(item, to, subject)) return notSent('tooManyReplies', { to, subject });
			const sending = toOutgoingEmail(item, sender, to, subject, content).then(
				async (outgoing) => await sendReply(item, messageId, outgoing),
			);
			const { accepted, inConversation } = await sending.catch((error: unknown) => {
				if (!mayHaveBeenDone(error)) takeBackReply(item, to, subject);
				throw error;
			});
			return { json: sentAs(accepted, { to, subject: subject || null }, inConversation) };
		},
	};
}
