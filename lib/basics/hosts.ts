import { BoundedMap } from './cache';

/** Of a host, in characters (RFC 1035, 2.3.4). */
export const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

/** Letters, digits and hyphens (RFC 1035, 2.3.4), and the underscore of some hosts, keys and policies. */
const LABEL = /^[a-z0-9_-]+$/i;

const ASCII = /^[ -~]*$/;

const DOTS = /[.\u3002\uff0e\uff61]/;

const NO_HOST = /[\s/:@?#%\\]/;

/** Accounts have fewer identities. */
const MAX_CACHED_HOSTS = 10_000;

const asciiHosts = new BoundedMap<string, string | undefined>(MAX_CACHED_HOSTS);

/** @param text in ASCII (IDNA), without a trailing dot */
export function isDnsName(text: string): boolean {
	return isShort(text) && text.split('.').every((label) => LABEL.test(label));
}

/**
 * Converts as in the URL standard (IDNA). This takes quadratic time in the length of a label, so hosts that are too long for
 * the DNS are refused, and results are cached.
 */
export function toAsciiHost(host: string): string | undefined {
	if (asciiHosts.has(host)) return asciiHosts.get(host);
	if (!isShort(host) || NO_HOST.test(host)) return undefined;
	const ascii = construct(`http://${host}`)?.hostname;
	asciiHosts.set(host, ascii);
	return ascii;
}

/** Can be checked before the conversion to ASCII, which never makes a host shorter. */
function isShort(host: string): boolean {
	if (host.length > MAX_NAME_LENGTH) return false;
	return host.split(DOTS).every((label) => label.length <= MAX_LABEL_LENGTH);
}

/** The part before the authority, the authority, and the rest. A URL without an authority is relative. */
const URL_PARTS = /^([\0- ]*(?:[a-z][a-z\d+.-]*:[\\/]*|[\\/]{2,}))([^\\/?#]*)(.*)$/is;

/** The user name and password with their at sign, the host, and the port with its colon. */
const AUTHORITY_PARTS = /^(.*@)?(\[[^\]]*\]|[^:]*)(.*)$/s;

/**
 * Always use this instead of `URL`: services and senders choose hosts, and long ones are slow to parse.
 *
 * @returns undefined if it is invalid, or if its host is too long for the DNS
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	// URL parsers remove these everywhere.
	const url = text.replace(/[\t\n\r]/g, '');
	const [, start = '', authority, rest = ''] = URL_PARTS.exec(url) ?? [];
	if (authority === undefined) return construct(url, base);
	const [, user = '', host = '', port = ''] = AUTHORITY_PARTS.exec(authority) ?? [];
	if (host.length > MAX_NAME_LENGTH) return undefined;
	const ascii = ASCII.test(host) ? host : toAsciiHost(host);
	if (ascii === undefined) return undefined;
	return construct(start + user + ascii + port + rest, base);
}

/** @param text a URL that was checked before */
export function toUrl(text: string): URL {
	const url = parseUrl(text);
	if (url) return url;
	throw new TypeError('Invalid URL');
}

/** Does not use `URL.canParse`, which refuses letters such as ü in Node 20. */
function construct(url: string, base?: string): URL | undefined {
	try {
		return new URL(url, base);
	} catch {
		return undefined;
	}
}

/** The same with and without percent-encoding (RFC 3986, section 2.3). */
const UNRESERVED = /^[\w.~-]$/;

/** Queries, a default port, percent-encoding, a trailing slash and the host's case make no difference. */
export function isSameAddress(one: string, other: string): boolean {
	const first = parseUrl(one);
	const second = parseUrl(other);
	if (!first || !second || first.origin !== second.origin) return false;
	return plainPath(first) === plainPath(second);
}

/** The path without a trailing slash; `''` for an invalid URL. */
export function pathOf(url: string): string {
	const parsed = parseUrl(url);
	if (parsed === undefined) return '';
	return plainPath(parsed);
}

function plainPath({ pathname }: URL): string {
	return decodeUnreserved(pathname).replace(/\/$/, '');
}

/** Normalizes a URL and sorts its query. Keeps a trailing slash, which can distinguish two receivers. */
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
