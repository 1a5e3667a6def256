import type { OpenedEmail } from '../email';
import type { Covers } from './coverage';
import { REASONS } from './reasons';
import type { Verdict } from './verdict';

/** Whether the content of an email with a proved sender is as the sender meant it. */
export interface ContentCheck {
	/** Why the email does not pass after all; undefined if it does. */
	verdict?: Verdict;
	/** Whether nobody else can have chosen how the content is read. */
	isSigned: boolean;
}

/**
 * Without a signed Content-Type, an email can be sent again with another one: so everything in the body must be shown, and its
 * characters must mean the same.
 *
 * @param hasSignatures whether the organization of the sender signed it
 */
export function judgeContent(
	{ shape }: OpenedEmail,
	covers: Covers,
	hasSignatures: boolean,
): ContentCheck {
	if (shape === undefined) return fails('unknown', REASONS.notParsed);
	const { isMultipart, isRepaired, hasMoreThanParts, isAsciiKept } = shape;
	if (covers('content-type')) {
		// The encoding of a container changes nothing (RFC 2045, 6.4).
		const isEncodingKnown = covers('content-transfer-encoding') || (isMultipart && !isRepaired);
		return { isSigned: isEncodingKnown };
	}
	const isWhole = isAsciiKept && !(isMultipart && hasMoreThanParts);
	if (hasSignatures && !isWhole) return fails('fail', REASONS.outsideParts);
	return { isSigned: false };
}

function fails(result: 'fail' | 'unknown', reason: string): ContentCheck {
	return { verdict: { result, reason, retryable: false }, isSigned: false };
}
