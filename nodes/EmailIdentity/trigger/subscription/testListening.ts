import type { TestSubscription } from './observedState';

/** n8n listens for two minutes; 2.x lets some callers ask for more, `TEST_WEBHOOK_MAX_TIMEOUT`. In milliseconds. */
const LONGEST_LISTENING = 30 * 60_000;

/** Subscriptions; far more than people listen for at a time. */
const MOST_REMEMBERED = 1000;

/**
 * Tells which test subscriptions are in use. Only this n8n's clock counts: the service's may be wrong, and its
 * times may have no zone.
 */
export class TestListening {
	/** By webhook path, when this process last began to listen. Milliseconds since 1970. */
	private readonly begun = new Map<string, number>();

	/** By subscription ID, when this process first saw it. Milliseconds since 1970. */
	private readonly firstSeen = new Map<string, number>();

	constructor(private readonly now: () => number) {}

	begin(webhookPath: string): void {
		this.begun.set(webhookPath, this.now());
	}

	end(webhookPath: string): void {
		this.begun.delete(webhookPath);
	}

	/**
	 * Whether nobody can be listening any more. `kill -9` leaves subscriptions behind, and so does n8n 1.x, which
	 * forgets those of all workflows when one has received its event (`registrations.deregisterAll`).
	 *
	 * @param isStarting whether n8n has only just started: nobody listened before
	 */
	isLeftBehind({ webhook: { id }, webhookPath }: TestSubscription, isStarting: boolean): boolean {
		const begun = this.begun.get(webhookPath) ?? -Infinity;
		const seen = this.firstSeen.get(id) ?? this.now();
		this.remember(id, seen);
		return this.isOver(begun) && (isStarting || this.isOver(seen));
	}

	private remember(id: string, seen: number): void {
		const [oldest] = this.firstSeen.keys();
		if (this.firstSeen.size >= MOST_REMEMBERED && oldest) this.firstSeen.delete(oldest);
		this.firstSeen.set(id, seen);
	}

	private isOver(since: number): boolean {
		return this.now() - since > LONGEST_LISTENING;
	}
}
