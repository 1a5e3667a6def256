/** Why a signature proves nothing, or an email could not be checked. Nothing of an email is in any of these. */
interface Reason {
	/** In a few words, for one signature. */
	brief: string;
	/** As a sentence, for the email. */
	sentence: string;
}

const because = (brief: string, sentence: string): Reason => ({ brief, sentence });

/** Why one signature did not pass. */
export const SIGNATURE_REASONS = {
	bodyChanged: because(
		'the content was changed',
		'The content of the email is not the one that was signed: it was changed on the way, or the signature was taken from another email.',
	),
	bodyPartly: because(
		'it does not cover the whole content',
		'The signature covers a part of the content only (l=), and what follows may be anybody’s.',
	),
	doubledField: because(
		'a header field that may stand once stands twice, unsigned',
		'A header field that may stand only once, such as the subject, stands twice, and not both were signed.',
	),
	expired: because('it has expired', 'The signature has expired.'),
	fromNotSigned: because('it does not cover From', 'The signature does not cover From.'),
	future: because('it is dated in the future', 'The signature is dated in the future.'),
	headerChanged: because(
		'the header was changed, or somebody else signed',
		'The header of the email is not the one that was signed: it was changed on the way, or somebody else signed in the name of the domain.',
	),
	identity: because(
		'it signs for another domain than its own',
		'The signature is for somebody (i=) for whom its key does not stand.',
	),
	keyMalformed: because(
		'its key cannot be read',
		'The key of the signature, in the DNS, cannot be read.',
	),
	keyNotForThis: because(
		'its key is meant for something else',
		'The key of the signature, in the DNS, is meant for something else.',
	),
	keyRevoked: because('its key was revoked', 'The domain has revoked the key of the signature.'),
	keyTested: because(
		'its key is only being tested',
		'The domain says that the key of the signature is only being tested (t=y), so that it counts as none.',
	),
	malformed: because('it is malformed', 'The signature is not written as the standard has it.'),
	noKey: because('its key is not in the DNS', 'The key of the signature is not in the DNS.'),
	subjectNotSigned: because(
		'it does not cover the subject',
		'The signature does not cover the subject, which may be anybody’s.',
	),
	tooMuchSigned: because(
		'it covers more than is checked',
		'The signature covers header fields that are too long to be checked.',
	),
	weakAlgorithm: because(
		'it uses SHA-1, which can be forged',
		'The signature uses SHA-1, which can be forged and no longer counts (RFC 8301).',
	),
	weakKey: because(
		'its key is too short',
		'The key of the signature is shorter than 1024 bits, so that it can be broken, and no longer counts (RFC 8301).',
	),

	// These cannot be checked.
	charactersLost: because(
		'characters were lost on the way',
		'The email holds characters that were lost before it came to n8n (bytes that were no UTF-8), so that what was signed can no longer be checked.',
	),
	dnsFailed: because(
		'the DNS could not be asked for its key',
		'The DNS could not be asked for the key of the signature. Another time it may answer.',
	),
} satisfies Record<string, Reason>;

export type SignatureReason = keyof typeof SIGNATURE_REASONS;

/** Those that leave it open whether the signature is valid. */
export const OPEN_REASONS: ReadonlySet<SignatureReason> = new Set(['charactersLost', 'dnsFailed']);

/** Why an email is not proved, for other reasons than its signatures have. */
export const EMAIL_REASONS = {
	ambiguousHeader:
		'The header is malformed, so that its signatures could cover something else than what is read.',
	alignmentUnknown:
		'The DNS could not be asked whether a signature of a related domain counts for the domain in From. Another time it may answer.',
	fault: 'The check failed by a fault in this node, not in the email; please report it.',
	longHeader: 'The header of the email is too long to be checked.',
	longLine: 'The email has a line that is too long to be checked.',
	missing: 'The raw email is missing, so that there is nothing to check.',
	noSender:
		'From does not name exactly one address in plain writing, so that there is nobody to prove.',
	notAligned: 'The email is signed, but not by the domain in From.',
	notSigned: 'The email is not signed.',
	readTwoWays:
		'What the email says depends on the number of blanks in it, which the signature leaves open.',
	publicSuffix: 'The domain in From is nobody’s own, so that no signature can stand for it.',
} satisfies Record<string, string>;

export type EmailReason = keyof typeof EMAIL_REASONS;
