/** Drops the entries set longest ago, because senders and services choose the number of keys. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
	private weight = 0;

	/** @param weigh must always return the same for an entry. One heavier than the maximum is not kept. */
	constructor(
		private readonly maxWeight: number,
		private readonly weigh: (value: Value, key: Key) => number = () => 1,
	) {
		super();
	}

	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		this.weight += this.weigh(value, key);
		for (const [oldest] of this) {
			if (this.weight <= this.maxWeight) break;
			this.delete(oldest);
		}
		return this;
	}

	override delete(key: Key): boolean {
		if (this.has(key)) this.weight -= this.weigh(this.get(key) as Value, key);
		return super.delete(key);
	}
}
