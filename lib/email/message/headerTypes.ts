export interface EmailAddress {
	name: string;
	/** As written, without angle brackets. */
	address: string;
}

/** The position of an email in its conversation. IDs are Message-IDs in angle brackets, such as `<abc@example.com>`. */
export interface EmailThread {
	/** The same for all emails of a conversation: the Message-ID of the first one; null if unknown. */
	id: string | null;
	messageId: string | null;
	inReplyTo: string | null;
	/** Message-IDs of the conversation so far, oldest first. */
	references: string[];
	/** Addresses for replies. If empty, replies go to `from`. */
	replyTo: EmailAddress[];
}

/** What the header of an email says, in reading order. */
export interface EmailFields {
	from: EmailAddress | null;
	to: EmailAddress[];
	cc: EmailAddress[];
	subject: string;
	/** ISO 8601 in UTC; null if missing or invalid. */
	date: string | null;
	thread: EmailThread;
}

/** What the service knows of a header. Addresses are the text of an address header, or one mailbox. */
export interface KnownFields {
	messageId: string;
	inReplyTo: string;
	references: string;
	from: Array<string | EmailAddress>;
	to: Array<string | EmailAddress>;
	cc: Array<string | EmailAddress>;
	replyTo: Array<string | EmailAddress>;
	subject: string;
	date: string | null;
}
