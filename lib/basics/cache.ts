import { requireLimit } from './concurrency';
import { monotonicNow } from './time';

/** Drops the entries set longest ago, because senders and services choose the number of keys. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
	private weight = 0;

	/**
	 * @param weigh must always return the same for an entry. One heavier than the maximum is not kept.
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
		this.weight += added;
		for (const [oldest, candidate] of this) {
			if (this.weight <= this.maxWeight) break;
			const isKept = oldest === key ? added <= this.maxWeight : this.isInUse(candidate);
			if (!isKept) this.delete(oldest);
		}
		return this;
	}

	override delete(key: Key): boolean {
		if (this.has(key)) this.weight -= this.weigh(this.get(key) as Value, key);
		return super.delete(key);
	}
}

/** An answer and when it was asked for, see `monotonicNow`. */
export interface Dated<Answer> {
	answer: Answer;
	askedAt: number;
}

interface CacheEntry<Answer> {
	last?: Dated<Answer>;
	pending?: Promise<Answer>;
}

/** Milliseconds, or a function of the answer. */
type MaxAge<Answer> = number | ((answer: Answer) => number);

export interface CacheOptions<Answer> {
	/** Default: answers are used again for ever. */
	maxAge?: MaxAge<Answer>;
	/** Of all entries together; default: unlimited. */
	maxWeight?: number;
	/** Default: 1. @param answer undefined while it is awaited */
	weigh?: (answer: Answer | undefined, question: string) => number;
	/** Default: `monotonicNow`. */
	now?: () => number;
}

/** Asks each question once for all that ask at the same time, and again if it failed or its answer is too old. */
export class Cache<Value = unknown> {
	private readonly entries: BoundedMap<string, CacheEntry<Value>>;

	private readonly maxAge: MaxAge<Value>;

	private readonly now: () => number;

	constructor({
		maxAge = Infinity,
		maxWeight = Infinity,
		weigh,
		now = monotonicNow,
	}: CacheOptions<Value> = {}) {
		this.maxAge = maxAge;
		this.now = now;
		this.entries = new BoundedMap(
			maxWeight,
			weigh && (({ last }, question) => weigh(last?.answer, question)),
		);
	}

	/** @param maxAge 0 shares a question that is being asked, but no earlier answer */
	async once<Answer extends Value>(
		question: string,
		ask: () => Promise<Answer>,
		maxAge: MaxAge<Value> = this.maxAge,
	): Promise<Answer> {
		const known = this.find(question, maxAge);
		if (known) return (await known) as Answer;
		const askedAt = this.now();
		const pending = ask();
		const isPending = () => this.entries.get(question)?.pending === pending;
		this.entries.set(question, { last: this.last(question), pending });
		try {
			const answer = await pending;
			if (isPending()) this.note(question, answer, askedAt);
			return answer;
		} finally {
			if (isPending()) this.entries.set(question, { last: this.last(question) });
		}
	}

	/** The answer that is awaited or not too old. */
	find(question: string, maxAge = this.maxAge): Promise<Value> | undefined {
		const { last, pending } = this.entries.get(question) ?? {};
		if (pending || !last) return pending;
		const limit = typeof maxAge === 'number' ? maxAge : maxAge(last.answer);
		return this.now() - last.askedAt < limit ? Promise.resolve(last.answer) : undefined;
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
