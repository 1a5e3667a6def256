import { BoundedMap } from '../shared/boundedMap';

/** How long a resolver that did not answer is asked last, in milliseconds. */
const ASKED_LAST = 30_000;

const MOST_RESOLVERS = 100;

/** In what order resolvers are asked: as the user has it, but those that just did not answer after the others. */
export class ResolverOrder {
	/** When each did not answer, in milliseconds since 1970. */
	private readonly silent = new BoundedMap<string, number>(MOST_RESOLVERS);

	order(addresses: readonly string[]): string[] {
		const isSilent = (address: string) =>
			Date.now() - (this.silent.get(address) ?? -Infinity) < ASKED_LAST;
		return [...addresses.filter((address) => !isSilent(address)), ...addresses.filter(isSilent)];
	}

	learn(address: string, isSilent: boolean): void {
		if (isSilent) this.silent.set(address, Date.now());
		else this.silent.delete(address);
	}
}
