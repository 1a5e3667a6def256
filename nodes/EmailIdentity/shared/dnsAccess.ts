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
import { checkSender, notCheckedBecause, type SenderCheck } from '../../../lib/proof';
import { isNoEmail } from '../../../lib/email';
import type { MessageWithEmail } from './messageWithEmail';
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

/** What the workflow gets about the sender. */
export interface CheckedSender extends Pick<SenderCheck, 'authentication' | 'retryable'> {
	/** The reason if `retryable`. Contains hosts of resolvers, but nothing from an email. */
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
	{ dnsResolver, trustedServers, onlyForProof }: SenderCheckFields,
): Promise<CheckedMessage> {
	const notChecked = (reason: string, because?: string): CheckedMessage => {
		const authentication = notCheckedBecause(reason);
		return {
			sender: { authentication, retryable: because !== undefined, because },
			email: message,
		};
	};
	if (isNoEmail(message.text())) return notChecked(NO_RAW_EMAIL);
	// Publishing refuses it, but an expression may return another value for each email.
	const problem = dnsResolverProblem(dnsResolver);
	if (problem !== undefined) return notChecked(`${problem}.`, problem);
	const addresses = readDnsResolvers(dnsResolver);
	const questions = new Questions(askDns(context, { addresses, limits: LIMITS_OF_AN_EMAIL }));
	const { email: proved, ...sender } = await checkSender(message.text(), {
		resolver: questions,
		trustedServers: entriesIn(trustedServers),
		pause: async () => await sleep(0),
		open: message.openAs,
		onlyForProof,
	});
	executionSignal(context)?.throwIfAborted();
	if (proved !== undefined) return { sender, email: { ...message, open: async () => proved } };
	if (!sender.retryable) return { sender, email: message };
	// The cause is needed to fix the resolver.
	const because = questions.whyUnanswered;
	const reason = `${sender.authentication.reason ?? ''} Reason: ${because}.`;
	const authentication = { ...sender.authentication, reason };
	return { sender: { ...sender, authentication, because }, email: message };
}
