import type { WebhookState } from '../../shared/webhookDiff';

/**
 * What this process wrote to the service at one address of a node. A service may show for a while what was
 * there before ("read your writes" is not promised anywhere): what is known to have been done counts more.
 */
export class OwnWrites {
	/** By subscription ID, the last value written to each field. */
	private readonly written = new Map<string, WebhookState>();

	private readonly deleted = new Set<string>();

	/** Attempts in a row to create one whose answers were lost. */
	private lostCreations = 0;

	/** Milliseconds since 1970. */
	private lostAt = -Infinity;

	/** Notes a creation or a change that the service confirmed. */
	wrote(id: string, fields: WebhookState): void {
		this.written.set(id, { ...this.written.get(id), ...fields });
		this.lostCreations = 0;
		this.lostAt = -Infinity;
	}

	/** Notes a deletion, or that there is nothing under an ID. */
	removed(id: string): void {
		this.written.delete(id);
		this.deleted.add(id);
	}

	/** What was last written to a subscription. */
	lastTo(id: string): WebhookState {
		return this.written.get(id) ?? {};
	}

	isRemoved(id: string): boolean {
		return this.deleted.has(id);
	}

	/** IDs of the subscriptions that were written to and not deleted. */
	ids(): string[] {
		return [...this.written.keys()];
	}

	/** @param now milliseconds since 1970 */
	lostCreation(now: number): void {
		this.lostCreations++;
		this.lostAt = now;
	}

	/**
	 * Until when what may have been created can still show up, and nothing is to be created in its place: half
	 * an hour, and twice as long after each further one.
	 *
	 * @returns milliseconds since 1970
	 */
	awaitedUntil(): number {
		return this.lostAt + HALF_AN_HOUR * 2 ** Math.min(this.lostCreations - 1, LONGEST_DOUBLING);
	}
}

const HALF_AN_HOUR = 30 * 60_000;

/** Ends at a day and a bit. */
const LONGEST_DOUBLING = 6;
