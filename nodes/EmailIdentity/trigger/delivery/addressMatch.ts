/**
 * Whether mail to a recipient is mail for an identity: it is the address, or is in the domain. Case, a plus tag
 * (RFC 5233) and the two spellings of a domain (RFC 5890) make no difference; a subdomain is another domain.
 *
 * @param identity an address, or a domain
 * @param recipient an address, as a header or the service has it
 */
export function isMailFor(identity: string, recipient: string): boolean {
	const wanted = takeApart(identity);
	const given = takeApart(recipient);
	if (given.mailbox === '' || given.domain === '' || given.domain !== wanted.domain) return false;
	const isWhole = wanted.mailbox === '';
	return isWhole || [given.mailbox, untagged(given.mailbox)].includes(wanted.mailbox);
}

function takeApart(text: string): { mailbox: string; domain: string } {
	const address = text
		.normalize('NFC')
		.toLowerCase()
		.replace(/[<>\s]/g, '');
	const at = address.lastIndexOf('@');
	return { mailbox: address.slice(0, Math.max(0, at)), domain: inAscii(address.slice(at + 1)) };
}

function inAscii(domain: string): string {
	const isAscii = /^[ -~]*$/.test(domain);
	return isAscii || !URL.canParse(`http://${domain}`)
		? domain
		: new URL(`http://${domain}`).hostname;
}

function untagged(mailbox: string): string {
	const plus = mailbox.indexOf('+');
	return plus > 0 ? mailbox.slice(0, plus) : mailbox;
}
