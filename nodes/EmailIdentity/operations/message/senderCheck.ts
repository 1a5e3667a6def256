import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { LogThrottle } from '../../../../lib/basics';
import {
	authenticateSender,
	senderCheckProblem,
	type CheckedMessage,
} from '../../shared/authenticateSender';
import { readSenderCheck } from '../../shared/fields';
import type { MessageWithEmail } from '../../shared/messageWithEmail';
import type { Item } from '../operation';

const logThrottle = new LogThrottle();

/**
 * Checks the sender of a message if the option Sender Check is on.
 *
 * @returns undefined if it is off
 * @throws NodeOperationError if DNS Resolver or Trusted Mail Servers cannot be used, or if the execution was cancelled
 */
export async function checkSenderOf(
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
