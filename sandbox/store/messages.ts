import type { StoredMessage } from '../types';

const keyOf = (mailboxId: string, messageId: string) => `${mailboxId} ${messageId}`;

/** Received messages by ID. The oldest go when there are too many or they hold too much, so that a long load test ends. */
export class MessageStore {
	private readonly messages = new Map<string, StoredMessage>();
	private readonly keptIn = new Set<string>();
	private characters = 0;

	/**
	 * @param limit how many messages
	 * @param characterLimit how many characters of raw email in all
	 */
	constructor(
		private readonly limit: number,
		private readonly characterLimit: number,
	) {}

	add(message: StoredMessage): void {
		const { id: added, mailboxId, messageId } = message.fields;
		this.messages.set(added, message);
		if (messageId !== null) this.keptIn.add(keyOf(mailboxId, messageId));
		this.characters += message.rawEmail.length;
		for (const [id, oldest] of this.messages) {
			const isFull = this.messages.size > this.limit || this.characters > this.characterLimit;
			if (!isFull || oldest === message) break;
			this.messages.delete(id);
			const { mailboxId, messageId } = oldest.fields;
			if (messageId !== null) this.keptIn.delete(keyOf(mailboxId, messageId));
			this.characters -= oldest.rawEmail.length;
		}
	}

	/** Whether a mailbox holds an email with this Message-ID. */
	isKept(mailboxId: string, messageId: string): boolean {
		return this.keptIn.has(keyOf(mailboxId, messageId));
	}

	find(id: string): StoredMessage | undefined {
		return this.messages.get(id);
	}

	all(): StoredMessage[] {
		return [...this.messages.values()];
	}

	replace(messages: StoredMessage[]): void {
		this.messages.clear();
		this.keptIn.clear();
		this.characters = 0;
		messages.forEach((message) => this.add(message));
	}
}
