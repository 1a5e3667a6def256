import type { StoredMessage } from '../types';

/** Received messages by ID. The oldest go when there are too many or they hold too much, so that a long load test ends. */
export class MessageStore {
	private readonly messages = new Map<string, StoredMessage>();
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
		this.messages.set(message.fields.id, message);
		this.characters += message.rawEmail.length;
		for (const [id, oldest] of this.messages) {
			const isFull = this.messages.size > this.limit || this.characters > this.characterLimit;
			if (!isFull || oldest === message) break;
			this.messages.delete(id);
			this.characters -= oldest.rawEmail.length;
		}
	}

	find(id: string): StoredMessage | undefined {
		return this.messages.get(id);
	}

	all(): StoredMessage[] {
		return [...this.messages.values()];
	}

	replace(messages: StoredMessage[]): void {
		this.messages.clear();
		this.characters = 0;
		messages.forEach((message) => this.add(message));
	}
}
