import { toAsciiHost } from './hosts';
import { normalized } from './text';

/** `ada+shop`: its user `ada` and its tag `shop`. */
interface PlusTag {
	user: string;
	/** Null if there is none, or an empty one. */
	tag: string | null;
}

/** Splits a mailbox at its first plus sign (RFC 5233). One at the start or in quotes is part of the name. */
function readPlusTag(mailbox: string): PlusTag {
	const plus = mailbox.indexOf('+');
	if (plus <= 0 || mailbox.startsWith('"')) return { user: mailbox, tag: null };
	return { user: mailbox.slice(0, plus), tag: mailbox.slice(plus + 1) || null };
}

/** The plus tag of an address, null if there is none, and the address without it. */
export function splitPlusTag(address: string): { address: string; tag: string | null } {
	const { mailbox, domain } = splitAddress(address);
	if (mailbox === '') return { address, tag: null };
	const { user, tag } = readPlusTag(mailbox);
	return { address: `${user}@${domain}`, tag };
}

/** @param identity `ada@example.com`, `example.com` or `@example.com`; case and the form of the domain make no difference */
export function identityKey(identity: string): string {
	const { mailbox, domain } = normalizedParts(identity);
	return mailbox === '' ? domain : `${mailbox}@${domain}`;
}

/** The keys of the identities that receive a recipient's mail: the address with and without its plus tag, and its domain. */
export function identityKeysOf(recipient: string): string[] {
	const { domain } = normalizedParts(recipient);
	const addresses = addressKeysOf(recipient);
	return addresses.length === 0 ? [] : [...addresses, domain];
}

/** The keys of the identities that are a recipient's address: with and without its plus tag. Empty without an address. */
export function addressKeysOf(recipient: string): string[] {
	const { mailbox, domain } = normalizedParts(recipient);
	if (mailbox === '' || domain === '') return [];
	const { user } = readPlusTag(mailbox);
	return [`${mailbox}@${domain}`, `${user}@${domain}`];
}

/** The same for all addresses of a mailbox: without its plus tag. `''` without an address. */
export function mailboxKey(address: string): string {
	return addressKeysOf(address)[1] ?? '';
}

export function isMailFor(identity: string, recipient: string): boolean {
	return identityKeysOf(recipient).includes(identityKey(identity));
}

/** Plus tags make no difference. */
export function isSameMailbox(one: string, other: string): boolean {
	const key = mailboxKey(one);
	return key !== '' && key === mailboxKey(other);
}

export interface AddressParts {
	/** In front of the last at sign; `''` without one. */
	mailbox: string;
	domain: string;
}

/** Splits at the last at sign. A text without one is a domain. */
export function splitAddress(address: string): AddressParts {
	const at = address.lastIndexOf('@');
	return { mailbox: address.slice(0, Math.max(0, at)), domain: address.slice(at + 1) };
}

/** In lower case, without brackets and blanks, the domain in ASCII if it can be written so. */
function normalizedParts(text: string): AddressParts {
	const written = normalized(text).toLowerCase();
	const { mailbox, domain } = splitAddress(written.replace(/[<>\s]/g, ''));
	const isAscii = /^[ -~]*$/.test(domain);
	if (isAscii) return { mailbox, domain };
	return { mailbox, domain: toAsciiHost(domain) ?? domain };
}
