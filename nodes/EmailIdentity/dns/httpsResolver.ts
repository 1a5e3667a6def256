import { NodeOperationError } from 'n8n-workflow';
import { executionSignal, whenAborted } from '../api/cancellation';
import type { ApiContext } from '../api/types';
import { Turns } from '../lib/concurrency';
import { AnswerCache } from './answerCache';
import { lookUp } from './lookUp';
import type { Question } from './message';
import { toQuestionName } from './names';
import type { DnsAnswer, DnsRecordType, DnsResolver } from './resolver';
import { SharedWork } from './sharedWork';

export interface DnsResolverOptions {
	/** Addresses of resolvers in the order of use, as `readDnsResolvers` gives them. */
	addresses: readonly string[];
	/** Ends questions early; without it, the cancelling of the execution does. */
	signal?: AbortSignal;
	/** Milliseconds that a question may take in all, from its turn on: all resolvers, and where aliases lead. */
	patience?: number;
	/** How many questions may be under way at a time; others wait for their turn. */
	maxConcurrentQuestions?: number;
}

/** Resolvers give up on a domain after about as long. */
const PATIENCE = 6000;

/** A question ends by itself when its patience does, and then tells why; milliseconds. */
const GRACE = 250;

const MOST_QUESTIONS = 50;

/** What those are told whose patience ends before that of the one who asked first. */
const IMPATIENT: DnsAnswer = { status: 'unreachable', reason: 'there was no answer in time' };

/** What all workflows of this process know, and what is being found out. */
const answers = new AnswerCache();
const underWay = new SharedWork<DnsAnswer>();

/**
 * Asks the DNS over HTTPS (RFC 8484). What was answered is known to all workflows until it expires, and equal questions
 * are asked once.
 *
 * @param context sends the requests
 */
export function createDnsResolver(context: ApiContext, options: DnsResolverOptions): DnsResolver {
	return new HttpsResolver(context, options);
}

class HttpsResolver implements DnsResolver {
	private readonly addresses: readonly string[];

	private readonly patience: number;

	private readonly signal: AbortSignal | undefined;

	private readonly turns: Turns;

	constructor(
		private readonly context: ApiContext,
		options: DnsResolverOptions,
	) {
		this.addresses = options.addresses;
		this.patience = options.patience ?? PATIENCE;
		this.signal = options.signal ?? executionSignal(context);
		this.turns = new Turns(options.maxConcurrentQuestions ?? MOST_QUESTIONS);
	}

	async ask<Type extends DnsRecordType>(name: string, type: Type): Promise<DnsAnswer<Type>> {
		const asked = toQuestionName(name);
		if (asked === undefined) return { status: 'noSuchName' };
		const key = [type, asked, ...this.addresses].join(' ');
		const answer = answers.get(key) ?? (await this.find(key, { name: asked, type }));
		// Others are given the same answer.
		return structuredClone(answer) as DnsAnswer<Type>;
	}

	private async find(key: string, question: Question): Promise<DnsAnswer> {
		const cancelled = whenAborted(this.signal);
		try {
			const answer = await Promise.race([
				this.turns.run(async () => await this.join(key, question, cancelled.promise)),
				cancelled.promise,
			]);
			if (answer !== undefined && !this.signal?.aborted) return answer;
			throw new NodeOperationError(this.context.getNode(), 'The execution was cancelled');
		} finally {
			cancelled.stop();
		}
	}

	/** Asks, or waits for the answer that another one has asked for; until the patience is at its end. */
	private async join(
		key: string,
		question: Question,
		cancelled: Promise<void>,
	): Promise<DnsAnswer | undefined> {
		if (this.signal?.aborted) return undefined;
		// Asked while this one waited for its turn.
		const known = answers.get(key);
		if (known !== undefined) return known;
		const expired = whenAborted(AbortSignal.timeout(this.patience + GRACE));
		const begin = async (ended: AbortSignal) => await this.lookUp(key, question, ended);
		try {
			return await Promise.race([
				underWay.join(key, begin, Promise.race([cancelled, expired.promise])),
				expired.promise.then(() => IMPATIENT),
			]);
		} finally {
			expired.stop();
		}
	}

	private async lookUp(key: string, question: Question, ended: AbortSignal): Promise<DnsAnswer> {
		const { context, addresses, patience } = this;
		const { answer, seconds } = await lookUp(context, addresses, question, patience, ended);
		if (!('reason' in answer)) answers.set(key, answer, seconds);
		return answer;
	}
}
