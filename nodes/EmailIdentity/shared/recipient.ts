import { type ServiceMessage, readDeliveredTo } from '../api/messages';
import { toRecipient, type EmailOrigin, type OpenedEmail } from '../email';
import { isMailFor, isSameMailbox } from '../lib/addresses';
import type { OwnIdentities } from './ownIdentities';

/** So many addresses of an email are looked at. No email that was meant for people has more. */
const MAX_NAMED = 2000;

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

export interface RecipientHints {
	/** The one address whose mail is received. */
	restrictedTo?: string;
	/** Asked for only where nothing else tells. */
	askIdentities(): Promise<OwnIdentities | undefined>;
}

export interface Recipient {
	/** Null where nothing can tell, as for an email to several own addresses. */
	recipient: string | null;
	/** Whether an address is the recipient, or another own one as far as that is known by now. */
	isOwn(address: string): boolean;
}

/**
 * The address that an email was delivered to. Where nothing tells, it is the one address whose mail is received, with the
 * plus tag under which To or Cc names it; where mail is received for several, the one address of To and Cc that is an
 * identity of the account.
 */
export async function findRecipient(
	received: ServiceMessage,
	opened: OpenedEmail,
	{ restrictedTo, askIdentities }: RecipientHints,
): Promise<Recipient> {
	let identities: OwnIdentities | undefined;
	const ask = async () => (identities = await askIdentities());
	const recipient =
		toldRecipient(received, opened) ?? (await namedRecipient(opened, restrictedTo, ask));
	const own = [recipient, restrictedTo].filter((address) => typeof address === 'string');
	const isOwn = (address: string) =>
		own.some((one) => isSameMailbox(one, address)) || identities?.isOwn(address) === true;
	return { recipient, isOwn };
}

async function namedRecipient(
	{ to, cc }: OpenedEmail,
	restrictedTo: string | undefined,
	askIdentities: RecipientHints['askIdentities'],
): Promise<string | null> {
	const named = new Map<string, string>();
	for (const { address } of [...to, ...cc].slice(0, MAX_NAMED)) {
		const recipient = toRecipient(address);
		if (recipient !== null) named.set(recipient.toLowerCase(), recipient);
	}
	const addresses = [...named.values()];
	if (restrictedTo !== undefined) {
		return (
			addresses.find((address) => isMailFor(restrictedTo, address)) ?? toRecipient(restrictedTo)
		);
	}
	if (addresses.length === 0) return null;
	const identities = await askIdentities();
	const own = addresses.filter((address) => identities?.isOwn(address));
	return own.length === 1 ? (own[0] ?? null) : null;
}
