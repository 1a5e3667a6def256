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
