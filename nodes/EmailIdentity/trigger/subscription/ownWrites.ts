import type { WebhookState } from '../../shared/webhookDiff';

/**
 * What this process wrote to the service at one address of a node. A service may show for a while what was
 * there before ("read your writes" is not promised anywhere): what is known to have been done counts more.
 */
export class OwnWrites {
	/** By subscription ID, the last value of each field that the service was asked to write. */
	private readonly tried = new Map<string, WebhookState>();

	/** The same, as far as the service said that it is done. */
	private readonly done = new Map<string, WebhookState>();

	private readonly deleted = new Set<string>();

	/** Attempts in a row to create one whose answers were lost. */
	private lostCreations = 0;

	/** Milliseconds since 1970. */
	private lostAt = -Infinity;

	/** Notes what the service is about to be asked: its answer may be lost. */
	asking(id: string, fields: WebhookState): void {
		this.tried.set(id, { ...this.tried.get(id), ...fields });
		const certain = Object.entries(this.done.get(id) ?? {}).filter(([field]) => !(field in fields));
		this.done.set(id, Object.fromEntries(certain));
	}

	/** Notes a creation or a change that the service confirmed. */
	wrote(id: string, fields: WebhookState): void {
		this.tried.set(id, { ...this.tried.get(id), ...fields });
		this.done.set(id, { ...this.done.get(id), ...fields });
		this.lostCreations = 0;
		this.lostAt = -Infinity;
	}

	/** Notes a deletion, or that there is nothing under an ID. */
	removed(id: string): void {
		this.refused(id);
		this.deleted.add(id);
	}

	/** Notes that a subscription is another account's. */
	refused(id: string): void {
		this.tried.delete(id);
		this.done.delete(id);
	}

	/** What a subscription may have been made. */
	lastAskedOf(id: string): WebhookState {
		return this.tried.get(id) ?? {};
	}

	/** What a subscription was made. */
	lastWrittenTo(id: string): WebhookState {
		return this.done.get(id) ?? {};
	}

	isRemoved(id: string): boolean {
		return this.deleted.has(id);
	}

	/** IDs of the subscriptions that may be there. */
	ids(): string[] {
		return [...this.tried.keys()];
	}

	/** Whether a subscription that this process made or changed may be switched on. */
	mayHaveLeftOneOn(): boolean {
		return this.lostCreations > 0 || this.ids().some((id) => this.done.get(id)?.enabled !== false);
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
