/**
 * A map with bounded memory that drops the entries set longest ago. Needed because senders and services choose the number
 * of keys.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
	private weight = 0;

	/**
	 * @param most the maximum number of entries, or their maximum total weight
	 * @param weigh the weight of an entry; must not change. An entry heavier than the maximum is not kept.
	 */
	constructor(
		private readonly most: number,
		private readonly weigh: (value: Value, key: Key) => number = () => 1,
	) {
		super();
	}

	/** Setting a known key makes it the newest. */
	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		this.weight += this.weigh(value, key);
		for (const [oldest] of this) {
			if (this.weight <= this.most) break;
			this.delete(oldest);
		}
		return this;
	}

	override delete(key: Key): boolean {
		if (this.has(key)) this.weight -= this.weigh(this.get(key) as Value, key);
		return super.delete(key);
	}
}
