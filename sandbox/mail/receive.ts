import { randomUUID } from 'node:crypto';
import type { Deliverer } from '../deliveries/deliverer';
import type { Dialect } from '../dialects/dialect';
import { namedUuid } from '../store/identifiers';
import type { Store } from '../store/store';
import type { MailOptions, ReceivedMail, StoredMessage } from '../types';
import { type Copy, copiesFor, stampCopy } from './copies';
import { readMail } from './read';

/** Takes an email in: stores a message for each mailbox that it turns up in, then delivers. */
export class Receiver {
	constructor(
		private readonly store: Store,
		private readonly deliverer: Deliverer,
		private readonly dialect: Dialect,
	) {}

	/** @throws when no identity matches any of the recipients */
	async receive(raw: Buffer, options: MailOptions): Promise<ReceivedMail> {
		const messages: StoredMessage[] = [];
		for (const copy of this.copies(options)) {
			const message = await this.message(raw, copy, options);
			if (this.isDropped(message)) continue;
			this.store.messages.add(message);
			messages.push(message);
		}
		const isDelivered = options.deliver ?? true;
		const deliveries = isDelivered ? messages.map((one) => this.deliverer.deliverMessage(one)) : [];
		return { messages, deliveries: Promise.all(deliveries).then((lists) => lists.flat()) };
	}

	private copies(options: MailOptions): Copy[] {
		const to = [options.to].flat();
		const found = to.flatMap((address) => {
			const identity = this.store.recipient(address, this.dialect);
			return identity ? [{ identity, address }] : [];
		});
		if (found.length === 0) throw new Error(`No identity receives mail for ${to.join(', ')}.`);
		// The first address of an identity counts: an email is one message for it however often it is named.
		const byIdentity = new Map(found.reverse().map((one) => [one.identity.id, one]));
		return [...byIdentity.values()]
			.reverse()
			.flatMap(({ identity, address }) => copiesFor(identity, address, options));
	}

	private async message(raw: Buffer, copy: Copy, { fields }: MailOptions): Promise<StoredMessage> {
		const { identity, deliveredTo, mailbox, metaData } = copy;
		const isStamped = deliveredTo !== null && this.dialect.stampsCopies;
		const parsed = await readMail(isStamped ? stampCopy(raw, deliveredTo) : raw);
		const { id } = parsed.fields;
		return {
			...parsed,
			identityId: identity.id,
			fields: {
				...parsed.fields,
				threadId: randomUUID(),
				mailboxId: namedUuid(`mailbox ${identity.id} ${mailbox}`),
				ownerId: identity.ownerId,
				workspaceId: identity.workspaceId,
				deliveredTo,
				rawStorageKey: `eml/${identity.ownerId}/${id}.eml`,
				metaData,
				...fields,
			},
		};
	}

	/** By what the service tells emails of one mailbox apart. */
	private isDropped({ fields: { messageId, mailboxId } }: StoredMessage): boolean {
		if (!this.dialect.dropsRepeats) return false;
		return messageId === null || this.store.messages.isKept(mailboxId, messageId);
	}
}
