import type { ServiceMessage } from '../api/messages';
import type { ApiContext } from '../api/types';
import type { Authentication, SenderCheck } from '../dns/authentication';
import type { SenderCheckFields } from '../dns/senderCheck';
import { dnsResolverProblem } from '../dns/resolverField';
import type { OpenedEmail } from '../email';

const NO_RAW_EMAIL = 'The service gave no raw email, and nothing else can prove where it is from.';
const NOT_PARSED =
	'The email could not be parsed, so that what is here may be other than what it says.';

/**
 * Finds out whether an email comes from the domain that it says it is from. Its raw text alone can tell: without one, or
 * where the output holds what else is known of the email, nothing is proved. What this takes is loaded when it is first used.
 *
 * @returns a few seconds later where the DNS does not answer
 */
export async function authenticateSender(
	context: ApiContext,
	{ rawEmail = '' }: ServiceMessage,
	{ isParsed }: Pick<OpenedEmail, 'isParsed'>,
	fields: SenderCheckFields,
): Promise<SenderCheck> {
	if (rawEmail === '') return { authentication: unknown(NO_RAW_EMAIL), retryable: false };
	if (!isParsed) return { authentication: unknown(NOT_PARSED), retryable: false };
	// Refused when the workflow is published; an expression may give another one at each email.
	const problem = dnsResolverProblem(fields.dnsResolver);
	if (problem !== undefined) {
		return { authentication: unknown(`${problem}.`), retryable: true, because: problem };
	}
	const { checkByDns } = await import('../dns/senderCheck');
	return await checkByDns(context, rawEmail, fields);
}

/** What was found of the raw email, where the output was read from it: a fault of the node puts something else there. */
export function authenticationOfOutput(
	authentication: Authentication,
	{ parsed = true }: { parsed?: boolean },
): Authentication {
	return parsed || authentication.result === 'unknown' ? authentication : unknown(NOT_PARSED);
}

function unknown(reason: string): Authentication {
	return { result: 'unknown', reason, domain: null, signatures: [], policy: null, reported: null };
}
