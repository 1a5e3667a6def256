import { BoundedMap } from '../../lib/boundedMap';
import { Turns } from '../../lib/concurrency';
import { loadPublicSuffixes, organizationalDomain, toQuestionName } from '../names';
import { DnsClient, type FetchBytes } from './client';
import type { Question } from './packet';
import type { DnsAnswer, DnsRecordType, DnsResolver } from './types';

export type { Fetched, FetchBytes } from './client';

export interface DnsResolverOptions {
	/** Addresses of resolvers in the order of use. */
	addresses: readonly string[];
	fetchBytes: FetchBytes;
	/** No further question begins after it is aborted. */
	signal?: AbortSignal;
	/** How many questions may be under way at a time; others wait for their turn. */
	maxConcurrentQuestions?: number;
	/** Milliseconds for all questions together. Those that fail are repeated until then. */
	patience?: number;
	/** How many requests may be sent in all; strangers choose what is asked for an email. */
	maxRequests?: number;
	/** Waits; tests set it. */
	after?(milliseconds: number): Promise<void>;
	/** Tests set it. */
	memory?: DnsMemory;
}

/** A stranger chooses what is asked for an email, so one email may have a small share of all questions. */
export const LIMITS_OF_AN_EMAIL = {
	// A service waits for the answer to a delivery, and on some services every user's mail behind it.
	patience: 5000,
	maxConcurrentQuestions: 2,
	// A genuine email needs three, and some repeats.
	maxRequests: 40,
} satisfies Partial<DnsResolverOptions>;

/** For one question to all resolvers. */
const MAX_QUESTION_MS = 4750;

/** Before the first repeat; each further pause is twice as long. */
const FIRST_PAUSE_MS = 250;

/** How many questions are under way at a time: for all workflows, for the names of one organization, and for one asker. */
const MAX_QUESTIONS = 500;
const MAX_QUESTIONS_OF_A_DOMAIN = 20;
const MAX_DOMAINS = 2000;
const USUAL_SHARE = 50;

/** How long an answer is remembered at most, whatever its time to live says. */
const MAX_SECONDS = 3600;

/** A record that was forgotten is made in minutes, and then looked for. */
const MAX_SECONDS_OF_NOTHING = 300;

/** What is remembered in all, and what an answer without records takes, in characters. */
const MAX_MEMORY = 4_000_000;
const MIN_SIZE = 500;

const FAULT = {
	answer: { status: 'unreachable', reason: 'the query failed because of a fault in this node' },
	seconds: 0,
} as const;

/** An answer that is known, or is being found out. */
interface Entry {
	promise: Promise<DnsAnswer>;
	/** Milliseconds since 1970. */
	until: number;
	/** What it takes in memory, about: characters. */
	size: number;
}

/** What all workflows of a process know of the DNS, and what is being found out. */
export class DnsMemory {
	private readonly answers = new BoundedMap<string, Entry>(MAX_MEMORY, ({ size }) => size);

	private readonly client = new DnsClient();

	private readonly turns = new Turns(MAX_QUESTIONS);

	private readonly turnsOfDomains = new BoundedMap<string, Turns>(MAX_DOMAINS);

	known(key: string): Promise<DnsAnswer> | undefined {
		const entry = this.answers.get(key);
		return entry !== undefined && entry.until > Date.now() ? entry.promise : undefined;
	}

	/** Finds an answer out. Equal questions meanwhile share it. */
	async find(
		key: string,
		question: Question,
		{ addresses, fetchBytes }: DnsResolverOptions,
		budget: { requests: number },
	): Promise<DnsAnswer> {
		const bounds = { end: Date.now() + MAX_QUESTION_MS, budget };
		const lookUp = async () => await this.client.lookUp(fetchBytes, addresses, question, bounds);
		const promise = this.turnsOf(question.name)
			.run(async () => await this.turns.run(lookUp))
			.catch(() => FAULT)
			.then(({ answer, seconds }) => {
				this.remember(key, answer, seconds);
				return answer;
			});
		this.answers.set(key, { promise, until: Infinity, size: MIN_SIZE });
		return await promise;
	}

	private remember(key: string, answer: DnsAnswer, seconds: number): void {
		const isFound = answer.status === 'found';
		const kept = Math.min(seconds, isFound ? MAX_SECONDS : MAX_SECONDS_OF_NOTHING);
		const size = MIN_SIZE + key.length + (isFound ? JSON.stringify(answer.records).length : 0);
		if (kept <= 0) this.answers.delete(key);
		else {
			const until = Date.now() + kept * 1000;
			this.answers.set(key, { promise: Promise.resolve(answer), until, size });
		}
	}

	private turnsOf(name: string): Turns {
		const domain = organizationalDomain(name) ?? name;
		const turns = this.turnsOfDomains.get(domain) ?? new Turns(MAX_QUESTIONS_OF_A_DOMAIN);
		this.turnsOfDomains.set(domain, turns);
		return turns;
	}
}

const MEMORY = new DnsMemory();

/** Asks the DNS over HTTPS (RFC 8484). */
export function createDnsResolver(options: DnsResolverOptions): DnsResolver {
	return new HttpsResolver(options);
}

class HttpsResolver implements DnsResolver {
	private readonly memory: DnsMemory;

	private readonly turns: Turns;

	private readonly budget: { requests: number };

	private readonly after: (milliseconds: number) => Promise<void>;

	/** The end of the patience, from the first question on. */
	private end: { time: number; reached: Promise<undefined> } | undefined;

	constructor(private readonly options: DnsResolverOptions) {
		this.memory = options.memory ?? MEMORY;
		this.turns = new Turns(options.maxConcurrentQuestions ?? USUAL_SHARE);
		this.budget = { requests: options.maxRequests ?? Infinity };
		this.after = options.after ?? elapsed;
	}

	async ask<Type extends DnsRecordType>(name: string, type: Type): Promise<DnsAnswer<Type>> {
		const asked = toQuestionName(name);
		if (asked === undefined) return { status: 'noSuchName' };
		await loadPublicSuffixes();
		const answer = await this.askInTime({ name: asked, type });
		// Others are given the same answer.
		return structuredClone(answer) as DnsAnswer<Type>;
	}

	/** Most failures are over in a moment. The reason of one says more than that time is up. */
	private async askInTime(question: Question): Promise<DnsAnswer> {
		const { patience } = this.options;
		if (patience === undefined) return await this.askOnce(question);
		this.end ??= {
			time: Date.now() + patience,
			reached: this.after(patience).then(() => undefined),
		};
		const { time, reached } = this.end;
		let failure: DnsAnswer = { status: 'unreachable', reason: 'there was no answer in time' };
		for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
			const answer = await Promise.race([this.askOnce(question), reached]);
			if (answer !== undefined && !('reason' in answer)) return answer;
			failure = answer ?? failure;
			const isOver = answer === undefined || Date.now() + pause >= time;
			if (isOver || this.budget.requests <= 0) return failure;
			await this.after(pause);
		}
	}

	private async askOnce(question: Question): Promise<DnsAnswer> {
		const key = [question.type, question.name, ...this.options.addresses].join(' ');
		const known = this.memory.known(key);
		if (known !== undefined) return await known;
		return await this.turns.run(async () => {
			const isOver = this.end !== undefined && Date.now() >= this.end.time;
			if (isOver || this.budget.requests <= 0 || this.options.signal?.aborted === true) {
				return { status: 'unreachable', reason: 'there was no time left for the query' };
			}
			return await (this.memory.known(key) ??
				this.memory.find(key, question, this.options, this.budget));
		});
	}
}

async function elapsed(milliseconds: number): Promise<void> {
	const signal = AbortSignal.timeout(milliseconds);
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
