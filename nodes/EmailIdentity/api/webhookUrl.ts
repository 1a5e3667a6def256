import { IPv4, IPv6, isValid, parse } from 'ipaddr.js';

/** Names that never lead to a public host (RFC 6761, RFC 6762, RFC 8375, and ICANN's `.internal`). */
const PRIVATE_SUFFIXES: ReadonlyArray<{ suffix: string; reason: string }> = [
	{ suffix: 'localhost', reason: 'is this machine itself' },
	{ suffix: 'local', reason: 'is known on the local network only' },
	{ suffix: 'internal', reason: 'is known on a private network only' },
	{ suffix: 'home.arpa', reason: 'is known on a home network only' },
	{ suffix: 'lan', reason: 'is known on the local network only' },
	{ suffix: 'test', reason: 'is reserved for tests' },
	{ suffix: 'invalid', reason: 'can never exist' },
];

/**
 * Tells why the service could not deliver to a URL (contract, sections 2.4 and 8: public HTTPS only).
 *
 * @param text the URL
 * @param allowPrivate whether the credential allows private addresses and plain HTTP
 * @returns a clause that goes after "The URL …", or undefined when the URL can be delivered to
 */
export function webhookUrlProblem(text: string, allowPrivate: boolean): string | undefined {
	if (!URL.canParse(text)) return 'is not a complete address such as https://example.com/hook';
	const url = new URL(text);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https://';
	if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
	if (allowPrivate) return undefined;
	if (url.protocol === 'http:')
		return 'must start with https://, because the service delivers over HTTPS only';
	return hostProblem(url.hostname);
}

function hostProblem(hostname: string): string | undefined {
	// The URL parser has brought every spelling of an IPv4 address into the dotted one.
	const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
	if (isValid(host))
		return isPublicAddress(host) ? undefined : `leads to the private or reserved address ${host}`;
	const match = PRIVATE_SUFFIXES.find(
		({ suffix }) => host === suffix || host.endsWith(`.${suffix}`),
	);
	if (match) return `leads to ${host}, which ${match.reason}`;
	return host.includes('.')
		? undefined
		: `leads to ${host}, which is known on a private network only`;
}

function isPublicAddress(host: string): boolean {
	const address = parse(host);
	const target = address instanceof IPv6 ? (embeddedAddress(address) ?? address) : address;
	return target.range() === 'unicast';
}

/** Where in an IPv6 address an IPv4 address stands that it merely wraps (RFC 4291, RFC 6052, RFC 3056). */
const EMBEDDED_AT: Readonly<Record<string, number>> = { ipv4Mapped: 12, rfc6052: 12, '6to4': 2 };

function embeddedAddress(address: IPv6): IPv4 | undefined {
	const start = EMBEDDED_AT[address.range()];
	return start === undefined ? undefined : new IPv4(address.toByteArray().slice(start, start + 4));
}
