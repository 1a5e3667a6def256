import type { z } from 'zod';
import type { Dialect } from './dialects';
import type { StoredMessage } from './message';
import { mayRead, type Store } from './store';
import type { Failure } from './styles';
import type { Oddities, StoredAccount, StoredIdentity } from './types';

/** An email that a route accepted. */
export interface AcceptedEmail {
	/** The service's own ID: neither the Message-ID nor a stored message's. */
	id: string;
	from: StoredIdentity;
	to: string[];
	cc: string[];
	bcc: string[];
	subject: string;
	text: string | undefined;
	html: string | undefined;
	attachments: Array<{ filename: string; contentType?: string | undefined; content: string }>;
	/** The email that it replies to. */
	original: StoredMessage | undefined;
}

/** Kept while the server is down. */
export interface Service {
	store: Store;
	/** Its switches can change at any time. */
	dialect: Dialect;
	oddities: Oddities;
	outbox: { queue(email: AcceptedEmail): void };
}

/** A refusal of the service: thrown by routes; the dialect creates its body. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly more: Pick<Failure, 'code' | 'issues'> = {},
	) {
		super(message);
	}
}

export interface Call extends Service {
	caller: StoredAccount;
	/** Of the path; empty where the route has none. */
	id: string;
	query: URLSearchParams;
	body: string;
}

export interface Answer {
	/** 200 when left out. */
	status?: number;
	/** The body, without its envelope; nothing is sent when left out. */
	content?: unknown;
}

/** For one that is missing and another account's. */
export const NO_IDENTITY = 'Identity not found or access denied';

export const INVALID_BODY = { code: 'INVALID_REQUEST_BODY' };

export function jsonOf({ body, dialect }: Call): unknown {
	try {
		return JSON.parse(body);
	} catch {
		throw new Refusal(dialect.invalidBodyStatus, 'The body is not valid JSON', INVALID_BODY);
	}
}

/** @param more empty for a route that refuses without a code */
export function invalidBody(
	{ dialect }: Call,
	error: z.ZodError,
	more: { code?: string },
): Refusal {
	const issues = error.issues.map(({ path, message, code }) => ({
		path: path.join('.'),
		message,
		code,
	}));
	return new Refusal(dialect.invalidBodyStatus, 'Invalid request body', { ...more, issues });
}

export function readMessage({ id, caller, dialect, store }: Call): StoredMessage {
	const message = store.message(id);
	const identity = message && store.identity(message.identityId);
	const isReading = dialect.messageRoutes === 'reading';
	const isShared = identity !== undefined && mayRead(caller, identity);
	const isOfCaller = message?.fields.ownerId === caller.userId;
	const isReadable = isReading ? isShared : isOfCaller;
	if (message && isReadable) return message;
	if (message && !isReading) throw new Refusal(403, 'The message belongs to another account');
	throw new Refusal(404, 'Message not found', { code: 'MESSAGE_NOT_FOUND' });
}
