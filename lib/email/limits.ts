import type { Pace } from '../basics';

/** How much of an email that a stranger writes is read. */
export const EMAIL_LIMITS = {
	/** Characters and lines of all headers, and parts, of an email with the emails attached to it. Genuine emails have fewer. */
	headerCharacters: 500_000,
	headerLines: 20_000,
	parts: 2000,
	/** Containers within each other; genuine emails have fewer than ten. */
	nesting: 100,
	/** Levels of attached emails whose files are listed. An email attached to an attached email is on the second. */
	attachedLevels: 3,
	/** Characters in which a boundary is searched that the header does not name. It is near the beginning. */
	preamble: 200_000,
	/** Characters of one list of addresses: two thousand recipients, more than mail servers allow. */
	addressList: 100_000,
	/** Characters with encoded words. A list of a thousand encoded names has half as many. The rest is not decoded. */
	encodedWords: 100_000,
	/** Parameters of a field: more than any genuine part has, even if its file name is split. */
	parameters: 1000,
	/** Recipients in a report. Mail servers send an email to fewer at once. */
	reportRecipients: 1000,
	/** Characters of one part of a report. A thousand recipients need less. */
	reportPart: 300_000,
	/** Characters of a bounce's text. The lists of real servers are shorter. */
	bounceText: 100_000,
	/** Characters of a reason. */
	reason: 500,
	/** Characters of a field about the delivery or in a report; no mail server writes more. */
	field: 2000,
	/** `Received` fields: servers reject an email after a hundred hops (RFC 5321, 6.3). */
	hops: 200,
	/** Lines of a reply: each takes memory. A longer text stays whole. */
	replyLines: 100_000,
};

export type EmailLimits = Readonly<typeof EMAIL_LIMITS>;

/** @throws RangeError if a limit is not a whole number above 0: a comparison with `NaN` would never stop anything */
export function limitsWith(own: Partial<EmailLimits> = {}): EmailLimits {
	for (const [name, limit] of Object.entries(own)) {
		if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`Invalid limit: ${name}`);
	}
	return { ...EMAIL_LIMITS, ...own };
}

/** Handed to everything that reads an email. */
export interface Reading {
	limits: EmailLimits;
	pace: Pace;
}
