import { parseUrl } from '../../../../lib/basics';

/** Domains that exist only on a private network. */
const PRIVATE_SUFFIXES = [
	'localhost', // RFC 6761, like test and invalid
	'test',
	'invalid',
	'local', // RFC 6762
	'home.arpa', // RFC 8375
	'internal', // not delegated by ICANN, like private, home, corp and mail
	'private',
	'home',
	'corp',
	'mail',
	'localdomain', // routers and company networks
	'lan',
	'intranet',
	'domain',
	'workgroup',
	'svc', // clusters
	'docker',
	'consul',
];

/** IPv4 and IPv6 addresses as the URL parser writes them (URL Standard, section 3.5). */
const IP_ADDRESS = /^\d+(?:\.\d+){3}$|:/;

/** Contract, sections 2.4 and 8: public HTTPS only. @returns words that follow the name of the field */
export function webhookUrlProblem(text: string, allowPrivate: boolean): string | undefined {
	const url = parseUrl(text);
	if (!url) return 'is not a complete URL such as https://example.com/hook';
	const isAllowedHttp = allowPrivate && url.protocol === 'http:';
	if (url.protocol !== 'https:' && !isAllowedHttp) {
		return 'must start with https:// because services deliver over HTTPS only';
	}
	if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
	if (allowPrivate) return undefined;
	return hostProblem(url.hostname);
}

export function isPrivateHost(hostname: string): boolean {
	return hostProblem(hostname) !== undefined;
}

/** Whether a host, as the URL parser writes it, is the computer itself (RFC 6761, 6.3; RFC 6890). */
export function isLoopback(hostname: string): boolean {
	return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function hostProblem(hostname: string): string | undefined {
	const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
	if (IP_ADDRESS.test(host)) {
		if (isPublic(bitsOf(host))) return undefined;
		return `points to the private or reserved address ${host}`;
	}
	const hasPrivateSuffix = PRIVATE_SUFFIXES.some((suffix) => `.${host}`.endsWith(`.${suffix}`));
	const isPrivate = hasPrivateSuffix || !host.includes('.');
	if (!isPrivate) return undefined;
	return `points to ${host}, which exists only on a private network`;
}

/** Private and reserved addresses (RFC 6890) and multicast. */
const RESERVED_IPV4 = [
	'0.0.0.0/8', // this network
	'10.0.0.0/8', // private, like 172.16.0.0/12 and 192.168.0.0/16
	'100.64.0.0/10', // within a provider
	'127.0.0.0/8', // this machine
	'169.254.0.0/16', // this link
	'172.16.0.0/12',
	'192.0.0.0/24', // protocols
	'192.0.2.0/24', // documentation, like 198.51.100.0/24 and 203.0.113.0/24
	'192.168.0.0/16',
	'198.18.0.0/15', // measurements
	'198.51.100.0/24',
	'203.0.113.0/24',
	'224.0.0.0/3', // multicast and unassigned
];

const RESERVED_IPV6 = [
	'::/96', // unspecified, loopback and deprecated IPv4-compatible
	'64:ff9b:1::/48', // IPv4 in a local translation
	'2001:db8::/32', // documentation
	'2002::/16', // IPv4 in former tunnels
	'fc00::/7', // private
	'fe80::/9', // this link and former site-local
	'ff00::/8', // multicast
];

/** IPv6 ranges that end in an IPv4 address (RFC 4291, 6052). */
const WRAPPED_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'];

const IPV4_BITS = 32;

function isPublic(bits: string): boolean {
	if (bits.length === IPV4_BITS) return !RESERVED_IPV4.some((range) => isInRange(bits, range));
	const isWrapped = WRAPPED_IPV4.some((range) => isInRange(bits, range));
	if (isWrapped) return isPublic(bits.slice(-IPV4_BITS));
	return !RESERVED_IPV6.some((range) => isInRange(bits, range));
}

function isInRange(bits: string, range: string): boolean {
	const [address = '', length] = range.split('/');
	return bits.startsWith(bitsOf(address).slice(0, Number(length)));
}

/** Writes an address as a string of zeros and ones. */
function bitsOf(address: string): string {
	const isIpv4 = !address.includes(':');
	if (isIpv4) return toBits(address.split('.'), 10, 8);
	// Two colons stand for as many zeros as are missing.
	const halves = address.split('::');
	const [front = [], back = []] = halves.map(hexGroupsIn);
	const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
	return toBits([...front, ...zeros, ...back], 16, 16);
}

function hexGroupsIn(half: string): string[] {
	return half.split(':').filter((group) => group !== '');
}

function toBits(numbers: string[], radix: number, length: number): string {
	const binary = numbers.map((number) => parseInt(number, radix).toString(2));
	return binary.map((bits) => bits.padStart(length, '0')).join('');
}
