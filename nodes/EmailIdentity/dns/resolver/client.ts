import { BoundedMap } from '../../lib/boundedMap';
import { encodeQuestion, readMessage, type DnsFact, type Question, type Reading } from './packet';
import type { DnsAnswer } from './types';

/** What a resolver sent, or why it sent nothing that can be read. */
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

/** An answer, and for how many seconds it holds. */
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

type Failure = Exclude<DnsAnswer, DnsFact>;

/** What asking one resolver came to. */
type Reply =
	| Exclude<Reading, { kind: 'unreadable' }>
	/** It did not answer as RFC 8484 has it; whether that may be the fault of the domain that was asked about. */
	| { kind: 'unreachable'; says: string; isDoubtful: boolean };

const CONTENT_TYPE = 'application/dns-message';

/** What a message can hold at most, in bytes (RFC 8484, section 6). */
const MAX_MESSAGE = 65_535;

const OK = 200;

/** Who speaks HTTP for a resolver waited in vain for it, as for a domain whose servers are slow (RFC 9110, 15.6). */
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 504]);

const NO_MESSAGE = 'did not answer the question with a DNS message';

/** How often a name may stand for another one that the resolver does not look up. They do, so this is rare. */
const MAX_FOLLOWED = 4;

/** How long a name that leads nowhere is not asked for again, in seconds. */
const SECONDS_OF_A_CIRCLE = 30;

/** How long a resolver that failed is asked last. */
const MS_DOWN = 30_000;

/** How long one that is doubted may keep a better one waiting: for what it knows itself it takes less. */
const MS_OF_DOUBTED = 1000;

const MAX_RESOLVERS = 100;

/** Asks resolvers over HTTPS (RFC 8484), and remembers which of them fail. */
export class DnsClient {
	/**
	 * Those that failed. One that is down is asked after the others. One that took too long keeps its place, and is
	 * waited for less long: it may be down, too, but strangers choose which domains are asked about. By a domain whose
	 * servers are slow nobody must have the questions of others go to the next resolver, which may know nothing of the
	 * names in the user's own network, and say that they do not exist.
	 */
	private readonly failing = new BoundedMap<string, { isDown: boolean; until: number }>(
		MAX_RESOLVERS,
	);

	/** Finds the records of a name, also where it stands for other names that the resolver did not follow. */
	async lookUp(
		fetchBytes: FetchBytes,
		addresses: readonly string[],
		{ name, type }: Question,
		bounds: LookUpBounds,
	): Promise<LookedUp> {
		const names = new Set<string>();
		let seconds = Infinity;
		for (let target = name; !names.has(target) && names.size <= MAX_FOLLOWED;) {
			names.add(target);
			const reply = await this.askInOrder(fetchBytes, addresses, { name: target, type }, bounds);
			if ('status' in reply) return { answer: reply, seconds: 0 };
			seconds = Math.min(seconds, reply.seconds);
			if (reply.kind === 'fact') return { answer: reply.answer, seconds };
			target = reply.target;
		}
		const reason = 'the name stands for too many others, or for itself';
		return { answer: { status: 'serverFailure', reason }, seconds: SECONDS_OF_A_CIRCLE };
	}

	/** One resolver after the other, until one of them knows; what time is left is shared by those still to be asked. */
	private async askInOrder(
		fetchBytes: FetchBytes,
		addresses: readonly string[],
		question: Question,
		{ end, budget }: LookUpBounds,
	): Promise<Extract<Reply, { seconds: number }> | Failure> {
		const problems: string[] = [];
		let status: Failure['status'] = 'unreachable';
		const isDown = (address: string) => this.standingOf(address)?.isDown === true;
		const order = [
			...addresses.filter((address) => !isDown(address)),
			...addresses.filter((address) => isDown(address)),
		];
		for (const [asked, address] of order.entries()) {
			const behind = order.slice(asked + 1);
			const share = Math.floor((end - Date.now()) / (behind.length + 1));
			const timeout = Math.min(share, this.maxWait(address, behind));
			if (timeout <= 0 || budget.requests <= 0) break;
			budget.requests--;
			const reply = await ask(fetchBytes, address, question, timeout);
			this.learn(address, reply);
			if ('seconds' in reply) return reply;
			// That one of them was asked and could not find out says more than that another was not asked.
			if (reply.kind === 'failure') status = 'serverFailure';
			problems.push(`${hostOf(address)} ${reply.says}`);
		}
		return { status, reason: problems.join('; ') || 'there was no time left to ask' };
	}

	private standingOf(address: string) {
		const known = this.failing.get(address);
		return known !== undefined && known.until > Date.now() ? known : undefined;
	}

	private maxWait(address: string, behind: readonly string[]): number {
		const isDoubted = this.standingOf(address)?.isDown === false;
		const isWorthHurrying = behind.some((other) => this.standingOf(other) === undefined);
		return isDoubted && isWorthHurrying ? MS_OF_DOUBTED : Infinity;
	}

	private learn(address: string, reply: Reply): void {
		if (reply.kind !== 'unreachable') this.failing.delete(address);
		else this.failing.set(address, { isDown: !reply.isDoubtful, until: Date.now() + MS_DOWN });
	}
}

/** Asks one resolver one question (RFC 8484, section 4.1, GET), once. */
async function ask(
	fetchBytes: FetchBytes,
	address: string,
	question: Question,
	timeout: number,
): Promise<Reply> {
	const library = await import('dns-packet');
	const separator = address.includes('?') ? '&' : '?';
	const url = `${address}${separator}dns=${encodeQuestion(question, library)}`;
	const fetched = await fetchBytes(url, { accept: CONTENT_TYPE, timeout, maxBytes: MAX_MESSAGE });
	if ('failure' in fetched) return unreachable(fetched.failure, fetched.isTimeout);
	const { status, headers, body, isWhole } = fetched;
	if (status !== OK) {
		return unreachable(`answered with HTTP status ${status}`, GATEWAY_ERRORS.has(status));
	}
	if (!isWhole) return unreachable('answered with too much', false);
	const type = (headers['content-type'] ?? '').split(';', 1).join().trim().toLowerCase();
	if (type !== CONTENT_TYPE) return unreachable(NO_MESSAGE, false);
	const reading = readMessage(body, question, library);
	// It may be the domain's records that cannot be read, as hundreds of them.
	if (reading.kind === 'unreadable') return unreachable(NO_MESSAGE, true);
	if (reading.kind === 'failure') return reading;
	// An answer out of a cache on the way has been held for a while already (RFC 8484, section 5.1).
	return { ...reading, seconds: Math.max(0, reading.seconds - (Number(headers.age) || 0)) };
}

const unreachable = (says: string, isDoubtful: boolean): Reply => ({
	...{ kind: 'unreachable', says, isDoubtful },
});

/** Not the whole address: what it holds would stand in errors and logs. */
const hostOf = (address: string): string => /^https?:\/\/([^/?#]*)/i.exec(address)?.[1] ?? '';
