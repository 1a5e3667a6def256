import { parseUrl } from '../lib/hosts';
import { isPublicAddress } from './publicAddress';

/**
 * Names that never lead to a public host: RFC 6761, RFC 6762, RFC 8375, ICANN's `.internal` and the names that it gives
 * to nobody because so many networks use them, and what clusters and routers call their hosts.
 */
const PRIVATE_SUFFIXES: ReadonlyArray<{ suffixes: readonly string[]; reason: string }> = [
	{ suffixes: ['localhost', 'localdomain'], reason: 'is this machine itself' },
	{ suffixes: ['local', 'lan'], reason: 'is known on the local network only' },
	{ suffixes: ['home', 'home.arpa'], reason: 'is known on a home network only' },
	{
		suffixes: ['internal', 'intranet', 'private', 'corp', 'mail', 'domain', 'workgroup'],
		reason: 'is known on a private network only',
	},
	{ suffixes: ['svc', 'docker', 'consul'], reason: 'is known within a cluster only' },
	{ suffixes: ['test'], reason: 'is reserved for tests' },
	{ suffixes: ['invalid'], reason: 'can never exist' },
];

/** As the URL parser writes IPv4 and IPv6 addresses; no name looks like one (URL Standard, section 3.5). */
const ADDRESS = /^\d+(?:\.\d+){3}$|:/;

/**
 * Tells why the service could not deliver to a URL (contract, sections 2.4 and 8: public HTTPS only).
 *
 * @param text the URL
 * @param allowPrivate whether the credential allows private addresses and plain HTTP
 * @returns a clause that goes after "The URL …", or undefined when the URL can be delivered to
 */
export function webhookUrlProblem(text: string, allowPrivate: boolean): string | undefined {
	const url = parseUrl(text);
	if (!url) return 'is not a complete address such as https://example.com/hook';
	if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https://';
	if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
	if (allowPrivate) return undefined;
	if (url.protocol === 'http:')
		return 'must start with https://, because the service delivers over HTTPS only';
	return hostProblem(url.hostname);
}

/**
 * Whether a host is this machine, or in a network of one's own.
 *
 * @param hostname as a URL has it
 */
export function isPrivateHost(hostname: string): boolean {
	return hostProblem(hostname) !== undefined;
}

function hostProblem(hostname: string): string | undefined {
	const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
	if (ADDRESS.test(host))
		return isPublicAddress(host) ? undefined : `leads to the private or reserved address ${host}`;
	const match = PRIVATE_SUFFIXES.find(({ suffixes }) =>
		suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`)),
	);
	if (match) return `leads to ${host}, which ${match.reason}`;
	return host.includes('.')
		? undefined
		: `leads to ${host}, which is known on a private network only`;
}
