import { NodeOperationError, sleep } from 'n8n-workflow';

import {
	executionSignal,
	requestWithinBounds,
	unlessAborted,
	type ApiContext,
} from '../api/request';
import {
	type DnsResolver,
	type DnsResolverOptions,
	type FetchBytes,
	HttpsResolver,
	LIMITS_OF_AN_EMAIL,
	Questions,
} from '../../../lib/dns';
import { checkSender, type Authentication, type SenderCheck } from '../../../lib/proof';
import { type EmailText, isNoEmail, type OpenedEmail } from '../../../lib/email';
import { dnsResolverProblem, entriesIn, readDnsResolvers } from './fields';

/** Sends requests through n8n, without a credential. */
const fetchThrough =
	(context: ApiContext): FetchBytes =>
	async (url, { accept, ...bounds }) => {
		const received = await requestWithinBounds(
			async (options) =>
				await context.helpers.httpRequest({ ...options, method: 'GET', url, headers: { accept } }),
			bounds,
		);
		if (!('problem' in received)) return received;
		return { failure: received.says, isTimeout: received.problem === 'timeout' };
	};

/** Queries the DNS through n8n. Throws when the execution is cancelled. */
export function askDns(
	context: ApiContext,
	options: Omit<DnsResolverOptions, 'fetchBytes' | 'signal'>,
): DnsResolver {
	const signal = executionSignal(context);
	const resolver = new HttpsResolver({ ...options, fetchBytes: fetchThrough(context), signal });
	return {
		ask: async (name, type) => {
			const answer = await unlessAborted(async () => await resolver.ask(name, type), signal);
			if (answer !== undefined && signal?.aborted !== true) return answer;
			throw new NodeOperationError(context.getNode(), 'The execution was cancelled');
		},
	};
}

export interface SenderCheckFields {
	dnsResolver: string;
	trustedServers: string;
	/** Skips details for emails without proof, which are filtered out. */
	onlyForProof?: boolean;
}

const NO_RAW_EMAIL = 'The service sent no raw email, which is needed to check the sender.';
const NOT_PARSED = 'The email could not be parsed completely, so its sender could not be checked.';

/** Proves nothing without the raw email, or if it could not be parsed. Throws when the execution was cancelled. */
export async function authenticateSender(
	context: ApiContext,
	email: EmailText,
	{ isParsed }: Pick<OpenedEmail, 'isParsed'>,
	{ dnsResolver, trustedServers, onlyForProof }: SenderCheckFields,
): Promise<SenderCheck> {
	const obstacle = isNoEmail(email) ? NO_RAW_EMAIL : isParsed ? undefined : NOT_PARSED;
	if (obstacle !== undefined) return { authentication: unknown(obstacle), retryable: false };
	// Publishing refuses it, but an expression may return another value for each email.
	const problem = dnsResolverProblem(dnsResolver);
	if (problem !== undefined)
		return { authentication: unknown(`${problem}.`), retryable: true, because: problem };
	const addresses = readDnsResolvers(dnsResolver);
	const questions = new Questions(askDns(context, { addresses, ...LIMITS_OF_AN_EMAIL }));
	const check = await checkSender(email, {
		resolver: questions,
		trustedServers: entriesIn(trustedServers),
		pause: async () => await sleep(0),
		onlyForProof,
	});
	executionSignal(context)?.throwIfAborted();
	if (!check.retryable) return check;
	// The cause is needed to fix the resolver.
	const because = questions.whyUnanswered;
	const reason = `${check.authentication.reason ?? ''} Reason: ${because}.`;
	return { ...check, authentication: { ...check.authentication, reason }, because };
}

/** A fault of the node keeps the output from being read from the raw email. */
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
