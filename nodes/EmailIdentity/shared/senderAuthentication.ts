import { sleep } from 'n8n-workflow';

import type { ServiceMessage } from '../api/messages';
import type { ApiContext } from '../api/types';
import { LIMITS_OF_AN_EMAIL } from '../dns/resolver';
import { Questions } from '../dns/resolver/types';
import type { Authentication, SenderCheck } from '../dns/senders/result';
import type { OpenedEmail } from '../email';
import { askDns } from './dnsRequests';
import { dnsResolverProblem, readDnsResolvers } from './dnsResolver';

export interface SenderCheckFields {
	/** Addresses of DNS over HTTPS, as the field DNS Resolver holds them. */
	dnsResolver: string;
	/** Names of mail servers whose word is believed, separated by commas, semicolons or blanks. */
	trustedServers: string;
	/** Unproved mail is only kept out, so that nothing has to be known of it. */
	onlyForProof?: boolean;
	/** Told why the DNS could not be asked, once a minute at most, as every email would say the same. */
	logFailure?(because: string): void;
}

const MS_BETWEEN_LOGS = 60_000;

const NO_RAW_EMAIL = 'The service gave no raw email, and nothing else can prove where it is from.';
const NOT_PARSED =
	'The email could not be parsed, so that what is here may be other than what it says.';

let lastLogged = -Infinity;

/**
 * Finds out whether an email comes from the domain in its From. Its raw text alone can tell: without one, or where the
 * output holds what else is known of the email, nothing is proved.
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
	const check =
		problem === undefined
			? await checkByDns(context, rawEmail, fields)
			: { authentication: unknown(`${problem}.`), retryable: true, because: problem };
	if (check.retryable && fields.logFailure !== undefined) {
		logOnceAMinute(fields.logFailure, check.because ?? '');
	}
	return check;
}

async function checkByDns(
	context: ApiContext,
	rawEmail: string,
	{ dnsResolver, trustedServers, onlyForProof }: SenderCheckFields,
): Promise<SenderCheck> {
	const { checkSender } = await import('../dns/senders');
	const questions = new Questions(
		askDns(context, {
			addresses: readDnsResolvers(dnsResolver),
			...LIMITS_OF_AN_EMAIL,
		}),
	);
	const check = await checkSender(rawEmail, {
		resolver: questions,
		trustedServers: trustedServers.split(/[\s,;]+/).filter((name) => name !== ''),
		pause: async () => await sleep(0),
		onlyForProof,
	});
	return check.retryable ? withCause(check, questions.whyUnanswered) : check;
}

/** The sentence alone says what could not be asked for; who set up the resolver has to know why. */
function withCause({ authentication, retryable }: SenderCheck, because: string): SenderCheck {
	const reason = `${authentication.reason ?? ''} Why not: ${because}.`;
	return { authentication: { ...authentication, reason }, retryable, because };
}

function logOnceAMinute(log: (because: string) => void, because: string): void {
	const now = Date.now();
	if (now - lastLogged < MS_BETWEEN_LOGS) return;
	lastLogged = now;
	log(because);
}

/** What was found of the raw email, where the output was read from it: a fault of the node puts something else there. */
export function authenticationOfOutput(
	authentication: Authentication,
	{ parsed = true }: { parsed?: boolean },
): Authentication {
	return parsed || authentication.result === 'unknown' ? authentication : unknown(NOT_PARSED);
}

function unknown(reason: string): Authentication {
	const nothing = { domain: null, signatures: [], policy: 'unknown' as const, reported: null };
	return { result: 'unknown', reason, ...nothing };
}
