/** Lets work through, so much at a time: first come, first served. */
export class Turns {
	protected underWay = 0;

	private readonly waiting: Array<() => void> = [];

	/** @param bound how much may be under way at most */
	constructor(protected readonly bound: number) {}

	/** Does the work when it is its turn. */
	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.isOpen()) this.underWay++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			this.underWay--;
			this.admit();
		}
	}

	/** Whether more may begin now. */
	protected isOpen(): boolean {
		return this.underWay < this.bound;
	}

	/** Lets those begin that wait, as many as may. */
	protected admit(): void {
		while (this.waiting.length > 0 && this.isOpen()) {
			this.underWay++;
			this.waiting.shift()?.();
		}
	}
}
