/**
 * How much of what a stranger writes is checked. Each limit is against an email of megabytes that is cheap to send and expensive to check.
 * Genuine emails stay far below; one beyond a limit is not proved.
 */
export const PROOF_LIMITS = {
	/** Characters of From. A name and an address have a few hundred. */
	from: 2000,
	/**
	 * Signatures to read: of the sender's organization, and as many of others. Anyone can write thousands of them above a genuine one: then
	 * those of others must not take all places.
	 */
	signatures: 20,
	/**
	 * Of these, to check. Each costs a question to the DNS, whose name the stranger chooses, and a calculation with a public key. An email has
	 * one or two, and a few more after a mailing list or forwarder.
	 */
	alignedSignatures: 5,
	otherSignatures: 3,
	/** Characters of a signature. It has a thousand, or several thousand with copies of the covered fields (z=). */
	signature: 8000,
	/** Characters. The longest supported key, of 16384 bits, has 2800. */
	keyRecord: 8000,
	/** Characters of an Authentication-Results or a Received. A server writes some hundred. */
	results: 8000,
	/** Servers of one organization that an email passes. A stranger can write a Received for each line of an email. */
	hops: 20,
};
