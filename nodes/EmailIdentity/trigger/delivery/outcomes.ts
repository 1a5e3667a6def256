import type { INodeExecutionData } from 'n8n-workflow';

import { isRouteMissing, lacksRight, statusOf } from '../../api/failures/errors';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Why an email does not start the workflow, in the words of a response. */
export type IgnoredReason =
	| 'autoReply'
	| 'bounce'
	| 'draft'
	| 'duplicate'
	| 'event'
	| 'filtered'
	| 'otherAccount'
	| 'list'
	| 'loop'
	| 'noAttachment'
	| 'otherIdentity'
	| 'report'
	| 'sent'
	| 'spam'
	| 'trash';

/** The email does not start the workflow. Answered with 200, because a repeat would change nothing. */
export interface Ignored {
	outcome: 'ignored';
	reason: IgnoredReason;
	/** The label of the filter in the editor; of Sender Check, with its result. */
	filter?: string;
	/** Instead of the words of the reason. n8n logs them: they contain nothing of the email. */
	words?: string;
	/** The value of the email instead, in words that follow "The email …"; only for the editor. */
	found?: string;
	/** A sentence, only for the editor. */
	because?: string | null;
	/** A sentence for the editor and, once an hour, for the log; it contains nothing of the email. */
	warning?: string;
	/** In n8n's log; default: `info`, and `warn` with a warning. */
	level?: LogLevel;
	/** Whether it is for another workspace, so that listening for a test event goes on. */
	isForOthers?: boolean;
	/** The item that shows this in the editor; absent for the published workflow. */
	report?: INodeExecutionData;
}

export function ignore(
	reason: IgnoredReason,
	details?: Omit<Ignored, 'outcome' | 'reason'>,
): Ignored {
	return { outcome: 'ignored', reason, ...details };
}

interface Refusal {
	status: number;
	/** Contains nothing of the delivery. */
	message: string;
	/** In n8n's log; default: `warn`. */
	level?: LogLevel;
}

const REFUSALS = {
	bodyNotJson: { status: 400, message: 'The body is not JSON' },
	bodyTooLarge: { status: 413, message: 'The body is larger than n8n accepts' },
	bodyUnreadable: { status: 400, message: 'The body cannot be read' },
	noDelivery: {
		status: 400,
		message: 'The body has no valid "event", "data.message" or "data.rawEmail"',
	},
	secretMissing: {
		status: 401,
		message: 'The secret is missing: a gateway or proxy must forward the query',
	},
	// Webhook → Audit sends an empty one to check that the trigger answers.
	secretEmpty: { status: 401, message: 'The secret is empty', level: 'debug' },
	secretWrong: { status: 401, message: 'The secret in the URL is wrong' },
	secretUnchecked: { status: 503, message: 'The secret cannot be checked right now' },
	messageUnknown: { status: 403, message: 'The service does not know this message' },
	messageUnverified: { status: 503, message: 'The message cannot be verified right now' },
	ownerUnknown: { status: 503, message: 'The owner of the message cannot be looked up right now' },
	restrictionUnknown: {
		status: 503,
		message: 'The identity of the webhook cannot be checked right now',
		level: 'error',
	},
	senderUnchecked: {
		status: 503,
		message: 'The sender of the email cannot be checked right now',
	},
	beingStarted: {
		status: 503,
		message: 'An earlier delivery of this message is still being processed',
	},
	failed: { status: 500, message: 'The delivery could not be processed', level: 'error' },
} satisfies Record<string, Refusal>;

export type RefusalKind = keyof typeof REFUSALS;

/** The delivery is not accepted. A service that repeats deliveries brings it again after a status of 500 or more. */
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
	const { status, message, level = 'warn' }: Refusal = REFUSALS[kind];
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
