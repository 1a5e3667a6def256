import type { INodeExecutionData } from 'n8n-workflow';

import { withFullStop } from '../../../lib/basics';
import { EarlierTries } from './earlierTries';
import { toFailedJson, toItemError, type ItemError } from './itemErrors';
import type { PreparedEmail, SendingOperation, SendingResult } from './operation';
import { itemAt, type Session } from './session';

/** An item that was checked; the error if it cannot be sent, and the node continues on failure. */
type Checked = ItemError | PreparedEmail;

/**
 * Checks all items before the first email is sent. Then the emails go one after another, in the order of the input. Of items
 * with the same key, the first one is sent, and all get its result. What an earlier try sent is not sent again.
 *
 * @throws the error of the first item that fails, unless the node continues on failure. It says what was sent before it.
 */
export async function sendInOrder(
	session: Session,
	operation: SendingOperation,
): Promise<INodeExecutionData[]> {
	const { context } = session;
	const signal = context.getExecutionCancelSignal();
	const tries = new EarlierTries(context);
	const checked = await checkAll(session, operation, tries);
	/** Also those that failed: an email that may have been sent is not sent again for another item. */
	const attempts = new Map<string, Promise<SendingResult>>();
	const hints = new Set<string>();
	const outputs: INodeExecutionData[] = [];
	let sentEmails = 0;

	for (const [index, email] of checked.entries()) {
		if (signal?.aborted) break;
		const pairedItem = { item: index };
		if (email instanceof Error) {
			outputs.push({ json: toFailedJson(email), pairedItem });
			continue;
		}
		const { key = `item ${index}` } = email;
		const isRepeated = attempts.has(key);
		const attempt = attempts.get(key) ?? email.send();
		attempts.set(key, attempt);
		await tries.note(index, email, attempt);
		try {
			const { json, hint } = await attempt;
			if (hint !== undefined) hints.add(hint);
			else if (!isRepeated) sentEmails += 1;
			outputs.push({ json: { ...json }, pairedItem });
		} catch (error) {
			const itemError = toItemError(context, error as Error, index);
			if (!context.continueOnFail()) throw withProgress(itemError, sentEmails, checked.length);
			outputs.push({ json: toFailedJson(itemError), pairedItem });
		}
	}
	for (const message of hints) {
		// Missing in tools of an agent before n8n 1.118.
		context.addExecutionHints?.({ message, location: 'outputPane', type: 'info' });
	}
	return outputs;
}

/** One by one, because each may have files in memory. */
async function checkAll(
	session: Session,
	operation: SendingOperation,
	tries: EarlierTries,
): Promise<Checked[]> {
	const { context } = session;
	const { length } = context.getInputData();
	const checked: Checked[] = [];
	for (let index = 0; index < length; index++) {
		try {
			const earlier = tries.ofItem(index);
			const email = earlier ?? (await operation.prepare(itemAt(session, index)));
			checked.push(tries.orEarlierCall(email));
		} catch (error) {
			const itemError = toItemError(context, error as Error, index);
			if (!context.continueOnFail()) throw withProgress(itemError, 0, length);
			checked.push(itemError);
		}
	}
	return checked;
}

/** A run with one item needs no such words. */
function withProgress(error: ItemError, sentEmails: number, items: number): ItemError {
	if (items === 1) return error;
	const sentences: string[] = [];
	if (error.description) sentences.push(withFullStop(error.description));
	if (sentEmails === 0) sentences.push('No other email was sent.');
	else {
		sentences.push(`Emails sent before this one: ${sentEmails}, and none after it.`);
		sentences.push('If you run the node again, it sends them again.');
	}
	error.description = sentences.join(' ');
	return error;
}
