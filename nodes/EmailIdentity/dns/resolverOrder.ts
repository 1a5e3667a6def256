import { BoundedMap } from '../lib/boundedMap';

/**
 * What the last question told of a resolver: it answered; there is none at its address; or it did not answer, for which the
 * domain that was asked about may be to blame.
 */
export type Standing = 'answers' | 'doubted' | 'down';

/** How long it is remembered that one did not answer, in milliseconds. */
const REMEMBERED = 30_000;

/** How long one that is doubted may keep a better one waiting, in milliseconds: for what it knows itself it takes less. */
const SHORT_WAIT = 1000;

const MOST_RESOLVERS = 100;

/**
 * In what order resolvers are asked, and how long one may keep the next one waiting.
 *
 * As the user has it, but for a while those that are down after the others. One that took too long, or sent what cannot be
 * read, keeps its place and is waited for less long: it may be down, too, but whoever writes an email chooses which domains
 * are asked about. By a domain whose servers are slow nobody must have the questions of others go to the next resolver, which
 * may know nothing of the names in the user's own network, and say that they do not exist.
 */
export class ResolverOrder {
	/** Those that did not answer, with the time, in milliseconds since 1970. */
	private readonly silent = new BoundedMap<string, { standing: Standing; since: number }>(
		MOST_RESOLVERS,
	);

	order(addresses: readonly string[]): string[] {
		const isDown = (address: string) => this.standingOf(address) === 'down';
		return [...addresses.filter((address) => !isDown(address)), ...addresses.filter(isDown)];
	}

	/**
	 * @param behind who is asked after it
	 * @returns milliseconds; Infinity where nothing is gained by hurrying
	 */
	longestWait(address: string, behind: readonly string[]): number {
		const isWorthHurrying = behind.some((other) => this.standingOf(other) === 'answers');
		return this.standingOf(address) === 'doubted' && isWorthHurrying ? SHORT_WAIT : Infinity;
	}

	learn(address: string, standing: Standing): void {
		if (standing === 'answers') this.silent.delete(address);
		else this.silent.set(address, { standing, since: Date.now() });
	}

	/** One of which nothing is known counts as good. */
	private standingOf(address: string): Standing {
		const known = this.silent.get(address);
		return known && Date.now() - known.since < REMEMBERED ? known.standing : 'answers';
	}
}
