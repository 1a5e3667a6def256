import { Limiter, monotonicNow, requireLimit, retry } from '../../basics';
import { toDomainName } from '../domainNames';
import { loadPublicSuffixes } from '../publicSuffixes';
import { failed, NO_TIME, type Budget, type DnsAccess } from './dnsOverHttps';
import { DnsMemory, type Query } from './dnsMemory';
import type { DnsAnswer, DnsRecordType } from './packet';

/** Names are ASCII (IDNA), without the trailing dot, in upper or lower case. */
export interface DnsResolver {
	/** Only throws if the execution was cancelled. An alias has the records of its target. */
	ask(name: string, type: DnsRecordType): Promise<DnsAnswer>;
}

export interface DnsResolverOptions extends DnsAccess {
	/** Aborted when the execution is cancelled; then nothing more is asked. */
	signal?: AbortSignal;
	/** `LIMITS_OF_AN_EMAIL` for names that a sender chooses. */
	limits: QueryLimits;
}

/** Limits of one resolver. */
export interface QueryLimits {
	/** Default: unlimited. */
	maxConcurrentQuestions?: number;
	/** Milliseconds for all queries together. Failed ones are repeated until then. Default: each query is sent once. */
	patience?: number;
	/** Requests in total. Default: unlimited. */
	maxRequests?: number;
}

/**
 * A sender chooses the names to look up, for example in twenty signatures. Without limits, an email could make n8n query thousands of names,
 * or wait for name servers of the sender that never answer, while other mail waits behind it. So each gets a small share.
 */
export const LIMITS_OF_AN_EMAIL = {
	// A service waits for the response to a delivery; some services deliver no other mail meanwhile.
	patience: 5000,
	maxConcurrentQuestions: 2,
	// A genuine email needs three, with a related domain in its signature about eight, plus some repeats.
	maxRequests: 40,
} satisfies QueryLimits;

/** Before the first repeat; doubles each time, and becomes a little shorter by chance. */
const FIRST_PAUSE_MS = 250;

const TIME_IS_UP = 'timeIsUp' as const;

/** The end of `patience`, which starts with the first query. */
interface Deadline {
	/** See `monotonicNow`. */
	time: number;
	reached: Promise<typeof TIME_IS_UP>;
}

const MEMORY = new DnsMemory();

/** Asks for one email or execution: through the memory, and within limits. Failed queries are repeated. */
export class HttpsResolver implements DnsResolver {
	private readonly limiter: Limiter;

	private readonly budget: Budget;

	/** Undefined before the first query, and always without `patience`. */
	private deadline: Deadline | undefined;

	/**
	 * @param wait replaced in tests, like the memory
	 * @throws RangeError for a wrong limit
	 */
	constructor(
		private readonly options: DnsResolverOptions,
		private readonly memory = MEMORY,
		private readonly wait = elapsed,
	) {
		const { maxConcurrentQuestions, maxRequests, patience } = options.limits;
		if (patience !== undefined) requireLimit('patience', patience);
		this.limiter = new Limiter(maxConcurrentQuestions ?? Infinity);
		this.budget = { requests: requireLimit('maxRequests', maxRequests ?? Infinity) };
	}

	async ask(name: string, type: DnsRecordType): Promise<DnsAnswer> {
		const asked = toDomainName(name);
		if (asked === undefined) return { status: 'noSuchName' };
		const suffixes = await loadPublicSuffixes();
		const organization = suffixes.organizationOf(asked) ?? asked;
		const query = { question: { name: asked, type }, access: this.options, organization };
		const { patience } = this.options.limits;
		if (patience === undefined) return await this.askOnce(query);
		this.deadline ??= this.startDeadline(patience);
		return await this.askUntil(this.deadline, query);
	}

	private startDeadline(patience: number): Deadline {
		const reached = this.wait(patience).then(() => TIME_IS_UP);
		return { time: monotonicNow() + patience, reached };
	}

	/** Repeats a failed query, because most failures are short. The reason of a failure is more useful than a timeout. */
	private async askUntil({ time, reached }: Deadline, query: Query): Promise<DnsAnswer> {
		let last = failed('there was no answer in time');
		const attempt = async () => {
			const answer = await Promise.race([this.askOnce(query), reached]);
			if (answer !== TIME_IS_UP) last = answer;
			return answer;
		};
		await retry(attempt, {
			mayPass: (answer) =>
				answer !== TIME_IS_UP && answer.status === 'failed' && this.budget.requests > 0,
			firstDelay: FIRST_PAUSE_MS,
			maxDelay: Infinity,
			total: time - monotonicNow(),
			wait: async (milliseconds) => {
				await this.wait(milliseconds);
				// Not aborted.
				return true;
			},
		});
		return last;
	}

	/** A known answer costs nothing; otherwise the query waits for its turn, and then may be too late. */
	private async askOnce(query: Query): Promise<DnsAnswer> {
		const known = this.memory.known(query);
		if (known !== undefined) return await known;
		return await this.limiter.run(async () => {
			if (this.mayNotAsk()) return failed(NO_TIME);
			return await this.memory.find(query, this.budget);
		});
	}

	private mayNotAsk(): boolean {
		const isOver = this.deadline !== undefined && monotonicNow() >= this.deadline.time;
		const isCancelled = this.options.signal?.aborted === true;
		return isOver || isCancelled || this.budget.requests <= 0;
	}
}

/** Code of n8n nodes may not use timers. */
async function elapsed(milliseconds: number): Promise<void> {
	const signal = AbortSignal.timeout(Math.ceil(milliseconds));
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
