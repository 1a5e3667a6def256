import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

/** Thrown by what waits for an n8n process that has died. */
export class Crashed extends Error {
	override name = 'Crashed';
}

const never = new Promise<never>(() => {});

/**
 * What keeps an n8n process running. It can be cut before or after any of the process's requests; from
 * then on no code of that process gets any further.
 */
export class Power {
	/** How many moments, two for each request, the process still lives. */
	private left = Infinity;

	private dead = false;

	private die: () => void = () => {};

	private readonly died = new Promise<never>((_, reject) => {
		this.die = () => reject(new Crashed('n8n was killed'));
	});

	constructor() {
		this.died.catch(() => {});
	}

	/** Lets the process die after that many moments: 0 is before its next request, 1 after its answer. */
	cutAfter(moments: number): void {
		this.left = moments;
	}

	keep(): void {
		this.left = Infinity;
	}

	/** Runs code of the process. @throws Crashed when the process dies meanwhile */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.dead) return await this.died;
		return await Promise.race([work(), this.died]);
	}

	/** Makes the requests of a context depend on this power. */
	supply<Context extends IHookFunctions | ITriggerFunctions>(context: Context): Context {
		const { helpers } = context;
		const request = helpers.httpRequestWithAuthentication;
		const pass = async () => await this.passMoment();
		helpers.httpRequestWithAuthentication = async function (...parameters) {
			await pass();
			const answer: unknown = await request.apply(this, parameters);
			await pass();
			return answer;
		};
		return context;
	}

	private async passMoment(): Promise<void> {
		if (!this.dead && this.left-- > 0) return;
		this.dead = true;
		this.die();
		await never;
	}
}
