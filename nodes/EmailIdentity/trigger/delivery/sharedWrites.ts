import type { IWebhookFunctions } from 'n8n-workflow';

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Deliveries whose messages one write stores. */
interface Group {
	/** n8n's answers to them, given before that write was made. */
	held: Array<() => void>;
	isStored: boolean;
}

/** A delivery that n8n was given. */
interface Delivery {
	/** The group that it is to write for. */
	writesFor?: Group;
	/** The group that it belongs to, written for by another one. */
	waitsFor?: Group;
}

/**
 * Lets deliveries that n8n accepts at nearly the same moment share one write of the static data.
 *
 * n8n writes the static data of each delivery that changed them, right after it recorded the execution and
 * before it answers. Where many emails arrive at once these writes are what they wait for most. So of the
 * deliveries that n8n is recording at a time only the last one changes them, on behalf of all
 * that are accepted before it, and their answers are held back until n8n answers that one: as ever, nobody
 * is told that a message was taken over before it is stored. The wait ends with one recording.
 */
export class SharedWrites {
	/** Given to n8n and not accepted yet, the newest last. */
	private readonly beingRecorded = new Set<Delivery>();
	/** The group that may still be joined: its writer is not accepted yet. */
	private open: Group | undefined;

	/**
	 * To be called when a delivery is given to n8n.
	 *
	 * @param response through which n8n answers it
	 * @returns a function to be called once, when n8n accepted it: true when this delivery has to store
	 * everything that is known, false when another one will
	 */
	handOver(response: WebhookResponse): () => boolean {
		const delivery: Delivery = {};
		this.beingRecorded.add(delivery);
		interceptAnswer(response, (send) => {
			if (delivery.waitsFor?.isStored === false) {
				delivery.waitsFor.held.push(send);
				return;
			}
			send();
			this.onAnswered(delivery);
		});
		return () => this.onAccepted(delivery);
	}

	private onAccepted(delivery: Delivery): boolean {
		this.beingRecorded.delete(delivery);
		if (this.open === undefined) {
			const group: Group = { held: [], isStored: false };
			if (!this.appointWriter(group)) return true;
			this.open = group;
		}
		if (delivery.writesFor === this.open) {
			this.open = undefined;
			return true;
		}
		delivery.waitsFor = this.open;
		return false;
	}

	private onAnswered(delivery: Delivery): void {
		this.beingRecorded.delete(delivery);
		const group = delivery.writesFor;
		if (group === undefined) return;
		if (group === this.open) {
			// n8n could not start this one and has written nothing.
			if (this.appointWriter(group)) return;
			// What is known is stored with the next delivery, as after a write of n8n's that failed.
			this.open = undefined;
		}
		group.isStored = true;
		for (const send of group.held) send();
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
			onAnswer(() => Reflect.apply(end, response, content));
			return response;
		},
	});
}
