import type { Address } from './mime';
import { oneLine } from './oneLine';
import type { EmailAddress } from './types';

/** Mailboxes in the documented shape; groups are replaced by their members (RFC 5322, 3.4). */
export function toAddresses(addresses: Address[] | undefined): EmailAddress[] {
	return (addresses ?? [])
		.flatMap((address) => address.group ?? [address])
		.map(({ name, address }) => ({ name: oneLine(name), address: oneLine(address ?? '') }))
		.filter(({ name, address }) => name !== '' || address !== '');
}

/** The first mailbox: a header that should hold one may hold several, or a group. */
export function toAddress(address: Address | undefined): EmailAddress | null {
	return toAddresses(address && [address])[0] ?? null;
}
