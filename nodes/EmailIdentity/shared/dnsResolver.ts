import type { INodeProperties } from 'n8n-workflow';
import { isPrivateHost } from '../api/webhookUrl';
import { parseUrl } from '../lib/hosts';

/**
 * Who is asked where the user names nobody: in this order, the second one when the first one does not know. They speak
 * HTTP/1.1, as n8n's client does.
 */
export const USUAL_RESOLVERS = [
	'https://cloudflare-dns.com/dns-query',
	'https://dns.google/dns-query',
];

/**
 * The field of all features that ask the DNS.
 *
 * @param place what differs from place to place: when it is shown, and what for
 */
export const dnsResolverField = (place: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: 'DNS Resolver',
	name: 'dnsResolver',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://dns.example.com/dns-query',
	description:
		'DNS-over-HTTPS servers to ask, comma-separated, in order of use. Cloudflare and Google if empty. They learn the domains that are looked up.',
	...place,
});

/** What RFC 8484 writes behind the addresses of resolvers, as a template. */
const TEMPLATE = /\{\?dns\}$/;

/**
 * The addresses that the user named, or the usual ones.
 *
 * @param text what the field holds
 */
export function readDnsResolvers(text: string): string[] {
	const named = namesIn(text).map((address) => address.replace(TEMPLATE, ''));
	return named.length > 0 ? named : USUAL_RESOLVERS;
}

/**
 * Tells why the DNS cannot be asked as the user wants it.
 *
 * @param text what the field holds
 * @returns a sentence without its full stop, or undefined where it can
 */
export function dnsResolverProblem(text: string): string | undefined {
	return readDnsResolvers(text)
		.map((address) => addressProblem(address))
		.find((problem) => problem !== undefined);
}

function namesIn(text: string): string[] {
	return text.split(/[\s,;]+/).filter((name) => name !== '');
}

function addressProblem(address: string): string | undefined {
	const url = parseUrl(address);
	if (!url || !/^https?:/i.test(address)) {
		return 'DNS Resolver must be a complete address such as https://dns.example.com/dns-query';
	}
	// Not the address itself: what it holds stands in errors and logs then.
	if (url.username !== '' || url.password !== '') {
		return `The address of the DNS Resolver ${url.host} must not hold a user name or password`;
	}
	if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
		return `The address of the DNS Resolver ${url.host} must start with https://; http is for servers in your own network`;
	}
	return undefined;
}
