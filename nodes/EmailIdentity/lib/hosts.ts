import { normalized } from './text';

/** RFC 1035, 2.3.4. */
const LONGEST_NAME = 253;

/** Letters, digits and hyphens (RFC 1035, 2.3.4), with the underscore that some hosts have, and names of keys and policies. */
const LABEL = /^[a-z0-9_-]{1,63}$/i;

/** What the letters of other scripts are written with. Others are left out or made another by IDNA: they could deceive. */
const ALL_OF_LETTERS = /^[\p{L}\p{M}\p{N}._-]+$/u;

const ASCII = /^[ -~]*$/;

/** Whether a text in ASCII (IDNA) can be a name in the DNS, without a dot at its end. */
export function isDnsName(text: string): boolean {
	return text.length <= LONGEST_NAME && text.split('.').every((label) => LABEL.test(label));
}

/**
 * A domain in lower-case ASCII (IDNA, RFC 5890), as the DNS and signatures have it.
 *
 * @returns null for what is no domain, or could be taken for another than it is
 */
export function asciiDomain(written: string): string | null {
	if (written.length > LONGEST_NAME) return null;
	const domain = written.toLowerCase();
	if (ASCII.test(domain)) return isDomain(domain) ? domain : null;
	const isPlain = ALL_OF_LETTERS.test(domain) && normalized(domain, 'NFKC') === domain;
	const inAscii = isPlain ? idnaOf(domain) : undefined;
	return inAscii !== undefined && isDomain(inAscii) ? inAscii : null;
}

/**
 * Writes a domain in ASCII (IDNA), as the URL standard has it, which is there wherever n8n runs. That takes time that grows
 * with the square of the length; no character of a domain becomes less than one, so that what is too long can be none.
 *
 * @returns undefined for what can be no host of a URL
 */
export function idnaOf(domain: string): string | undefined {
	const isHost = domain.length <= LONGEST_NAME && URL.canParse(`http://${domain}`);
	return isHost ? new URL(`http://${domain}`).hostname : undefined;
}

/** A name of one part is no domain that somebody has. */
const isDomain = (name: string): boolean => name.includes('.') && isDnsName(name);

/** Letters that mean the same with and without percent-encoding (RFC 3986, section 2.3). */
const UNRESERVED = /^[\w.~-]$/;

/**
 * Where a URL leads, in one spelling: the host's case, a default port, percent-encoding and a slash at the
 * end make no difference. The query and the fragment are left out.
 *
 * @param url what a service shows; anything at all
 * @returns undefined for what is no URL
 */
export function addressOf(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	return new URL(url).origin + pathOf(url);
}

/** Whether two URLs lead to the same address, whatever their queries. */
export function isSameAddress(one: string, other: string): boolean {
	const address = addressOf(one);
	return address !== undefined && address === addressOf(other);
}

/** Whether two URLs lead to the same address, whatever their queries, where a slash at the end makes a difference. */
export function isSameReceiver(one: string, other: string): boolean {
	const [receiver, another] = [one, other].map((url) => canonicalUrl(url).split('?', 1)[0]);
	return receiver === another;
}

/** The path of a URL in one spelling, empty for what is no URL. */
export function pathOf(url: string): string {
	if (!URL.canParse(url)) return '';
	const path = decodeUnreserved(new URL(url).pathname);
	return path.endsWith('/') ? path.slice(0, -1) : path;
}

/**
 * A URL in one spelling, its query in one order. A slash at the end of the path is kept: two receivers may
 * differ by it.
 *
 * @returns what is no URL as it is
 */
export function canonicalUrl(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname, searchParams } = new URL(url);
	searchParams.sort();
	const query = searchParams.size > 0 ? `?${searchParams}` : '';
	return origin + decodeUnreserved(pathname) + query;
}

function decodeUnreserved(path: string): string {
	return path.replace(/%[0-9a-f]{2}/gi, (code) => {
		const letter = String.fromCharCode(parseInt(code.slice(1), 16));
		return UNRESERVED.test(letter) ? letter : code.toUpperCase();
	});
}
