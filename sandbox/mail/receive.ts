import type { Deliverer } from '../deliveries/deliverer';
import type { Store } from '../store/store';
import type { ReceivedMail } from '../types';
import { readMail } from './read';

/** Takes an email in: stores a message for each identity it is for, then delivers. */
export class Receiver {
	constructor(
		private readonly store: Store,
		private readonly deliverer: Deliverer,
	) {}

	/**
	 * @param to the envelope's recipients
	 * @throws when no identity matches any of them
	 */
	async receive(raw: Buffer, to: string[], isDelivered = true): Promise<ReceivedMail> {
		const found = to.flatMap((address) => this.store.recipient(address) ?? []);
		const identities = [...new Map(found.map((identity) => [identity.id, identity])).values()];
		if (identities.length === 0) throw new Error(`No identity receives mail for ${to.join(', ')}.`);
		const messages = await readMail(raw, identities);
		messages.forEach((message) => this.store.messages.add(message));
		const deliveries = isDelivered ? messages.map((one) => this.deliverer.deliverMessage(one)) : [];
		return { messages, deliveries: Promise.all(deliveries).then((lists) => lists.flat()) };
	}
}
