import { BoundedMap } from '../../lib/boundedMap';
import { encodeQuestion, readMessage, type Question } from './packet';
import type { DnsAnswer } from './types';

/** A resolver's HTTP response, or why there is none that can be read. */
export type Fetched =
	| {
			status: number;
			/** Names in lower case. */
			headers: Readonly<Record<string, string | undefined>>;
			body: Buffer;
			/** False where there was more than `maxBytes`. */
			isWhole: boolean;
	  }
	/** In words that follow the name of the resolver, such as "cannot be reached". */
	| { failure: string; isTimeout: boolean };

/** Sends one GET request, follows no redirect, and never throws. */
export type FetchBytes = (
	url: string,
	bounds: { accept: string; timeout: number; maxBytes: number },
) => Promise<Fetched>;

/** An answer, and for how many seconds it may be remembered. */
export interface LookedUp {
	answer: DnsAnswer;
	seconds: number;
}

export interface LookUpBounds {
	/** Milliseconds since 1970. */
	end: number;
	/** Requests that may still be sent for the same email; strangers choose what is asked for one. */
	budget: { requests: number };
}

/** Why one resolver could not tell. */
interface Failure {
	/** Follows the name of the resolver. */
	says: string;
	/** `domain`: the resolver answered; `doubtful`: the domain may be to blame, if its servers are slow or its records odd. */
	fault: 'domain' | 'doubtful' | 'resolver';
}

const CONTENT_TYPE = 'application/dns-message';

/** The largest message, in bytes (RFC 8484, section 6). */
const MAX_MESSAGE = 65_535;

const OK = 200;

/** An HTTP server in front of a resolver waited for it in vain, as for a domain whose servers are slow (RFC 9110, 15.6). */
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 504]);

const NO_MESSAGE = 'did not answer with a valid DNS message';

/** How long a resolver that failed is doubted. */
const MS_DOUBTED = 30_000;

/** How long one that is doubted may keep the next one waiting: what it knows takes less. */
const MAX_WAIT_MS = 1000;

const MAX_RESOLVERS = 100;

/** Asks resolvers over HTTPS (RFC 8484), and remembers which of them fail. */
export class DnsClient {
	/**
	 * Those that failed. One whose own fault it was is asked last. After a doubtful failure it keeps its place: strangers
	 * choose which domains are asked about, and must not send the questions of others to the next resolver, which may not
	 * know the names in the user's own network, and say that they do not exist.
	 */
	private readonly doubted = new BoundedMap<string, { isLast: boolean; until: number }>(
		MAX_RESOLVERS,
	);

	/** Asks one resolver after the other, until one of them knows; those still to be asked share the time that is left. */
	async lookUp(
		fetchBytes: FetchBytes,
		addresses: readonly string[],
		question: Question,
		{ end, budget }: LookUpBounds,
	): Promise<LookedUp> {
		const reasons: string[] = [];
		let status: 'serverFailure' | 'unreachable' = 'unreachable';
		const isLast = (address: string) => Number(this.doubtOf(address)?.isLast ?? false);
		const order = addresses.toSorted((one, other) => isLast(one) - isLast(other));
		for (const [index, address] of order.entries()) {
			const left = order.length - index;
			const share = Math.floor((end - Date.now()) / left);
			const isHurried = left > 1 && this.doubtOf(address) !== undefined;
			const timeout = isHurried ? Math.min(share, MAX_WAIT_MS) : share;
			if (timeout <= 0 || budget.requests <= 0) break;
			budget.requests--;
			const reply = await ask(fetchBytes, address, question, timeout);
			this.learn(address, reply);
			if ('answer' in reply) return reply;
			if (reply.fault === 'domain') status = 'serverFailure';
			reasons.push(`${hostOf(address)} ${reply.says}`);
		}
		const reason = reasons.join('; ') || 'there was no time left for the query';
		return { answer: { status, reason }, seconds: 0 };
	}

	private doubtOf(address: string) {
		const doubt = this.doubted.get(address);
		return doubt !== undefined && doubt.until > Date.now() ? doubt : undefined;
	}

	private learn(address: string, reply: Failure | LookedUp): void {
		if ('answer' in reply || reply.fault === 'domain') this.doubted.delete(address);
		else {
			const isLast = reply.fault === 'resolver';
			this.doubted.set(address, { isLast, until: Date.now() + MS_DOUBTED });
		}
	}
}

/** Asks one resolver one question (RFC 8484, section 4.1, GET), once. */
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
		return { says: fetched.failure, fault: fetched.isTimeout ? 'doubtful' : 'resolver' };
	}
	const { status, headers, body, isWhole } = fetched;
	if (status !== OK) {
		const fault = GATEWAY_ERRORS.has(status) ? 'doubtful' : 'resolver';
		return { says: `answered with HTTP status ${status}`, fault };
	}
	const type = (headers['content-type'] ?? '').split(';', 1).join().trim().toLowerCase();
	if (!isWhole || type !== CONTENT_TYPE) return { says: NO_MESSAGE, fault: 'resolver' };
	const reading = readMessage(body, question, library);
	// Hundreds of records cannot be read.
	if (reading === undefined) return { says: NO_MESSAGE, fault: 'doubtful' };
	if ('failure' in reading) return { says: reading.failure, fault: 'domain' };
	// An answer out of a cache on the way is older (RFC 8484, section 5.1).
	return { ...reading, seconds: Math.max(0, reading.seconds - (Number(headers.age) || 0)) };
}

/** The rest of an address may be private, and reasons appear in errors and logs. */
const hostOf = (address: string): string => /^https?:\/\/([^/?#]*)/i.exec(address)?.[1] ?? '';
