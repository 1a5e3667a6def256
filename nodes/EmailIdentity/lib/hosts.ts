import { BoundedMap } from './boundedMap';
import { normalized } from './text';

/** RFC 1035, 2.3.4. */
const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

/** Letters, digits and hyphens (RFC 1035, 2.3.4), with the underscore that some hosts have, and names of keys and policies. */
const LABEL = /^[a-z0-9_-]+$/i;

/** What the letters of other scripts are written with. IDNA drops or replaces other characters: they could deceive. */
const ALL_OF_LETTERS = /^[\p{L}\p{M}\p{N}._-]+$/u;

const ASCII = /^[ -~]*$/;

/** The dots that IDNA knows. */
const DOTS = /[.\u3002\uff0e\uff61]/;

/** Characters that end a host, or encode something in it. */
const NO_HOST = /[\s/:@?#%\\]/;

/** More domains than an account has identities, so that a list of them stays in the cache as a whole. */
const MAX_CACHED_HOSTS = 10_000;

const asciiHosts = new BoundedMap<string, string | undefined>(MAX_CACHED_HOSTS);

/** Whether a text in ASCII (IDNA) can be a name in the DNS, without a dot at its end. */
export function isDnsName(text: string): boolean {
	return isShort(text) && text.split('.').every((label) => LABEL.test(label));
}

/**
 * A domain in lower-case ASCII (IDNA, RFC 5890), as the DNS and signatures have it.
 *
 * @returns null for what is no domain, or could be taken for another than it is
 */
export function asciiDomain(written: string): string | null {
	if (written.length > MAX_NAME_LENGTH) return null;
	const domain = written.toLowerCase();
	if (ASCII.test(domain)) return isDomain(domain) ? domain : null;
	const isPlain = ALL_OF_LETTERS.test(domain) && normalized(domain, 'NFKC') === domain;
	const inAscii = isPlain ? toAsciiHost(domain) : undefined;
	return inAscii !== undefined && isDomain(inAscii) ? inAscii : null;
}

const isDomain = (name: string): boolean => name.includes('.') && isDnsName(name);

/**
 * Writes a host in ASCII (IDNA) as the URL standard does. The time grows with the square of a label's length, so a host
 * that is too long for the DNS is none, and the results are kept.
 *
 * @returns undefined for what can be no host of a URL
 */
export function toAsciiHost(host: string): string | undefined {
	if (asciiHosts.has(host)) return asciiHosts.get(host);
	if (!isShort(host) || NO_HOST.test(host)) return undefined;
	const ascii = construct(`http://${host}`)?.hostname;
	asciiHosts.set(host, ascii);
	return ascii;
}

/** No character of a host becomes less than one in ASCII. */
function isShort(host: string): boolean {
	return (
		host.length <= MAX_NAME_LENGTH &&
		host.split(DOTS).every((label) => label.length <= MAX_LABEL_LENGTH)
	);
}

/** What stands before an authority, the authority, and the rest. An address without an authority is relative. */
const PARTS = /^([\0- ]*(?:[a-z][a-z\d+.-]*:[\\/]*|[\\/]{2,}))([^\\/?#]*)(.*)$/is;

/** User, host and port. */
const AUTHORITY = /^(.*@)?(\[[^\]]*\]|[^:]*)(.*)$/s;

/**
 * Parses a URL whose host is bounded: the one way to do it, as services and strangers choose hosts.
 *
 * @param base for a relative URL
 * @returns undefined for what is no URL
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	// URL parsers leave these out, wherever they are.
	const url = text.replace(/[\t\n\r]/g, '');
	const [, start = '', authority, rest = ''] = PARTS.exec(url) ?? [];
	if (authority === undefined) return construct(url, base);
	const [, user = '', host = '', port = ''] = AUTHORITY.exec(authority) ?? [];
	if (host.length > MAX_NAME_LENGTH) return undefined;
	const ascii = ASCII.test(host) ? host : toAsciiHost(host);
	return ascii === undefined ? undefined : construct(start + user + ascii + port + rest, base);
}

/**
 * Parses a URL that was checked before.
 *
 * @throws TypeError for what is no URL
 */
export function toUrl(text: string): URL {
	const url = parseUrl(text);
	if (url) return url;
	throw new TypeError('Invalid URL');
}

/** Not by `URL.canParse`, which refuses letters such as ü in Node 20. */
function construct(url: string, base?: string): URL | undefined {
	try {
		return new URL(url, base);
	} catch {
		return undefined;
	}
}

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
	const parsed = parseUrl(url);
	return parsed && parsed.origin + plainPath(parsed);
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
	const parsed = parseUrl(url);
	return parsed ? plainPath(parsed) : '';
}

function plainPath({ pathname }: URL): string {
	const path = decodeUnreserved(pathname);
	return path.endsWith('/') ? path.slice(0, -1) : path;
}

/**
 * A URL in one spelling, its query in one order. A slash at the end of the path is kept: two receivers may
 * differ by it.
 *
 * @returns what is no URL as it is
 */
export function canonicalUrl(url: string): string {
	const parsed = parseUrl(url);
	if (!parsed) return url;
	const { origin, pathname, searchParams } = parsed;
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
