/** Links that mean something outside of the email. */
const ADDRESS = /^(?:https?:\/\/|mailto:|tel:)[^\s]/i;

/** The target of a link, as browsers read it; undefined for one that means nothing outside of the email. */
export function addressOf(href: string | undefined): string | undefined {
	const address = (href ?? '').replace(/[\t\r\n]+/g, '').trim();
	return ADDRESS.test(address) ? address.replace(/ /g, '%20') : undefined;
}

/** Whether a link's label is its address already, as people write it. */
export function saysAddress(label: string, address: string): boolean {
	return comparable(label) === comparable(address);
}

/** An address as people read it: mailboxes and numbers stand for themselves. */
export function shownAddress(address: string): string {
	return address.replace(/^tel:/i, '').replace(/^mailto:([^?]+).*$/is, '$1');
}

function comparable(address: string): string {
	return shownAddress(address)
		.toLowerCase()
		.replace(/^https?:\/\//, '')
		.replace(/^www\./, '')
		.replace(/\/$/, '');
}
