import { readDeliveredTo, type ServiceMessage } from '../../api/data/messages';
import { isMailFor, isSameMailbox } from '../../../../lib/basics';
import { toRecipient, type EmailOrigin, type OpenedEmail } from '../../../../lib/email';
import type { OwnIdentities } from './ownIdentities';

export interface RecipientOptions {
	/** The address that the subscription is restricted to; absent for all identities. */
	restrictedTo?: string;
	/** Asks for the account's identities, only if the recipient or the answer depends on them; undefined if they are not known. */
	askIdentities(): Promise<OwnIdentities | undefined>;
}

export interface FoundRecipient {
	/** With its plus tag; null if unknown. */
	recipient: string | null;
	/** Whether an address is the recipient, or an address identity of the account if its identities are known. */
	isOwn(address: string): Promise<boolean>;
}

/**
 * Finds the address that an email was delivered to. If neither the service nor a header says it, it is the chosen identity's
 * address, with its plus tag in To or Cc; without a chosen identity, the only address in To and Cc that is an identity of
 * the account.
 */
export async function findRecipient(
	received: ServiceMessage,
	opened: OpenedEmail,
	{ restrictedTo, askIdentities }: RecipientOptions,
): Promise<FoundRecipient> {
	function found(recipient: string | null): FoundRecipient {
		return {
			recipient,
			async isOwn(address) {
				if (isSameMailbox(restrictedTo ?? '', address)) return true;
				if (isSameMailbox(recipient ?? '', address)) return true;
				return (await askIdentities())?.isOwnAddress(address) === true;
			},
		};
	}

	const told = toldRecipient(received, opened);
	if (told !== null) return found(told);

	const named = namedRecipients(opened);
	if (restrictedTo !== undefined) {
		const tagged = named.find((address) => isMailFor(restrictedTo, address));
		return found(tagged ?? toRecipient(restrictedTo));
	}

	if (named.length === 0) return found(null);
	const identities = await askIdentities();
	const own = named.filter((address) => identities?.isOwn(address));
	const [only = null] = own;
	return found(own.length === 1 ? only : null);
}

/** The recipient by the service, or else by the header, with its plus tag. */
export function toldRecipient(
	{ message }: ServiceMessage,
	{ deliveredTo }: Pick<EmailOrigin, 'deliveredTo'>,
): string | null {
	return toRecipient(readDeliveredTo(message)) ?? deliveredTo();
}

/** Emails to people have fewer. A header of half a megabyte has room for 50,000, and each is compared with the account's identities. */
const MAX_ADDRESSES = 2000;

function namedRecipients({ to, cc }: OpenedEmail): string[] {
	const named = new Map<string, string>();
	for (const { address } of [...to, ...cc].slice(0, MAX_ADDRESSES)) {
		const recipient = toRecipient(address);
		if (recipient !== null) named.set(recipient.toLowerCase(), recipient);
	}
	return [...named.values()];
}
