import { sleep } from 'n8n-workflow';

import { executionSignal } from '../../api/requests/cancellation';
import type { ApiContext } from '../../api/request';
import { asciiDomain, LIMITS_OF_AN_EMAIL, RecordedQuestions } from '../../../../lib/dns';
import { isAbsent } from '../../../../lib/email';
import { checkSender, notCheckedBecause, type Authentication } from '../../../../lib/proof';
import { askDns } from './dnsAccess';
import { dnsResolverProblem, entriesIn, readDnsResolvers } from '../editor/fields';
import type { MessageWithEmail } from './messageWithEmail';

/** The fields of the sender check, as the user entered them. */
export interface SenderCheckFields {
	/** Comma-separated URLs; empty for the usual resolvers. */
	dnsResolver: string;
	/** Comma-separated names of servers; empty for none. */
	trustedServers: string;
	/** Skips details for emails without proof, which are filtered out. Default: false. */
	onlyForProof?: boolean;
}

/** @returns a sentence without its full stop; undefined if the fields are valid */
export function senderCheckProblem(fields: SenderCheckFields): string | undefined {
	const { dnsResolver, trustedServers } = fields;
	return dnsResolverProblem(dnsResolver) ?? trustedServersProblem(trustedServers);
}

function trustedServersProblem(text: string): string | undefined {
	const other = entriesIn(text).find((entry) => asciiDomain(entry) !== entry.toLowerCase());
	if (other === undefined) return undefined;
	return `'Trusted Mail Servers' must be names such as mx.example.com, as in the header. "${other.slice(0, 100)}" is not a server name`;
}

/** The result of the check for the workflow. */
export interface CheckedSender {
	authentication: Authentication;
	/** Whether another attempt may succeed, because the DNS did not answer or the resolver cannot be used. */
	retryable: boolean;
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
	if (isAbsent(message.text())) {
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
	const questions = new RecordedQuestions(
		askDns(context, { addresses, limits: LIMITS_OF_AN_EMAIL }),
	);
	const checked = await checkSender(message.text(), {
		resolver: questions,
		trustedServers: entriesIn(fields.trustedServers),
		pause: async () => await sleep(0),
		open: message.openAs,
		onlyForProof: fields.onlyForProof,
	});
	executionSignal(context)?.throwIfAborted();

	const { authentication, retryable, email: signed } = checked;
	if (signed !== undefined) {
		const email: MessageWithEmail = { ...message, open: async () => signed };
		return { sender: { authentication, retryable }, email };
	}
	if (!retryable) return { sender: { authentication, retryable }, email: message };

	// The cause is needed to fix the resolver.
	const because = questions.whyUnanswered;
	const reason = `${authentication.reason ?? ''} Reason: ${because}.`;
	const sender: CheckedSender = {
		authentication: { ...authentication, reason },
		retryable,
		because,
	};
	return { sender, email: message };
}
