import type { INodeProperties } from 'n8n-workflow';
import { isPrivateHost } from '../api/webhookUrl';
import { parseUrl } from '../lib/hosts';

/**
 * The default resolvers: the second one is used if the first one does not answer. Both support HTTP/1.1, which n8n's client
 * uses.
 */
export const USUAL_RESOLVERS = [
	'https://cloudflare-dns.com/dns-query',
	'https://dns.google/dns-query',
];

/**
 * @param place overrides, such as when the field is shown
 */
export const dnsResolverField = (place: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: 'DNS Resolver',
	name: 'dnsResolver',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://dns.example.com/dns-query',
	description:
		'DNS-over-HTTPS servers, comma-separated, in order of use. Empty for Cloudflare and Google. The servers see the domains that are looked up.',
	...place,
});

/** The template that RFC 8484 adds to the URLs of resolvers. */
const TEMPLATE = /\{\?dns\}$/;

/**
 * The URLs in the field, or the default ones.
 */
export function readDnsResolvers(text: string): string[] {
	const named = namesIn(text).map((address) => address.replace(TEMPLATE, ''));
	return named.length > 0 ? named : USUAL_RESOLVERS;
}

/**
 * Why a value of the field cannot be used.
 *
 * @returns a sentence without its full stop; undefined if the value is valid
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
		return 'DNS Resolver must be a complete URL such as https://dns.example.com/dns-query';
	}
	// Not the whole URL, which would put the password into errors and logs.
	if (url.username !== '' || url.password !== '') {
		return `The URL of the DNS Resolver ${url.host} must not contain a user name or password`;
	}
	if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
		return `The URL of the DNS Resolver ${url.host} must start with https://. http is only allowed for servers in your own network`;
	}
	return undefined;
}
