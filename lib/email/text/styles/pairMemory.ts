/** Remembers what was made for two objects. One that is full forgets everything. */
export class PairMemory<Value> {
	private readonly values = new Map<object, Map<object, Value>>();

	private size = 0;

	/** @param maxSize how many values are kept */
	constructor(private readonly maxSize: number) {}

	get(first: object, second: object): Value | undefined {
		return this.values.get(first)?.get(second);
	}

	set(first: object, second: object, value: Value): void {
		if (this.size >= this.maxSize) {
			this.values.clear();
			this.size = 0;
		}
		const ofFirst = this.values.get(first) ?? new Map<object, Value>();
		ofFirst.set(second, value);
		this.values.set(first, ofFirst);
		this.size++;
	}
}
