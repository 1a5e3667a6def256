/** Why a signature does not pass. Contains nothing from an email. */
export const SIGNATURE_REASONS = {
	bodyChanged: 'the content was changed after signing, or the signature is from another email',
	doubledField: 'a header field that may appear once, such as the subject, appears again unsigned',
	expired: 'it has expired',
	fromNotSigned: 'it does not cover From',
	future: 'it is dated in the future',
	headerChanged: 'the header was changed after signing, or the signature is forged',
	identity: 'it signs for a domain other than its own (i=)',
	keyMalformed: 'its key in the DNS cannot be read',
	keyNotForThis: 'its key in the DNS is for another purpose',
	keyRevoked: 'its key was revoked',
	keyTested: 'its key is only being tested (t=y)',
	malformed: 'it does not follow the standard',
	noKey: 'its key is not in the DNS',
	subjectNotSigned: 'it does not cover the subject',
	weakAlgorithm: 'it uses SHA-1, which can be forged (RFC 8301)',
	weakKey: 'its key is shorter than 1024 bits and can be broken (RFC 8301)',

	// With these, the signature may be valid.
	charactersLost:
		'characters it covers were lost before the email reached n8n (bytes that are not UTF-8)',
	dnsFailed: 'the DNS did not answer the query for its key',
} satisfies Record<string, string>;

export type SignatureReason = keyof typeof SIGNATURE_REASONS;

/** Whether a signature that did not pass may be valid all the same. */
export function mayBeValid(reason: SignatureReason): boolean {
	return reason === 'charactersLost' || reason === 'dnsFailed';
}

/** Why a sender is not proved, apart from what is wrong with a signature. */
export const REASONS = {
	alignmentUnknown:
		'The DNS did not answer whether a related domain may sign for the domain in From. Try again later.',
	ambiguousHeader: 'The header is malformed, so it is not certain what was signed.',
	fault: 'The check failed because of a fault in this node, not in the email. Please report it.',
	longHeader: 'The header of the email is too long to check.',
	missing: 'The raw email is missing, so there is nothing to check.',
	noSender: 'From does not contain exactly one plainly written address.',
	notAligned: 'The email is signed, but not by the domain in From.',
	notParsed: 'The email could not be parsed completely, so its sender could not be checked.',
	notSigned: 'The email is not signed, so anyone could have sent it.',
	outsideParts:
		'The signature does not cover Content-Type, and with it parts of the email would not be shown, so it may not be the Content-Type of the sender.',
} satisfies Record<string, string>;
