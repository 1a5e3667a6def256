import { BoundedMap, Cache, monotonicNow, requireLimit, retry, Turns } from '../../basics';
import { loadPublicSuffixes, organizationalDomain, toDomainName } from '../organizations';
import {
	DnsClient,
	failed,
	MAX_QUESTION_MS,
	NO_TIME,
	type Budget,
	type FetchBytes,
} from './client';
import type { DnsAnswer, DnsRecordType, LookedUp, Question } from './packet';

export type { Fetched, FetchBytes } from './client';
export type { DnsAnswer, DnsRecordType } from './packet';

/** Names are ASCII (IDNA), without the trailing dot, in upper or lower case. */
export interface DnsResolver {
	/** Only throws if the execution was cancelled. An alias has the records of its target. */
	ask(name: string, type: DnsRecordType): Promise<DnsAnswer>;
}

export interface DnsResolverOptions {
	addresses: readonly string[];
	fetchBytes: FetchBytes;
	signal?: AbortSignal;
	/** `LIMITS_OF_AN_EMAIL` for names that a sender chooses. */
	limits: QueryLimits;
}

/** Of one resolver. */
export interface QueryLimits {
	maxConcurrentQuestions?: number;
	/** Milliseconds for all queries together. Failed ones are repeated until then. */
	patience?: number;
	/** Requests in total. */
	maxRequests?: number;
}

/** Senders choose the names to look up, so one email gets a small share of all queries. */
export const LIMITS_OF_AN_EMAIL = {
	// A service waits for the response to a delivery; some services deliver no other mail meanwhile.
	patience: 5000,
	maxConcurrentQuestions: 2,
	// A genuine email needs three, with a related domain in its signature about eight, plus some repeats.
	maxRequests: 40,
} satisfies QueryLimits;

/** Before the first repeat; doubles each time, and becomes a little shorter by chance. */
const FIRST_PAUSE_MS = 250;

/** Of all workflows together. */
export const DNS_LIMITS = {
	/** Concurrent queries: in total, and for the names of one organization. */
	questions: 500,
	questionsOfDomain: 20,
	/** Organizations with queries. */
	domains: 2000,
	/** How long an answer is cached. Users check again minutes after adding a missing record. */
	seconds: 3600,
	secondsOfNothing: 300,
	/** Characters of the cache. */
	memory: 4_000_000,
};

const MIN_SIZE = 500;

const FAULT = failed('the query failed because of a fault in this node');

/** Shared by all workflows of a process. */
export class DnsMemory {
	private readonly answers: Cache<LookedUp>;

	private readonly client = new DnsClient();

	private readonly turns: Turns;

	private readonly turnsOfDomains: BoundedMap<string, Turns>;

	/** @throws RangeError for a wrong limit */
	constructor(private readonly limits = DNS_LIMITS) {
		for (const [name, limit] of Object.entries(limits)) requireLimit(name, limit);
		this.answers = new Cache({
			maxAge: ({ answer, seconds }) => {
				const isFound = answer.status === 'found';
				return 1000 * Math.min(seconds, isFound ? limits.seconds : limits.secondsOfNothing);
			},
			maxWeight: limits.memory,
			weigh: (known, key) => {
				const records = known?.answer.status === 'found' ? known.answer.records : [];
				return MIN_SIZE + key.length + records.join().length;
			},
		});
		this.turns = new Turns(limits.questions);
		this.turnsOfDomains = new BoundedMap(limits.domains);
	}

	/** Undefined if it must be asked. */
	known(key: string): Promise<DnsAnswer> | undefined {
		return this.answers.find(key)?.then(({ answer }) => answer);
	}

	async find(
		key: string,
		question: Question,
		{ addresses, fetchBytes }: DnsResolverOptions,
		budget: Budget,
	): Promise<DnsAnswer> {
		const lookUp = async () => {
			const end = monotonicNow() + MAX_QUESTION_MS;
			const ask = async () =>
				await this.client.lookUp(fetchBytes, addresses, question, end, budget);
			const inTurn = async () => await this.turns.run(ask);
			return await this.turnsOf(question.name)
				.run(inTurn)
				.catch(() => ({ answer: FAULT, seconds: 0 }));
		};
		return (await this.answers.once(key, lookUp)).answer;
	}

	private turnsOf(name: string): Turns {
		const domain = organizationalDomain(name) ?? name;
		const turns = this.turnsOfDomains.get(domain) ?? new Turns(this.limits.questionsOfDomain);
		this.turnsOfDomains.set(domain, turns);
		return turns;
	}
}

const MEMORY = new DnsMemory();

/** DNS over HTTPS (RFC 8484). */
export class HttpsResolver implements DnsResolver {
	private readonly turns: Turns;

	private readonly budget: Budget;

	/** The end of `patience`, which starts with the first query. */
	private end: { time: number; reached: Promise<undefined> } | undefined;

	/**
	 * @param after waits; replaced in tests, like the memory
	 * @throws RangeError for a wrong limit
	 */
	constructor(
		private readonly options: DnsResolverOptions,
		private readonly memory = MEMORY,
		private readonly after = elapsed,
	) {
		const {
			maxConcurrentQuestions = Infinity,
			maxRequests = Infinity,
			patience = 1,
		} = options.limits;
		requireLimit('patience', patience);
		this.turns = new Turns(maxConcurrentQuestions);
		this.budget = { requests: requireLimit('maxRequests', maxRequests) };
	}

	async ask(name: string, type: DnsRecordType): Promise<DnsAnswer> {
		const asked = toDomainName(name);
		if (asked === undefined) return { status: 'noSuchName' };
		await loadPublicSuffixes();
		return await this.askInTime({ name: asked, type });
	}

	/** Repeats failed queries, because most failures are short. The reason of a failure is more useful than a timeout. */
	private async askInTime(question: Question): Promise<DnsAnswer> {
		const { patience } = this.options.limits;
		if (patience === undefined) return await this.askOnce(question);
		this.end ??= {
			time: monotonicNow() + patience,
			reached: this.after(patience).then(() => undefined),
		};
		const { time, reached } = this.end;
		let last = failed('there was no answer in time');
		const isFailed = async () => {
			const answer = await Promise.race([this.askOnce(question), reached]);
			last = answer ?? last;
			return answer !== undefined && 'reason' in answer;
		};
		await retry(isFailed, {
			mayPass: (isRepeatable) => isRepeatable && this.budget.requests > 0,
			firstDelay: FIRST_PAUSE_MS,
			maxDelay: Infinity,
			total: time - monotonicNow(),
			wait: async (milliseconds) => {
				await this.after(milliseconds);
				return true;
			},
		});
		return last;
	}

	private async askOnce(question: Question): Promise<DnsAnswer> {
		const key = [question.type, question.name, ...this.options.addresses].join(' ');
		const known = this.memory.known(key);
		if (known !== undefined) return await known;
		return await this.turns.run(async () => {
			const isOver = this.end !== undefined && monotonicNow() >= this.end.time;
			if (isOver || this.budget.requests <= 0 || this.options.signal?.aborted === true) {
				return failed(NO_TIME);
			}
			return await this.memory.find(key, question, this.options, this.budget);
		});
	}
}

async function elapsed(milliseconds: number): Promise<void> {
	const signal = AbortSignal.timeout(Math.ceil(milliseconds));
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** Queries about one domain or email. Collects the unanswered ones. */
export class Questions implements DnsResolver {
	/** `TXT of example.com`, in the order of the failures. */
	readonly unanswered: string[] = [];

	private readonly reasons: string[] = [];

	hasAnswers = false;

	constructor(private readonly resolver: DnsResolver) {}

	/** The first reason in alphabetical order. Contains hosts of resolvers, but nothing from an email. */
	get whyUnanswered(): string {
		return this.reasons.toSorted()[0] ?? '';
	}

	async ask(name: string, type: DnsRecordType): Promise<DnsAnswer> {
		const answer = await this.resolver.ask(name, type);
		if ('reason' in answer) {
			this.unanswered.push(`${type} of ${name}`);
			this.reasons.push(answer.reason);
		} else {
			this.hasAnswers = true;
		}
		return answer;
	}

	/** May be empty; undefined if the query was not answered. */
	async records(name: string, type: DnsRecordType): Promise<readonly string[] | undefined> {
		const answer = await this.ask(name, type);
		if ('reason' in answer) return undefined;
		return answer.status === 'found' ? answer.records : [];
	}
}
