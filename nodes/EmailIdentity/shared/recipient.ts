import { readDeliveredTo, type ServiceMessage } from '../api/messages';
import type { ApiContext } from '../api/types';
import { toRecipient, type EmailOrigin, type OpenedEmail } from '../email';
import { askOwnIdentities } from './ownIdentities';

/** So many addresses of an email are looked at. No email that was meant for people has more. */
const MOST_NAMED = 2000;

/**
 * The address that an email was delivered to, as the service says, else as the servers on its way wrote it down. Nothing
 * is asked for it.
 *
 * @returns null where neither tells
 */
export function toldRecipient(
	{ message }: ServiceMessage,
	{ deliveredTo }: Pick<EmailOrigin, 'deliveredTo'>,
): string | null {
	return toRecipient(readDeliveredTo(message)) ?? deliveredTo();
}

/**
 * The address that an email was delivered to. Where nothing tells, it is the one address of To and Cc that is an identity
 * of the account; only then the service is asked for these, see `askOwnIdentities`.
 *
 * @returns null where nobody can tell, as for an email to several of them
 */
export async function findRecipient(
	context: ApiContext,
	received: ServiceMessage,
	opened: OpenedEmail,
): Promise<string | null> {
	const told = toldRecipient(received, opened);
	if (told !== null) return told;
	const named = new Map<string, string>();
	for (const { address } of [...opened.to, ...opened.cc].slice(0, MOST_NAMED)) {
		const recipient = toRecipient(address);
		if (recipient !== null) named.set(recipient.toLowerCase(), recipient);
	}
	if (named.size === 0) return null;
	const identities = await askOwnIdentities(context);
	const own = [...named.values()].filter((address) => identities?.isOwn(address));
	return own.length === 1 ? (own[0] ?? null) : null;
}
