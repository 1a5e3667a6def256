import type { Item, PreparedEmail, SendingResult } from '../operation';
import {
	digestOf,
	readContent,
	readToAddress,
	readSender,
	readSubjectLine,
	requireSubject,
	toOutgoingEmail,
} from './emailContent';
import { sampleResult, sentAs } from './sentEmail';
import { isStartedBySample } from './startingEmail';

/** Checks a new email. */
export async function prepareNewEmail(item: Item): Promise<PreparedEmail> {
	const { parameter, service } = item;
	const to = readToAddress(item, parameter('to', ''));
	const subject = readSubjectLine(item, parameter('subject', ''));
	requireSubject(item, subject);
	const content = await readContent(item);
	if (await isStartedBySample(item)) {
		return { send: async () => await Promise.resolve(sampleResult({ to, subject }, content)) };
	}

	const sender = await readSender(item, parameter('identityId', ''));
	async function send(): Promise<SendingResult> {
		const email = await toOutgoingEmail(item, sender, to, subject, content);
		const accepted = await service.sendEmail(email);
		return { json: sentAs(accepted, { to, subject }, false) };
	}
	// Two items with the same email send two.
	return { key: digestOf([item.index, sender.identityId, to, subject, content]), send };
}
