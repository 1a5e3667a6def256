/**
 * A map in bounded memory: what was set longest ago is forgotten first. Strangers and services choose how many keys there
 * are.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
	private weight = 0;

	/**
	 * @param most how much is kept: keys, or what they weigh together
	 * @param weigh what a value weighs with its key, always the same; what weighs more than all is not kept
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

	override clear(): void {
		super.clear();
		this.weight = 0;
	}
}
