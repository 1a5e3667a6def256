import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { isRouteMissing, lacksRight, statusOf } from '../../api/errors';
import { isObject } from '../../api/json';
import { withoutTags } from '../../../../lib/basics';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * In words that follow "it" in the editor. Null: not reported for a test event, because it is not the email
 * that you wait for, but for example its draft or its copy in Sent.
 */
const WORDS_OF_REASON = {
	autoReply: "was filtered out by 'Ignore': Auto-Replies",
	bounce: "was filtered out by 'Ignore': Bounces and Reports",
	draft: null,
	duplicate: null,
	event: null,
	filtered: 'does not match the filter',
	foreign: 'belongs to another account, and the API key cannot read it',
	list: "was filtered out by 'Ignore': Mailing Lists and Newsletters",
	loop: null,
	noAttachment: "has no attachment, and 'Output' is One Item per Attachment",
	otherIdentity: null,
	report: "was filtered out by 'Ignore': Bounces and Reports",
	sent: null,
	spam: "was filtered out by 'Ignore': Spam",
	trash: "was filtered out by 'Ignore': Trash",
};

export type IgnoredReason = keyof typeof WORDS_OF_REASON;

/** Answered with 200, because a repeat would change nothing. */
export interface Ignored {
	outcome: 'ignored';
	reason: IgnoredReason;
	/** The label of the filter in the editor; of Sender Check, with its result. */
	filter?: string;
	/** Instead of the words of the reason. n8n logs them: they contain nothing of the email. */
	words?: string;
	/** What the email has instead, in words that follow "The email …"; only for the editor. */
	found?: string;
	/** A sentence, only for the editor. */
	because?: string | null;
	/** A sentence for the editor and, once an hour, for the log; it contains nothing of the email. */
	warning?: string;
	level?: LogLevel;
	/** Whether it is for another workspace, so that listening for a test event goes on. */
	isForOthers?: boolean;
	report?: INodeExecutionData;
}

export function ignore(
	reason: IgnoredReason,
	details?: Omit<Ignored, 'outcome' | 'reason'>,
): Ignored {
	return { outcome: 'ignored', reason, ...details };
}

/** They contain nothing of the delivery. */
const REFUSALS = {
	bodyNotJson: [400, 'The body is not JSON'],
	bodyTooLarge: [413, 'The body is larger than n8n accepts'],
	bodyUnreadable: [400, 'The body cannot be read'],
	noDelivery: [400, 'The body has no valid "event", "data.message" or "data.rawEmail"'],
	secretMissing: [401, 'The secret is missing: a gateway or proxy must forward the query'],
	/** For Webhook → Audit, which checks that the trigger answers. */
	secretEmpty: [401, 'The secret is empty', 'debug'],
	secretWrong: [401, 'The secret in the URL is wrong'],
	secretUnchecked: [503, 'The secret cannot be checked right now'],
	messageUnknown: [403, 'The service does not know this message'],
	messageUnverified: [503, 'The message cannot be verified right now'],
	ownerUnknown: [503, 'The owner of the message cannot be looked up right now'],
	restrictionUnknown: [503, 'The identity of the webhook cannot be checked right now', 'error'],
	senderUnchecked: [503, 'The sender of the email cannot be checked right now'],
	beingStarted: [503, 'An earlier delivery of this message is still being processed'],
	failed: [500, 'The delivery could not be processed', 'error'],
} satisfies Record<string, [status: number, message: string, level?: LogLevel]>;

export type RefusalKind = keyof typeof REFUSALS;

export interface Refused {
	outcome: 'refused';
	status: number;
	message: string;
	level: LogLevel;
	/** Only for the log; contains nothing of the delivery. */
	because?: string;
}

export interface Started {
	outcome: 'started';
	items: INodeExecutionData[];
	/** Called when n8n is about to save the static data and to answer. */
	accept(): void;
}

/** `ready` is the answer to n8n's own request before the sample email. */
export type DeliveryAnswer = Started | Ignored | Refused | { outcome: 'ready' };

export function refuse(kind: RefusalKind, because?: string): Refused {
	const [status, message, level = 'warn']: [number, string, LogLevel?] = REFUSALS[kind];
	return { outcome: 'refused', status, message, level, because };
}

/** A refusal because of a request to the service that failed. */
export function refuseFor(kind: RefusalKind, error: unknown): Refused {
	if (isRouteMissing(error)) {
		return refuse(kind, 'the service does not support fetching single messages');
	}
	const status = statusOf(error);
	if (status === undefined) return refuse(kind, 'the service sent no readable answer in time');
	if (lacksRight(error)) return refuse(kind, `${error.message}. ${error.description ?? ''}`);
	return refuse(kind, `the service answered ${status}`);
}

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
