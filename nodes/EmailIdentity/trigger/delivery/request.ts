import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { isRouteMissing, lacksRight, statusOf } from '../../api/errors';
import type { ServiceMessage } from '../../api/messages';
import type { RetryPolicy } from '../../api/retry';
import type { EmailIdentityService } from '../../api/service';
import type { SenderCheck } from '../../dns/senders/result';
import type { OpenedEmail } from '../../email';
import type { Pause } from '../../lib/pause';
import type { OwnIdentities } from '../../shared/ownIdentities';
import type { SenderCheckFields } from '../../shared/senderAuthentication';
import type { DeliveryParameters } from '../parameters';
import type { SecretScope } from '../secret';
import type { StoredSubscription } from '../staticData';
import type { DeliveryMemory } from './memory';
import type { SeenMessages } from './onceOnly';

/** How long the account's identities are waited for. Milliseconds. */
const MAX_WAIT_FOR_IDENTITIES = 2_000;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The sender of the delivery waits meanwhile, and on some services every user's mail behind it. Milliseconds. */
export interface Patience extends Partial<RetryPolicy> {
	/** Until all requests of the service end. */
	within?: number;
}

export const once = (within: number): Patience => ({ attempts: 1, timeout: within, within });

/** One delivery, as far as n8n tells of it. Only the door reads n8n's context; a test can write one down. */
export interface DeliveryRequest {
	/** Which webhook of which n8n it came to; whether to its production or its test address. */
	scope: SecretScope;
	workflowId: string;
	/** Names the credential among those of this n8n. */
	credentialId: string;
	/** Milliseconds since 1970. */
	arrivedAt: number;
	/** What came in the query of the URL. */
	secret: string | undefined;
	/** @throws RefusedDelivery for what is not JSON */
	readBody(): Promise<unknown>;
	parameters: DeliveryParameters;
	/** The subscription that this n8n made for this address. */
	stored: StoredSubscription | undefined;
	/** What static data hold of the messages that started the workflow. */
	seen: string | undefined;
	/** Has n8n save with the answer what is known then: other deliveries may be saved in between. */
	remember(seen: SeenMessages): void;
	/** Resolves when the connection is closed: with the status that n8n answered, undefined when the sender hung up before. */
	closed: Promise<number | undefined>;
	memory: DeliveryMemory;
	pause: Pause;
	service(patience: Patience): EmailIdentityService;
	authenticateSender(
		received: ServiceMessage,
		opened: OpenedEmail,
		fields: SenderCheckFields,
	): Promise<SenderCheck>;
	prepareFile(content: Buffer, fileName: string, mimeType: string): Promise<IBinaryData>;
	/** At most once a minute for each outcome and reason, neither of which may hold anything of what was delivered. */
	log(level: LogLevel, outcome: string, why: string): void;
}

/** Why an email was ignored because of its kind or its place in the mailbox. */
export type UnwantedReason =
	'autoReply' | 'bounce' | 'draft' | 'list' | 'report' | 'sent' | 'spam' | 'trash';

export type IgnoredReason =
	| 'duplicate'
	| 'event'
	| 'filtered'
	| 'foreign'
	| 'loop'
	| 'noAttachment'
	| 'otherIdentity'
	| UnwantedReason;

/** Why an email is not known to come from the domain in From: because of the DNS, or of the email. */
export type Unproved = 'dns' | 'fail' | 'noRawEmail' | 'none' | 'unknown';

/** Why a valid delivery does not start the workflow. It is answered 200: repeating it would change nothing. */
export interface Ignored {
	reason: IgnoredReason;
	/** The label of the filter in the editor. */
	filter?: string;
	unproved?: Unproved;
	/** Why the DNS gave no answer. */
	because?: string;
	/** Whether it was meant for somebody else, so that whoever listens for a test event goes on waiting. */
	isForOthers?: boolean;
}

/** Why a delivery is refused: its status, and a sentence without anything of its content. */
export interface Refusal {
	status: number;
	message: string;
	/** Seconds after which the sender may try again. */
	retryAfter?: number;
	/** For the log alone, without anything of the delivery's content. */
	because?: string;
	level?: LogLevel;
}

/** The outcome of a delivery. The door writes it to n8n. */
export type Answer =
	| {
			status: 'started';
			items: INodeExecutionData[];
			/** To be called once, when n8n is about to save the static data and to answer. */
			accept(): void;
	  }
	| { status: 'ignored'; ignored: Ignored }
	| { status: 'refused'; refusal: Refusal }
	/** To n8n's own request before the sample email. */
	| { status: 'ready' };

/** Ends the reading of a delivery. Never leaves the door. */
export class RefusedDelivery extends Error {
	constructor(readonly refusal: Refusal) {
		super(refusal.message);
	}
}

export function reject(refusal: Refusal): never {
	throw new RefusedDelivery(refusal);
}

/** With these the service says something about the API key or itself. */
const NOT_ABOUT_MESSAGES: ReadonlySet<number> = new Set([401, 408, 425, 429]);

/** Whether the service says of a single message that there is none for the API key. In doubt it does not. */
export function isAboutMessage(error: unknown): boolean {
	const status = statusOf(error) ?? 500;
	if (status < 400 || status >= 500 || NOT_ABOUT_MESSAGES.has(status)) return false;
	return !lacksRight(error) && !isRouteMissing(error);
}

/** For the log. */
export function describeFailure(error: unknown): string {
	if (isRouteMissing(error)) return 'the service has no single messages';
	const status = statusOf(error);
	return status === undefined
		? 'the service gave no readable answer in time'
		: `the service answered ${status}`;
}

/**
 * @param notBefore an older list does not count, milliseconds since 1970
 * @returns undefined when the service does not tell within two seconds and did not tell before
 */
export async function ownIdentitiesOf(
	{ memory, credentialId, service }: DeliveryRequest,
	notBefore?: number,
): Promise<OwnIdentities | undefined> {
	const list = async () => await service(once(MAX_WAIT_FOR_IDENTITIES)).listIdentities();
	return await memory.ownIdentities.ask(credentialId, list, notBefore);
}
