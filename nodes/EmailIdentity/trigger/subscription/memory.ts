import { BoundedMap } from '../../lib/boundedMap';
import type { WebhookState } from '../../shared/webhookDiff';

const MINUTE = 60_000;

/** Milliseconds. n8n listens for two minutes; 2.x lets some callers ask for more, `TEST_WEBHOOK_MAX_TIMEOUT`. */
const MAX_LISTENING = 30 * MINUTE;

/** Far more than people listen for at a time. */
const MAX_REMEMBERED_TESTS = 1000;

/** Milliseconds. How long a creation without an answer can still show up: twice as long after each further one. */
const CREATION_WAIT = 30 * MINUTE;

/** Ends at 32 hours. */
const MAX_DOUBLINGS = 6;

/** What one subscription was asked to be. */
export interface Written {
	/** The last value of each field that the service was asked to write: its answer may be lost. */
	asked: WebhookState;
	/** The same, as far as the service confirmed it. */
	confirmed: WebhookState;
}

const NOTHING_WRITTEN: Written = { asked: {}, confirmed: {} };

/**
 * What this process wrote to the service at one address of a node. A service may show for a while what was
 * there before ("read your writes" is not promised anywhere): what is known to have been done counts more.
 */
export class OwnWrites {
	/** By subscription ID. */
	private readonly byId = new Map<string, Written | 'gone'>();

	/** The last creation that the service did not confirm. */
	private unconfirmed: { attempts: number; at: number; because: Error } | undefined;

	/** Notes what the service is about to be asked. */
	asking(id: string, fields: WebhookState): void {
		const { asked, confirmed } = this.of(id);
		const certain = Object.entries(confirmed).filter(([field]) => !(field in fields));
		this.byId.set(id, { asked: { ...asked, ...fields }, confirmed: Object.fromEntries(certain) });
	}

	/** Notes a creation or a change that the service confirmed. */
	wrote(id: string, fields: WebhookState): void {
		const { asked, confirmed } = this.of(id);
		this.byId.set(id, { asked: { ...asked, ...fields }, confirmed: { ...confirmed, ...fields } });
		this.unconfirmed = undefined;
	}

	/** Notes a deletion, or that there is nothing under an ID. */
	removed(id: string): void {
		this.byId.set(id, 'gone');
	}

	/** Notes that a subscription is another account's. */
	disown(id: string): void {
		this.byId.delete(id);
	}

	of(id: string): Written {
		const written = this.byId.get(id);
		return written === undefined || written === 'gone' ? NOTHING_WRITTEN : written;
	}

	isRemoved(id: string): boolean {
		return this.byId.get(id) === 'gone';
	}

	/** IDs of the subscriptions that may be there. */
	ids(): string[] {
		return [...this.byId.keys()].filter((id) => !this.isRemoved(id));
	}

	/** Whether a subscription that this process made or changed may be enabled. */
	mayHaveLeftOneOn(): boolean {
		const mayBeOn = (id: string) => this.of(id).confirmed.enabled !== false;
		return this.unconfirmed !== undefined || this.ids().some(mayBeOn);
	}

	/** @param because what is said while nothing is created in its place */
	unconfirmedCreation(at: number, because: Error): void {
		this.unconfirmed = { attempts: (this.unconfirmed?.attempts ?? 0) + 1, at, because };
	}

	/** @returns why nothing is to be created yet: what was asked for can still show up */
	awaitedCreation(now: number): Error | undefined {
		if (!this.unconfirmed) return undefined;
		const { attempts, at, because } = this.unconfirmed;
		const wait = CREATION_WAIT * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS);
		return now < at + wait ? because : undefined;
	}
}

/**
 * Tells which test subscriptions are in use. Only this n8n's clock counts: the service's may be wrong, and its
 * times may have no zone.
 */
export class TestListening {
	/** By webhook path, when this process last began to listen. Milliseconds since 1970. */
	private readonly begun = new Map<string, number>();

	/** By subscription ID, when this process first saw it. Milliseconds since 1970. */
	private readonly firstSeen = new BoundedMap<string, number>(MAX_REMEMBERED_TESTS);

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
	isLeftBehind(id: string, webhookPath: string, isStarting: boolean): boolean {
		const begun = this.begun.get(webhookPath) ?? -Infinity;
		const seen = this.firstSeen.get(id) ?? this.now();
		this.firstSeen.set(id, seen);
		return this.isOver(begun) && (isStarting || this.isOver(seen));
	}

	private isOver(since: number): boolean {
		return this.now() - since > MAX_LISTENING;
	}
}
