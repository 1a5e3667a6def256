import { BoundedMap, monotonicNow, wallClockNow } from '../../../../../lib/basics';
import { DELIVERY_MS } from '../../times';
import { SeenMessages } from './seenMessages';

const MAX_WEBHOOKS = 50;

/** A delivery's right to start the workflow. The first of these calls, or n8n's answer, decides. */
export interface MessageClaim {
	/** n8n starts the workflow: the message was seen. */
	accept(): void;
	/** The workflow does not start: another delivery of the message may. */
	release(): void;
}

interface Attempt {
	/** Resolves when the claim is accepted or released, when n8n answered, or when the sender hung up. */
	ended: Promise<void>;
	/** When the sender hung up before n8n answered, see `monotonicNow`; usually absent. */
	hungUpAt?: number;
}

/** The messages of a webhook: those that started the workflow, and those that are being started. */
export class MessageClaims {
	private readonly attempts = new Map<string, Attempt>();

	constructor(readonly seen = new SeenMessages()) {}

	get isIdle(): boolean {
		return this.attempts.size === 0;
	}

	/**
	 * Waits for another delivery of the message that is under way, and takes over if that one fails.
	 *
	 * @param closed see `Arrived`
	 * @returns `doubtful` if the sender of another delivery hung up before n8n answered
	 */
	async claim(
		keys: readonly string[],
		closed: Promise<number | undefined>,
	): Promise<MessageClaim | 'duplicate' | 'doubtful'> {
		for (;;) {
			if (this.seen.hasAny(keys)) return 'duplicate';
			const other = this.attemptFor(keys);
			if (other === undefined) return this.begin(keys, closed);
			if (other.hungUpAt !== undefined) return 'doubtful';
			await other.ended;
		}
	}

	/** Another delivery of the message that is under way, or whose sender hung up a moment ago. */
	private attemptFor(keys: readonly string[]): Attempt | undefined {
		for (const key of keys) {
			const attempt = this.attempts.get(key);
			if (attempt !== undefined && !isDoubtOver(attempt)) return attempt;
		}
		return undefined;
	}

	private begin(keys: readonly string[], closed: Promise<number | undefined>): MessageClaim {
		let end = (): void => {};
		const ended = new Promise<void>((resolve) => (end = resolve));
		const attempt: Attempt = { ended };
		for (const key of keys) this.attempts.set(key, attempt);

		let isSettled = false;
		const settle = (isAccepted: boolean): void => {
			if (isSettled) return;
			isSettled = true;
			for (const key of keys) {
				if (isAccepted) this.seen.add(key, wallClockNow());
				if (this.attempts.get(key) === attempt) this.attempts.delete(key);
			}
			end();
		};
		void closed.then((status) => {
			if (status !== undefined) return settle(status < 300);
			// The sender hung up. n8n still starts the workflow, so the claim stays until `accept` or `release`.
			attempt.hungUpAt = monotonicNow();
			end();
		});
		return { accept: () => settle(true), release: () => settle(false) };
	}
}

function isDoubtOver({ hungUpAt }: Attempt): boolean {
	return hungUpAt !== undefined && monotonicNow() - hungUpAt > DELIVERY_MS.doubt;
}

/** Remembers the messages of the webhooks that were used last. */
export class ClaimsByWebhook {
	private readonly webhooks = new BoundedMap<string, MessageClaims>(
		MAX_WEBHOOKS,
		undefined,
		// One with a message that is being started stays.
		(messages) => !messages.isIdle,
	);

	of(webhook: string): MessageClaims {
		const messages = this.webhooks.get(webhook) ?? new MessageClaims();
		// Also for one that is known, so that it counts as used last.
		this.webhooks.set(webhook, messages);
		return messages;
	}
}
