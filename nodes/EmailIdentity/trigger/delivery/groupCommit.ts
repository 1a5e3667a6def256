import type { WebhookResponse } from './responses';

/** Deliveries whose messages one write stores. */
interface Group {
	/** n8n's answers to them, given before that write was made. */
	held: Answer[];
	/** Whether the write is still to come. */
	isPending: boolean;
}

/** n8n's answer to a delivery. */
interface Answer {
	delivery: Delivery;
	response: WebhookResponse;
	send: () => void;
}

/** A delivery that n8n was given. */
interface Delivery {
	/** What is to be stored of it. */
	keys: readonly string[];
	isAccepted: boolean;
	/** The group that it is to write for. */
	writesFor?: Group;
	/** The group that it belongs to, written for by another one. */
	waitsFor?: Group;
	/** What its own write stores. */
	stores: string[];
}

/**
 * Lets deliveries that n8n accepts at nearly the same moment share one write of the static data.
 *
 * n8n writes the static data of each delivery that changed them, right after it recorded the execution and
 * before it answers. Where many emails arrive at once these writes are what they wait for most. So of the
 * deliveries that n8n is recording at a time only the last one changes them, on behalf of all
 * that are accepted before it, and their answers are held back until n8n answers that one: nobody is told
 * that a message was taken over before it is stored. The wait ends with one recording.
 *
 * Where the one that was to write is not started, another one that is being recorded takes its place. Where there is
 * none, n8n has saved the others' static data already, unchanged: their answers say that they are not stored.
 */
export class GroupCommit {
	/** Given to n8n and not accepted yet, the newest last. */
	private readonly beingRecorded = new Set<Delivery>();
	/** The group that may still be joined: its writer is not accepted yet. */
	private open: Group | undefined;
	private readonly uncommitted = new Set<string>();
	private heldAnswers = 0;

	/** @param answerUncommitted answers a delivery that was started without being stored, instead of n8n */
	constructor(private readonly answerUncommitted: (response: WebhookResponse) => void) {}

	/** Whether n8n is recording no delivery, and no answer is held back. */
	get isIdle(): boolean {
		return this.beingRecorded.size === 0 && this.heldAnswers === 0;
	}

	/** Whether something was accepted of which no write that is through holds anything. */
	get hasUncommitted(): boolean {
		return this.uncommitted.size > 0;
	}

	/** Whether a message with this key was accepted, and is not stored yet. */
	isUncommitted(key: string): boolean {
		return this.uncommitted.has(key);
	}

	/**
	 * To be called when a delivery is given to n8n.
	 *
	 * @param keys what is to be stored of it
	 * @param response through which n8n answers it
	 * @param onAnswer called when n8n answers, also when that answer is held back or reaches nobody
	 * @returns a function to be called once, when n8n accepted it: true when this delivery has to store
	 * everything that is known, false when another one will
	 */
	handOver(
		keys: readonly string[],
		response: WebhookResponse,
		onAnswer: () => void,
	): () => boolean {
		const delivery: Delivery = { keys, isAccepted: false, stores: [] };
		this.beingRecorded.add(delivery);
		interceptAnswer(response, (send) => {
			onAnswer();
			this.onAnswered({ delivery, response, send });
		});
		return () => this.onAccepted(delivery);
	}

	private onAccepted(delivery: Delivery): boolean {
		this.beingRecorded.delete(delivery);
		delivery.isAccepted = true;
		for (const key of delivery.keys) this.uncommitted.add(key);
		if (this.open === undefined) {
			const group: Group = { held: [], isPending: true };
			if (this.appointWriter(group)) this.open = group;
		}
		if (this.open === undefined || delivery.writesFor === this.open) {
			this.open = undefined;
			delivery.stores = [...this.uncommitted];
			return true;
		}
		delivery.waitsFor = this.open;
		return false;
	}

	private onAnswered(answer: Answer): void {
		const { waitsFor, writesFor, stores } = answer.delivery;
		this.beingRecorded.delete(answer.delivery);
		for (const key of stores) this.uncommitted.delete(key);
		if (waitsFor?.isPending === true) {
			waitsFor.held.push(answer);
			this.heldAnswers++;
			return;
		}
		this.send(answer);
		if (writesFor === undefined) return;
		if (writesFor === this.open) {
			// n8n could not start this one and has written nothing.
			if (this.appointWriter(writesFor)) return;
			this.open = undefined;
		}
		writesFor.isPending = false;
		for (const held of writesFor.held.splice(0)) {
			this.heldAnswers--;
			this.send(held);
		}
	}

	private send({ delivery, response, send }: Answer): void {
		const isUncommitted = delivery.keys.some((key) => this.uncommitted.has(key));
		if (delivery.isAccepted && isUncommitted) this.answerUncommitted(response);
		else send();
	}

	/** @returns false when n8n is recording none that could write */
	private appointWriter(group: Group): boolean {
		const writer = [...this.beingRecorded].at(-1);
		if (writer !== undefined) writer.writesFor = group;
		return writer !== undefined;
	}
}

/** n8n answers through Express, all of whose ways to answer end with `end`. */
function interceptAnswer(response: WebhookResponse, onAnswer: (send: () => void) => void): void {
	const end = response.end as (...content: unknown[]) => unknown;
	Object.assign(response, {
		end: (...content: unknown[]) => {
			Object.assign(response, { end });
			onAnswer(() => Reflect.apply(end, response, content));
			return response;
		},
	});
}
