import { NodeOperationError, type INode, type INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../../api/json';
import { withoutTags } from '../../../../lib/basics';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * Why an email does not start the workflow, in words that follow "it" or "The email …" in the editor. Null: not reported while
 * you listen for a test event, because it is not the email that you wait for, such as its draft and the copy in Sent.
 */
const WORDS = {
	autoReply: 'was filtered out by Ignore: Auto-Replies',
	bounce: 'was filtered out by Ignore: Bounces and Reports',
	draft: null,
	duplicate: null,
	event: null,
	filtered: 'does not match the filter',
	foreign: 'belongs to another account, and the API key cannot read it',
	list: 'was filtered out by Ignore: Mailing Lists and Newsletters',
	loop: null,
	noAttachment: 'has no attachment, and Output is One Item per Attachment',
	otherIdentity: null,
	report: 'was filtered out by Ignore: Bounces and Reports',
	sent: null,
	spam: 'was filtered out by Ignore: Spam',
	trash: 'was filtered out by Ignore: Trash',
};

export type IgnoredReason = keyof typeof WORDS;

/** A valid delivery that does not start the workflow. It is answered 200: repeating it would change nothing. */
export interface Ignored {
	outcome: 'ignored';
	reason: IgnoredReason;
	/** The label of the filter in the editor; of Sender Check, with its result. */
	filter?: string;
	/** What the email has instead of what the filter asks for, in words that follow "The email …". For the editor alone. */
	found?: string;
	/** A sentence for the editor alone. */
	because?: string | null;
	/** A sentence about a setting that lets no email through, for the editor and the log. */
	warning?: string;
	/** Whether it is for another workspace, so that listening for a test event goes on. */
	isForOthers?: boolean;
	/** While you listen for a test event: the item in whose place the editor shows why. */
	report?: INodeExecutionData;
}

export const ignore = (
	reason: IgnoredReason,
	details?: Omit<Ignored, 'outcome' | 'reason'>,
): Ignored => ({ outcome: 'ignored', reason, ...details });

/** Every way in which a delivery is refused, without anything of its content. */
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

type RefusalKind = keyof typeof REFUSALS;

export interface Refused {
	outcome: 'refused';
	status: number;
	message: string;
	level: LogLevel;
	/** For the log alone, without anything of the delivery's content. */
	because?: string;
}

export interface Started {
	outcome: 'started';
	items: INodeExecutionData[];
	/** To be called when n8n is about to save the static data and to answer. */
	accept(): void;
}

/** `ready` is the answer to n8n's own request before the sample email. */
export type Answer = Started | Ignored | Refused | { outcome: 'ready' };

export function refuse(kind: RefusalKind, because?: string): Refused {
	const [status, message, level = 'warn']: [number, string, LogLevel?] = REFUSALS[kind];
	return { outcome: 'refused', status, message, level, because };
}

/** Ends the reading of a delivery. Never leaves `receive`. */
export class RefusedDelivery extends Error {
	constructor(readonly answer: Refused) {
		super(answer.message);
	}
}

export function reject(kind: RefusalKind, because?: string): never {
	throw new RefusedDelivery(refuse(kind, because));
}

const MAX_SHOWN_SUBJECT = 200;

/** Field of an item that only reports why an email did not start the workflow. Items of emails have no such field. */
const MARK = 'emailIdentityFilteredOut';

/**
 * Ends the listening for a test event: n8n executes the node with an item in whose place `throwWhyNotStarted` throws, so that
 * the editor shows why the email did not start the workflow.
 *
 * n8n writes the message of an error into its log and its event log, so what the email says is in the description alone.
 *
 * @returns undefined if n8n goes on listening
 */
export function reportOf(ignored: Ignored, subject: string): INodeExecutionData | undefined {
	const { reason, filter, found, because, warning, isForOthers } = ignored;
	if (isForOthers || WORDS[reason] === null) return undefined;
	const why = [WORDS[reason], filter].filter(Boolean).join(' ');
	const email = subject === '' ? 'The email' : `The email "${subject.slice(0, MAX_SHOWN_SUBJECT)}"`;
	const description = [
		`${email} ${found ?? why}.`,
		because,
		warning,
		'The published workflow does not start for such an email either.',
		'Change the settings or send another email, then listen again.',
	];
	const mark = {
		message: `This email would not start the workflow: it ${why}`,
		description: withoutTags(description.filter(Boolean).join(' ')),
	};
	return { json: { [MARK]: mark } };
}

/**
 * For executions by hand alone: no other begins with an item of `reportOf`.
 *
 * @throws NodeOperationError in the place of such an item
 */
export function throwWhyNotStarted(node: INode, items: INodeExecutionData[]): void {
	const mark = items.map(({ json }) => json[MARK]).find(isObject);
	if (mark === undefined) return;
	throw new NodeOperationError(node, String(mark.message), {
		description: String(mark.description),
		level: 'warning',
	});
}
