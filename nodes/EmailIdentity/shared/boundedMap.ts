/**
 * What is remembered in bounded memory, by key: what was set longest ago is forgotten first. Strangers and services choose
 * how many keys there are.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
	/** @param most how many keys are kept */
	constructor(private readonly most: number) {
		super();
	}

	/** Also what was known before counts as new then. */
	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		const [oldest] = this.keys();
		if (this.size > this.most) this.delete(oldest as Key);
		return this;
	}
}
