/** A mailbox, the part of an address before the at sign, taken apart at its first plus sign (RFC 5233). */
export interface TaggedMailbox {
	/** Whose it is. */
	user: string;
	/** What follows the plus sign; null where nothing does. */
	tag: string | null;
}

/** A plus sign at the beginning, or within quotes, is part of the name. */
export function readPlusTag(mailbox: string): TaggedMailbox {
	const plus = mailbox.startsWith('"') ? -1 : mailbox.indexOf('+');
	if (plus <= 0) return { user: mailbox, tag: null };
	return { user: mailbox.slice(0, plus), tag: mailbox.slice(plus + 1) || null };
}
