import { containsAscii, type OpenedEmail } from '../email';
import type { Covers } from './coverage';
import { hasOnlyParts } from './onlyParts';
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
export async function judgeContent(
	opened: OpenedEmail,
	covers: Covers,
	hasSignatures: boolean,
): Promise<ContentCheck> {
	const { outline } = opened;
	if (outline === undefined) return fails('unknown', REASONS.notParsed);
	const { isRepaired } = outline;
	const isMultipart = outline.content.type.startsWith('multipart/');
	if (covers('content-type')) {
		// The encoding of a container changes nothing (RFC 2045, 6.4).
		const isContainer = isMultipart && !isRepaired;
		return { isSigned: isContainer || covers('content-transfer-encoding') };
	}
	if (!hasSignatures) return { isSigned: false };

	const otherType = fails('fail', REASONS.outsideParts);
	if (isRepaired) return otherType;
	if (isMultipart && !hasOnlyParts(outline)) return otherType;
	if (!containsAscii(await opened.usedCharset())) return otherType;
	return { isSigned: false };
}

function fails(result: 'fail' | 'unknown', reason: string): ContentCheck {
	return { verdict: { result, reason, retryable: false }, isSigned: false };
}
