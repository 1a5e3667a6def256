import { NodeOperationError, sleep } from 'n8n-workflow';

import { requestWithinBounds } from '../api/boundedRequest';
import { executionSignal, unlessAborted } from '../api/cancellation';
import { type ApiContext } from '../api/request';
import {
	type DnsResolver,
	type DnsResolverOptions,
	type FetchBytes,
	HttpsResolver,
	LIMITS_OF_AN_EMAIL,
	Questions,
} from '../../../lib/dns';
import { checkSender, notCheckedBecause, type SenderCheck } from '../../../lib/proof';
import { isNoEmail } from '../../../lib/email';
import type { MessageWithEmail } from './messageWithEmail';
import { dnsResolverProblem, entriesIn, readDnsResolvers } from './fields';

/** Sends requests through n8n, without a credential. */
function fetchThrough(context: ApiContext): FetchBytes {
	return async (url, { accept, ...bounds }) => {
		const headers = { accept };
		const received = await requestWithinBounds(
			async (options) =>
				await context.helpers.httpRequest({ ...options, method: 'GET', url, headers }),
			bounds,
		);
		if (!('problem' in received)) return received;
		return { failure: received.says, isTimeout: received.problem === 'timeout' };
	};
}

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

/** The fields of the sender check, as the user entered them. */
export interface SenderCheckFields {
	/** Comma-separated URLs; empty for the usual resolvers. */
	dnsResolver: string;
	/** Comma-separated names of servers; empty for none. */
	trustedServers: string;
	/** Skips details for emails without proof, which are filtered out. Default: false. */
	onlyForProof?: boolean;
}

/** What the workflow gets about the sender. */
export interface CheckedSender extends Pick<SenderCheck, 'authentication' | 'retryable'> {
	/** The reason if `retryable`, otherwise absent. Contains hosts of resolvers, but nothing from an email. */
	because?: string;
}

export interface CheckedMessage {
	sender: CheckedSender;
	/** A message whose sender is proved is read as it was signed, any other one as it came. */
	email: MessageWithEmail;
}

const NO_RAW_EMAIL = 'The service sent no raw email, which is needed to check the sender.';

/** Proves nothing without the raw email, or if it could not be parsed. Throws when the execution was cancelled. */
export async function authenticateSender(
	context: ApiContext,
	message: MessageWithEmail,
	fields: SenderCheckFields,
): Promise<CheckedMessage> {
	if (isNoEmail(message.text())) {
		const authentication = notCheckedBecause(NO_RAW_EMAIL);
		return { sender: { authentication, retryable: false }, email: message };
	}
	// Publishing refuses it, but an expression may return another value for each email.
	const problem = dnsResolverProblem(fields.dnsResolver);
	if (problem !== undefined) {
		const authentication = notCheckedBecause(`${problem}.`);
		return { sender: { authentication, retryable: true, because: problem }, email: message };
	}

	const addresses = readDnsResolvers(fields.dnsResolver);
	const questions = new Questions(askDns(context, { addresses, limits: LIMITS_OF_AN_EMAIL }));
	const checked = await checkSender(message.text(), {
		resolver: questions,
		trustedServers: entriesIn(fields.trustedServers),
		pause: async () => await sleep(0),
		open: message.openAs,
		onlyForProof: fields.onlyForProof,
	});
	executionSignal(context)?.throwIfAborted();

	const { authentication, retryable, email: proved } = checked;
	if (proved !== undefined) {
		const email = { ...message, open: async () => proved };
		return { sender: { authentication, retryable }, email };
	}
	if (!retryable) return { sender: { authentication, retryable }, email: message };
	// The cause is needed to fix the resolver.
	const because = questions.whyUnanswered;
	const reason = `${authentication.reason ?? ''} Reason: ${because}.`;
	return {
		sender: { authentication: { ...authentication, reason }, retryable, because },
		email: message,
	};
}
