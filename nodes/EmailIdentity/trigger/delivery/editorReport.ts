import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { isObject } from '../../api/data/json';
import { withoutTags } from '../../../../lib/basics';
import type { Ignored, IgnoredReason } from './outcomes';

/**
 * In words that follow "it" in the editor. Null: not reported for a test event, because it is not the email
 * that you wait for, but for example its draft or its copy in Sent.
 */
const WORDS_OF_REASON: Record<IgnoredReason, string | null> = {
	autoReply: "was filtered out by 'Ignore': Auto-Replies",
	bounce: "was filtered out by 'Ignore': Bounces and Reports",
	draft: null,
	duplicate: null,
	event: null,
	filtered: 'does not match the filter',
	otherAccount: 'belongs to another account, and the API key cannot read it',
	list: "was filtered out by 'Ignore': Mailing Lists and Newsletters",
	loop: null,
	noAttachment: "has no attachment, and 'Output' is One Item per Attachment",
	otherIdentity: null,
	report: "was filtered out by 'Ignore': Bounces and Reports",
	sent: null,
	spam: "was filtered out by 'Ignore': Spam",
	trash: "was filtered out by 'Ignore': Trash",
};

const MAX_SHOWN_SUBJECT = 200;

/** The field of an item of a test event that is for the editor. Items of published workflows do not have it. */
const REPORT = 'emailIdentityReport';

interface EditorReport {
	/** The email does not start the workflow. n8n logs the message of an error, so only the description quotes the email. */
	error?: { message: string; description: string };
	hint?: string;
}

function withReport(json: IDataObject, report: EditorReport): IDataObject {
	return { ...json, [REPORT]: report as IDataObject };
}

/** Ends listening for a test event: n8n executes the node with this item. Undefined if n8n goes on listening. */
export function reportOf(answer: Ignored, subject: string): INodeExecutionData | undefined {
	const { reason, filter, words, isForOthers } = answer;
	const ofReason = WORDS_OF_REASON[reason];
	if (isForOthers || ofReason === null) return undefined;
	const filtered = filter === undefined ? ofReason : `${ofReason} '${filter}'`;
	const error = {
		message: `This email would not start the workflow: it ${words ?? filtered}`,
		description: withoutTags(explanationOf(answer, subject)),
	};
	return { json: withReport({}, { error }) };
}

function explanationOf({ found, because, warning }: Ignored, subject: string): string {
	const shown = subject.slice(0, MAX_SHOWN_SUBJECT);
	const sentences: string[] = [];
	if (found !== undefined) {
		const email = subject === '' ? 'The email' : `The email "${shown}"`;
		sentences.push(`${email} ${found}.`);
	} else if (subject !== '') {
		sentences.push(`Its subject is "${shown}".`);
	}
	if (because) sentences.push(because);
	if (warning) sentences.push(warning);
	sentences.push('The published workflow does not start for such an email either.');
	sentences.push('Change the settings or send another email, then listen again.');
	return sentences.join(' ');
}

export function withHint(items: INodeExecutionData[], hint: string): INodeExecutionData[] {
	return items.map((item) => ({ ...item, json: withReport(item.json, { hint }) }));
}

/** Only for manual executions: throws the error of a report, or takes the report out of the items. */
export function showReports(
	context: Pick<IExecuteFunctions, 'addExecutionHints' | 'getNode'>,
	items: INodeExecutionData[],
): INodeExecutionData[] {
	const report = items.map(({ json }) => json[REPORT]).find(isObject) as EditorReport | undefined;
	if (report === undefined) return items;
	const { error, hint } = report;
	if (error) {
		const { message, description } = error;
		throw new NodeOperationError(context.getNode(), message, { description, level: 'warning' });
	}
	if (hint) context.addExecutionHints({ message: hint, type: 'warning', location: 'outputPane' });
	return items.map((item) => {
		const json = { ...item.json };
		delete json[REPORT];
		return { ...item, json };
	});
}
