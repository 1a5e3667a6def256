/** How much of what a service sends is read. A larger response is an error; the rest of a message's field is left out. */
export const SERVICE_LIMITS = {
	/** Bytes: a list of 100,000 identities with all their DNS records, or a raw email of 50 MB, which JSON doubles. */
	response: 128 * 1024 * 1024,
	/** Services nest some ten levels deep. A million nested brackets take half a second to parse. */
	nesting: 1000,
	/** Objects and lists. 100,000 identities have half as many; more would block n8n for seconds. */
	objects: 1_000_000,
	pages: 1000,
	/** An account has some hundred identities; the largest known list has ten thousand. */
	entries: 200_000,
	/** Characters of all pages of a list. */
	list: 128 * 1024 * 1024,
	/** Characters of an explanation. A longer body explains nothing, and would take long to parse. */
	explanation: 200_000,
	/** More headers, recipients, files or labels than mail servers allow. */
	entriesOfField: 10_000,
};

export type ServiceLimits = Readonly<typeof SERVICE_LIMITS>;
