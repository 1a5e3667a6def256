import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { isObject } from '../../api/json';
import { FILTER_LABELS } from './filters';
import { respondIgnored, type IgnoredReason } from './responses';

/** Why a delivery that is in order starts nothing. */
export interface HeldBack {
	reason: IgnoredReason;
	/** Which filter it is, by its label in the editor. */
	filter?: string;
	/** Whether it was meant for somebody else, so that whoever listens for a test event goes on waiting. */
	isForOthers?: boolean;
}

/** Under this name an item says that it was held back. No item that starts a workflow has such a field. */
const MARK = 'emailIdentityHeldBack';

/**
 * In words that follow "This email would not start the workflow:". Null: it was not meant for whoever is listening, as the
 * drafts and the sent copy of the very email that is awaited.
 */
const WORDS: Record<IgnoredReason, string | null> = {
	autoReply: 'Ignore holds Auto-Replies back',
	bounce: 'Ignore holds Bounces and Reports back',
	draft: null,
	duplicate: null,
	event: null,
	foreign: 'it is for another account, and the API key cannot see it',
	filtered: 'the filter {filter} holds it back',
	list: 'Ignore holds Mailing Lists and Newsletters back',
	loop: null,
	noAttachment: 'Output is One Item per Attachment, and the email has none',
	otherIdentity: null,
	report: 'Ignore holds Bounces and Reports back',
	sent: null,
	spam: 'Ignore holds Spam back',
	trash: 'Ignore holds Trash back',
};

/** For the log: a reason of few values, without anything of the delivery. */
export function describeHeldBack({ reason, filter }: HeldBack): string {
	return filter === undefined ? reason : `${reason} (${filter})`;
}

/**
 * Ends the listening for a test event: n8n starts the node with an item in whose place `tellHeldBack` throws, so that
 * the editor says what became of the email. Its sender is told that it was ignored.
 *
 * @returns undefined where nobody who listens waits for such a delivery: n8n goes on listening
 */
export function endListening(heldBack: HeldBack): IWebhookResponseData | undefined {
	if (heldBack.isForOthers || WORDS[heldBack.reason] === null) return undefined;
	const item = { json: { [MARK]: { ...heldBack } as IDataObject } };
	return { ...respondIgnored(heldBack.reason), workflowData: [[item]] };
}

/**
 * Says in the editor why an email would not start the workflow. For executions by hand alone: no other begins with such
 * an item.
 *
 * @throws NodeOperationError in the place of an item of `endListening`, with nothing of the email
 */
export function tellHeldBack(node: INode, items: INodeExecutionData[]): void {
	const words = items.map(({ json }) => wordsOf(json[MARK])).find((found) => found !== undefined);
	if (words === undefined) return;
	throw new NodeOperationError(node, `This email would not start the workflow: ${words}`, {
		description:
			'The published workflow ignores such an email too. Send another one, or change what is set here; then listen again.',
		level: 'warning',
	});
}

function wordsOf(mark: unknown): string | undefined {
	if (!isObject(mark)) return undefined;
	const filter = FILTER_LABELS.find((label) => label === mark.filter) ?? '';
	return WORDS[mark.reason as IgnoredReason]?.replace('{filter}', filter);
}
