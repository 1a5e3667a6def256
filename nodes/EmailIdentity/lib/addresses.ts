import { toAsciiHost } from './hosts';
import { normalized } from './text';

/** A mailbox, the part of an address before the at sign, taken apart at its first plus sign (RFC 5233). */
export interface TaggedMailbox {
	user: string;
	/** What follows the plus sign, if anything. */
	tag: string | null;
}

/** A plus sign at the beginning, or within quotes, is part of the name. */
export function readPlusTag(mailbox: string): TaggedMailbox {
	const plus = mailbox.startsWith('"') ? -1 : mailbox.indexOf('+');
	if (plus <= 0) return { user: mailbox, tag: null };
	return { user: mailbox.slice(0, plus), tag: mailbox.slice(plus + 1) || null };
}

/**
 * What an identity is looked up by: an address or a domain, in one spelling. Case, the two spellings of a domain (RFC 5890)
 * and the at sign before a domain make no difference.
 *
 * @param identity `ada@example.com`, `example.com` or `@example.com`
 */
export function identityKey(identity: string): string {
	const { mailbox, domain } = takeApart(identity);
	return mailbox === '' ? domain : `${mailbox}@${domain}`;
}

/**
 * The identities that mail to a recipient is for: the address itself, without its plus tag, and its domain. A
 * subdomain is another domain.
 *
 * @param recipient an address, as a header or the service has it
 * @returns their keys, see `identityKey`; none for what is no address
 */
export function identityKeysOf(recipient: string): string[] {
	const { mailbox, domain } = takeApart(recipient);
	if (mailbox === '' || domain === '') return [];
	return [`${mailbox}@${domain}`, `${readPlusTag(mailbox).user}@${domain}`, domain];
}

/** Whether mail to a recipient is mail for an identity. */
export function isMailFor(identity: string, recipient: string): boolean {
	return identityKeysOf(recipient).includes(identityKey(identity));
}

function takeApart(text: string): { mailbox: string; domain: string } {
	const address = normalized(text)
		.toLowerCase()
		.replace(/[<>\s]/g, '');
	const at = address.lastIndexOf('@');
	return { mailbox: address.slice(0, Math.max(0, at)), domain: inAscii(address.slice(at + 1)) };
}

function inAscii(domain: string): string {
	return /^[ -~]*$/.test(domain) ? domain : (toAsciiHost(domain) ?? domain);
}
