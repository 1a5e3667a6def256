/** Links that mean something outside of the email. */
const LINK_ADDRESS = /^(?:https?:\/\/|mailto:|tel:)[^\s]/i;

const BLANK = /\s/;

const TELEPHONE = /^tel:/i;

// Longer than any address that programs accept. One that was cut would lead elsewhere, so it is left out as a whole.
const MAX_LINK_ADDRESS = 10_000;

/** Longer ones only count clicks. */
const MAX_MARKDOWN_LINK = 200;

/** The target within a link that counts clicks: in its query, or encoded in its path. */
const TARGETS = [
	/[?&;]([\w.-]{1,40})=(https?(?::|%3a)(?:\/|%2f){2}[^&#]+)/i,
	/(\/)(https?(?::|%3a)(?:%2f){2}[^/?&#]+)/i,
	/^https?:\/\/[^/]+(\/v3\/__)(https?:\/\/.+?)__;/i,
];

/** Where a link leads back to; its own address says what it does, such as signing in. */
const RETURN = /^(?:callback|continue|followup|next|redirect_uri|return|state)/i;

/** The target of a link, as browsers read it; undefined for one that means nothing outside of the email. */
export function addressOf(href: string | undefined): string | undefined {
	if (href === undefined || href.length > MAX_LINK_ADDRESS) return undefined;
	const address = href.replace(/[\t\r\n]+/g, '').trim();
	return LINK_ADDRESS.test(address) ? address.replace(/ /g, '%20') : undefined;
}

/** Whether a link's label is its address already, as people write it. */
export function saysAddress(label: string, address: string): boolean {
	if (TELEPHONE.test(address)) return telephoneDigits(label) === telephoneDigits(address);
	// Most labels are words.
	if (BLANK.test(label)) return false;
	return withoutEnds(label.replace(/^<(.*)>$/, '$1')) === withoutEnds(address);
}

/** An address as people read it: mailboxes and numbers stand for themselves. */
export function shownAddress(address: string): string {
	if (TELEPHONE.test(address)) return address.replace(TELEPHONE, '').replace(/%20/g, ' ');
	return address.replace(/^mailto:([^?]+).*$/is, '$1');
}

/** @param label in Markdown */
export function markdownLink(label: string, address: string): string {
	if (!saysAddress(label.replace(/\\(.)/g, '$1'), address)) {
		return `[${label}](${shortLink(address)})`;
	}
	return /^http/i.test(address) ? `<${shortLink(address)}>` : label;
}

/**
 * A link of at most 200 characters: the target of one that counts clicks; without its query, or without its path if it is still
 * too long.
 */
export function shortLink(address: string): string {
	const link = targetOf(address).replace(
		/[\s()<>[\]\\|"`]/g,
		(character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
	);
	if (link.length <= MAX_MARKDOWN_LINK) return link;
	const [path = ''] = link.split(/[?#]/, 1);
	if (path.length < MAX_MARKDOWN_LINK) return `${path}…`;
	const host = /^https?:\/\/[^/]{1,150}\//i.exec(link)?.[0];
	return `${host ?? link.slice(0, MAX_MARKDOWN_LINK - 1)}…`;
}

function targetOf(address: string): string {
	for (const pattern of TARGETS) {
		const [, name = '', written] = pattern.exec(address.slice(0, 5000)) ?? [];
		if (written === undefined || RETURN.test(name)) continue;
		try {
			return /^https?:\/\//i.test(written) ? written : decodeURIComponent(written);
		} catch {
			return address;
		}
	}
	return address;
}

function withoutEnds(address: string): string {
	const beginningOrEnd = /\/$|^(?:https?:\/\/)?(?:www\.)?/g;
	return shownAddress(address).toLowerCase().replace(beginningOrEnd, '');
}

/** `+44 (0)20 123456` is written `+4420123456` in links. */
function telephoneDigits(number: string): string {
	return number.replace(/\(0\)|%[\da-f]{2}|\D/gi, '');
}
