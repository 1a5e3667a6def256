import type { ApiContext } from '../api/types';
import { checkSender, type SenderCheck } from './authentication';
import { createDnsResolver } from './httpsResolver';
import { askPatiently, type Patience } from './patientResolver';
import { Questions } from './questions';
import { readDnsResolvers } from './resolverField';

/** What the user chose for it. */
export interface SenderCheckFields {
	/** Addresses of DNS over HTTPS, as the field DNS Resolver holds them. */
	dnsResolver: string;
	/** Names of mail servers whose word is believed, separated by commas, semicolons or blanks. */
	trustedServers: string;
}

/** A service waits for the answer to a delivery, and on some services every user's mail behind it. */
const PATIENCE: Patience = { total: 5_000, firstPause: 250 };

/** Milliseconds. It ends before the patience does, so that who gave no answer is known by then. */
const PATIENCE_OF_A_QUESTION = 4_750;

/**
 * Finds out whether an email comes from the domain that it says it is from, by what the DNS answers over HTTPS.
 *
 * @param rawEmail RFC 5322 text, decoded as UTF-8
 * @returns a few seconds later where the DNS does not answer, the time for the email itself not counted
 */
export async function checkByDns(
	context: ApiContext,
	rawEmail: string,
	{ dnsResolver, trustedServers }: SenderCheckFields,
): Promise<SenderCheck> {
	const addresses = readDnsResolvers(dnsResolver);
	const asking = createDnsResolver(context, { addresses, patience: PATIENCE_OF_A_QUESTION });
	const questions = new Questions(askPatiently(asking, PATIENCE));
	const check = await checkSender(rawEmail, {
		resolver: questions,
		trustedServers: trustedServers.split(/[\s,;]+/).filter((name) => name !== ''),
	});
	return check.retryable ? withCause(check, questions.whyUnanswered) : check;
}

/** The sentence alone says what could not be asked for; who set up the resolver has to know why. */
function withCause({ authentication, retryable }: SenderCheck, because: string): SenderCheck {
	const reason = `${authentication.reason ?? ''} Why not: ${because}.`;
	return { authentication: { ...authentication, reason }, retryable, because };
}
