import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { isObject } from '../../api/json';
import type { Entry } from '../../api/types';
import { FILTER_LABELS } from './filters';
import type { Ignored, IgnoredReason, Unproved } from './request';

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

/** In words that follow the name of the filter that asks for the proof. */
const UNPROVED_WORDS: Record<Unproved, string> = {
	dns: 'the DNS could not be asked for the keys of its sender{because}. Look at the option DNS Resolver. The published workflow has the service deliver such an email again later, where the service does that',
	fail: 'its signature does not prove that it is from the domain in From. It was changed on the way, or another domain signed it',
	noRawEmail:
		'the service gave no raw email, which alone can prove where it is from. Some services have none to give with Verify With the API',
	none: 'it has no signature (DKIM) of the domain in From, so that anybody may have written it',
	unknown: 'its signature could not be checked',
};

/** For the log: a reason of few values, without anything of the delivery. */
export function describeIgnored({ reason, filter, unproved }: Ignored): string {
	if (filter === undefined) return reason;
	return `${reason} (${[filter, unproved].filter((text) => text !== undefined).join(': ')})`;
}

/**
 * Ends the listening for a test event: n8n starts the node with an item in whose place `throwWhyNotStarted` throws, so that
 * the editor says what became of the email. Its sender is told that it was ignored.
 *
 * @returns undefined where nobody who listens waits for such a delivery: n8n goes on listening
 */
export function endListening(ignored: Ignored): IWebhookResponseData | undefined {
	if (ignored.isForOthers || WORDS[ignored.reason] === null) return undefined;
	const item = { json: { [MARK]: { ...ignored } as IDataObject } };
	return { workflowData: [[item]] };
}

/**
 * Says in the editor why an email would not start the workflow. For executions by hand alone: no other begins with such
 * an item.
 *
 * @throws NodeOperationError in the place of an item of `endListening`, with nothing of the email
 */
export function throwWhyNotStarted(node: INode, items: INodeExecutionData[]): void {
	const mark = items.map(({ json }) => json[MARK]).find(isObject);
	const words = mark && wordsOf(mark);
	if (mark === undefined || words === undefined) return;
	throw new NodeOperationError(node, `This email would not start the workflow: ${words}`, {
		description: `${mark.unproved === 'dns' ? '' : 'The published workflow ignores such an email too. '}Send another one, or change what is set here; then listen again.`,
		level: 'warning',
	});
}

function wordsOf(mark: Entry): string | undefined {
	const filter = FILTER_LABELS.find((label) => label === mark.filter) ?? '';
	const words = WORDS[mark.reason as IgnoredReason]?.replace('{filter}', filter);
	const because = typeof mark.because === 'string' ? ` (${mark.because})` : '';
	const unproved = UNPROVED_WORDS[mark.unproved as Unproved] as string | undefined;
	const why = unproved?.replace('{because}', () => because);
	return why === undefined ? words : `${words}: ${why}`;
}
