import { BoundedMap, monotonicNow } from '../../basics';
import {
	encodeQuestion,
	readDnsMessage,
	type DnsAnswer,
	type LookedUp,
	type Question,
} from './packet';

export type Fetched =
	| {
			status: number;
			/** Names in lower case. */
			headers: Readonly<Record<string, string | undefined>>;
			body: Buffer;
			/** False if the response exceeded `maxBytes`. */
			isWhole: boolean;
	  }
	/** Follows the name of the resolver: "cannot be reached". */
	| { failure: string; isTimeout: boolean };

/** Sends one GET request, follows no redirect, and never throws. */
export type FetchBytes = (
	url: string,
	bounds: { accept: string; timeout: number; maxBytes: number },
) => Promise<Fetched>;

/** The resolvers, and how to reach them. */
export interface DnsAccess {
	/** URLs, in the order in which they are asked. */
	addresses: readonly string[];
	fetchBytes: FetchBytes;
}

/** Requests left for the same email; needed because senders choose the names to look up. */
export interface Budget {
	requests: number;
}

/** For one query to all resolvers, including the wait for its turn: queries that nobody waits for any more end quickly. */
export const MAX_QUESTION_MS = 4750;

interface Failure {
	/** Follows the name of the resolver. */
	says: string;
	/** `domain`: the resolver answered; `doubtful`: the domain may be the cause, with slow servers or unusual records. */
	fault: 'domain' | 'doubtful' | 'resolver';
}

const CONTENT_TYPE = 'application/dns-message';

/** The largest message, in bytes (RFC 8484, section 6). */
const MAX_MESSAGE = 65_535;

export const NO_TIME = 'there was no time left for the query';

const NO_MESSAGE = 'did not answer with a valid DNS message';

export const failed = (reason: string): DnsAnswer => ({ status: 'failed', reason });

/** How long a failure of a resolver is remembered. */
const MS_DOUBTED = 30_000;

/** How long to wait for a resolver that failed before: cached answers take less. */
const MAX_WAIT_MS = 1000;

const MAX_RESOLVERS = 100;

/** A recent failure of a resolver. */
interface Doubt {
	/** Whether it is asked after the others. */
	isLast: boolean;
	/** See `monotonicNow`. */
	until: number;
}

export class DnsClient {
	/**
	 * A faulty resolver is queried last. After a doubtful failure it keeps its place: senders choose the domains, and must not
	 * divert other queries to the next one, which may not know the names in the user's network.
	 */
	private readonly doubts = new BoundedMap<string, Doubt>(MAX_RESOLVERS);

	/** Queries one resolver after another until one answers; the remaining ones share the remaining time. */
	async lookUp(
		question: Question,
		{ addresses, fetchBytes }: DnsAccess,
		end: number,
		budget: Budget,
	): Promise<LookedUp> {
		const reasons: string[] = [];
		const order = this.inOrder(addresses);
		for (const [index, address] of order.entries()) {
			const left = order.length - index;
			const share = Math.floor((end - monotonicNow()) / left);
			if (share <= 0 || budget.requests <= 0) break;
			budget.requests--;
			const isHurried = left > 1 && this.doubtOf(address) !== undefined;
			const timeout = isHurried ? Math.min(share, MAX_WAIT_MS) : share;
			const reply = await ask(fetchBytes, address, question, timeout);
			this.note(address, reply);
			if ('answer' in reply) return reply;
			reasons.push(`${hostOf(address)} ${reply.says}`);
		}
		return { answer: failed(reasons.join('; ') || NO_TIME), seconds: 0 };
	}

	private inOrder(addresses: readonly string[]): string[] {
		const isLast = (address: string): boolean => this.doubtOf(address)?.isLast === true;
		const first = addresses.filter((address) => !isLast(address));
		const last = addresses.filter(isLast);
		return [...first, ...last];
	}

	private note(address: string, reply: Failure | LookedUp): void {
		this.doubts.delete(address);
		if ('answer' in reply || reply.fault === 'domain') return;
		const isLast = reply.fault === 'resolver';
		this.doubts.set(address, { isLast, until: monotonicNow() + MS_DOUBTED });
	}

	private doubtOf(address: string): Doubt | undefined {
		const doubt = this.doubts.get(address);
		if (doubt === undefined || doubt.until <= monotonicNow()) return undefined;
		return doubt;
	}
}

/** RFC 8484, section 4.1, GET. */
async function ask(
	fetchBytes: FetchBytes,
	address: string,
	question: Question,
	timeout: number,
): Promise<Failure | LookedUp> {
	const library = await import('dns-packet');
	const separator = address.includes('?') ? '&' : '?';
	const url = `${address}${separator}dns=${encodeQuestion(question, library)}`;
	const fetched = await fetchBytes(url, { accept: CONTENT_TYPE, timeout, maxBytes: MAX_MESSAGE });
	if ('failure' in fetched) {
		const fault = fetched.isTimeout ? 'doubtful' : 'resolver';
		return { says: fetched.failure, fault };
	}
	const { status, headers, body, isWhole } = fetched;
	if (status !== 200) {
		// A gateway may have waited for slow servers of the domain (RFC 9110, 15.6).
		const fault = status >= 500 ? 'doubtful' : 'resolver';
		return { says: `answered with HTTP status ${status}`, fault };
	}
	const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
	const isMessage = type.trim().toLowerCase() === CONTENT_TYPE;
	if (!isWhole || !isMessage) return { says: NO_MESSAGE, fault: 'resolver' };
	const reading = readDnsMessage(body, question, library);
	// Answers with hundreds of records are not read.
	if (reading === undefined) return { says: NO_MESSAGE, fault: 'doubtful' };
	if ('failure' in reading) return { says: reading.failure, fault: 'domain' };
	// An answer from an HTTP cache is older (RFC 8484, section 5.1).
	const age = Number(headers.age) || 0;
	return { answer: reading.answer, seconds: Math.max(0, reading.seconds - age) };
}

/** Reasons appear in errors and logs, and the rest of a URL may be private. */
const hostOf = (address: string): string => /^https?:\/\/([^/?#]*)/i.exec(address)?.[1] ?? '';
