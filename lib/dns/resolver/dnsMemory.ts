import { BoundedMap, Cache, Limiter, monotonicNow, requireLimit } from '../../basics';
import { DnsClient, failed, MAX_QUESTION_MS, type Budget, type DnsAccess } from './dnsOverHttps';
import type { DnsAnswer, LookedUp, Question } from './packet';

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

/** Characters that an answer without records counts as. */
const MIN_SIZE = 500;

const FAULT = failed('the query failed because of a fault in this node');

/** A question to certain resolvers. */
export interface Query {
	question: Question;
	access: DnsAccess;
	/** The registered domain of the name, or the name itself. */
	organization: string;
}

/** Answers, and the limits of those who ask: shared by all workflows of a process. */
export class DnsMemory {
	private readonly answers: Cache<LookedUp>;

	private readonly client = new DnsClient();

	private readonly limiter: Limiter;

	private readonly limiterOfDomain: BoundedMap<string, Limiter>;

	/** @throws RangeError for a wrong limit */
	constructor(private readonly limits = DNS_LIMITS) {
		for (const [name, limit] of Object.entries(limits)) requireLimit(name, limit);
		this.answers = new Cache({
			maxAge: (lookedUp) => this.maxAgeOf(lookedUp),
			maxWeight: limits.memory,
			weigh: weightOf,
		});
		this.limiter = new Limiter(limits.questions);
		this.limiterOfDomain = new BoundedMap(limits.domains);
	}

	/** The cached answer, or the one that is awaited; undefined if the query must be sent. */
	known(query: Query): Promise<DnsAnswer> | undefined {
		return this.answers.find(cacheKeyOf(query))?.then(({ answer }) => answer);
	}

	/** The known answer, or that of the resolvers. */
	async find(query: Query, budget: Budget): Promise<DnsAnswer> {
		const lookUp = async () => await this.lookUpInTurn(query, budget);
		const { answer } = await this.answers.once(cacheKeyOf(query), lookUp);
		return answer;
	}

	/** Waits for a turn of the organization, then for one in total. The time for the query includes both. */
	private async lookUpInTurn(query: Query, budget: Budget): Promise<LookedUp> {
		const { question, access, organization } = query;
		const end = monotonicNow() + MAX_QUESTION_MS;
		const lookUp = async () => await this.client.lookUp(question, access, end, budget);
		const lookUpInTotal = async () => await this.limiter.run(lookUp);
		try {
			return await this.limiterOf(organization).run(lookUpInTotal);
		} catch {
			return { answer: FAULT, seconds: 0 };
		}
	}

	private limiterOf(organization: string): Limiter {
		const known = this.limiterOfDomain.get(organization);
		const limiter = known ?? new Limiter(this.limits.questionsOfDomain);
		this.limiterOfDomain.set(organization, limiter);
		return limiter;
	}

	/** Milliseconds. */
	private maxAgeOf({ answer, seconds }: LookedUp): number {
		const { limits } = this;
		const most = answer.status === 'found' ? limits.seconds : limits.secondsOfNothing;
		return 1000 * Math.min(seconds, most);
	}
}

const cacheKeyOf = ({ question, access }: Query): string =>
	[question.type, question.name, ...access.addresses].join(' ');

/** @param lookedUp undefined while the answer is awaited */
function weightOf(lookedUp: LookedUp | undefined, key: string): number {
	const answer = lookedUp?.answer;
	const records = answer?.status === 'found' ? answer.records.join() : '';
	return MIN_SIZE + key.length + records.length;
}
