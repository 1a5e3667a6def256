import { requireLimit } from './concurrency';
import { monotonicNow } from './time';

/** Drops the entries set longest ago, because senders and services choose the number of keys. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
	/** What each entry weighed when it was set. */
	private readonly weights = new Map<Key, number>();

	private weight = 0;

	/**
	 * @param maxWeight of all entries together
	 * @param weigh default: 1. An entry heavier than the maximum is not kept.
	 * @param isInUse such entries are kept, even beyond the maximum
	 */
	constructor(
		private readonly maxWeight: number,
		private readonly weigh: (value: Value, key: Key) => number = () => 1,
		private readonly isInUse: (value: Value) => boolean = () => false,
	) {
		super();
		requireLimit('maxWeight', maxWeight);
	}

	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		const added = this.weigh(value, key);
		this.weights.set(key, added);
		this.weight += added;
		if (added > this.maxWeight) this.delete(key);
		else this.dropOldest(key);
		return this;
	}

	private dropOldest(added: Key): void {
		for (const [oldest, candidate] of this) {
			if (this.weight <= this.maxWeight) return;
			const isKept = oldest === added || this.isInUse(candidate);
			if (!isKept) this.delete(oldest);
		}
	}

	override delete(key: Key): boolean {
		this.weight -= this.weights.get(key) ?? 0;
		this.weights.delete(key);
		return super.delete(key);
	}
}

export interface Dated<Answer> {
	answer: Answer;
	/** When the question was asked, as `monotonicNow` returned it. */
	askedAt: number;
}

interface CacheEntry<Answer> {
	/** Missing before the first answer. */
	last?: Dated<Answer>;
	/** Missing if the question is not being asked. */
	pending?: Promise<Answer>;
}

/** Milliseconds, or a function of the answer. */
type MaxAge<Answer> = number | ((answer: Answer) => number);

export interface CacheOptions<Answer> {
	/** How long an answer is used again; default: for ever. */
	maxAge?: MaxAge<Answer>;
	/** The limit for all entries together; default: unlimited. */
	maxWeight?: number;
	/** The weight of an entry; default: 1. @param answer undefined while it is awaited */
	weigh?: (answer: Answer | undefined, question: string) => number;
	/** The clock; default: `monotonicNow`. */
	now?: () => number;
}

/** Asks each question once for all that ask at the same time, and again if it failed or its answer is too old. */
export class Cache<Value = unknown> {
	private readonly entries: BoundedMap<string, CacheEntry<Value>>;

	private readonly maxAge: MaxAge<Value>;

	private readonly now: () => number;

	constructor(options: CacheOptions<Value> = {}) {
		const {
			maxAge = Infinity,
			maxWeight = Infinity,
			weigh = () => 1,
			now = monotonicNow,
		} = options;
		this.maxAge = maxAge;
		this.now = now;
		this.entries = new BoundedMap(maxWeight, ({ last }, question) => weigh(last?.answer, question));
	}

	/**
	 * The answer that is known or awaited, or else a new one.
	 *
	 * @param maxAge 0 shares a question that is being asked, but no earlier answer
	 */
	async once<Answer extends Value>(
		question: string,
		ask: () => Promise<Answer>,
		maxAge: MaxAge<Value> = this.maxAge,
	): Promise<Answer> {
		const known = this.find(question, maxAge);
		if (known) return (await known) as Answer;
		const askedAt = this.now();
		const pending = ask();
		this.entries.set(question, { last: this.last(question), pending });
		try {
			const answer = await pending;
			if (this.isAwaited(question, pending)) this.note(question, answer, askedAt);
			return answer;
		} finally {
			if (this.isAwaited(question, pending)) {
				this.entries.set(question, { last: this.last(question) });
			}
		}
	}

	/** False after `forget`, or if the entry was dropped. */
	private isAwaited(question: string, pending: Promise<Value>): boolean {
		return this.entries.get(question)?.pending === pending;
	}

	/** The answer that is awaited or not too old. */
	find(question: string, maxAge = this.maxAge): Promise<Value> | undefined {
		const { last, pending } = this.entries.get(question) ?? {};
		if (pending || !last) return pending;
		const limit = typeof maxAge === 'number' ? maxAge : maxAge(last.answer);
		const age = this.now() - last.askedAt;
		if (age >= limit) return undefined;
		return Promise.resolve(last.answer);
	}

	/** The last answer, of any age. */
	last(question: string): Dated<Value> | undefined {
		return this.entries.get(question)?.last;
	}

	/** Keeps an answer, unless a newer one is known. */
	note(question: string, answer: Value, askedAt = this.now()): void {
		const { last, pending } = this.entries.get(question) ?? {};
		if (last && last.askedAt > askedAt) return;
		this.entries.set(question, { last: { answer, askedAt }, pending });
	}

	/** An answer that is awaited is not kept either. */
	forget(question: string): void {
		this.entries.delete(question);
	}
}
