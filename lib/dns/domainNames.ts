import { isDnsName, MAX_NAME_LENGTH, normalized, toAsciiHost } from '../basics';

const PRINTABLE = /^[\x21-\x7e]+$/;

/** Letters, marks and digits in any script. */
const LETTERS = /^[\p{L}\p{M}\p{N}._-]+$/u;

/** In lower case (IDNA, RFC 5890), as in signatures. @returns null for no domain, or one that could be mistaken for another */
export function asciiDomain(written: string): string | null {
	if (written.length > MAX_NAME_LENGTH) return null;
	const domain = written.toLowerCase();
	const ascii = PRINTABLE.test(domain) ? domain : toAsciiDomain(domain);
	const isDomain = ascii !== undefined && ascii.includes('.') && isDnsName(ascii);
	return isDomain ? ascii : null;
}

/**
 * IDNA drops or replaces other characters. A stranger could write one that people see as another domain, and that becomes the stranger's own
 * when it is looked up.
 *
 * @example `exam\u00adple.com` with a soft hyphen becomes `example.com`; `ﬁsh.example` with a ligature becomes `fish.example`
 */
function toAsciiDomain(domain: string): string | undefined {
	const isItself = LETTERS.test(domain) && normalized(domain, 'NFKC') === domain;
	if (!isItself) return undefined;
	return toAsciiHost(domain);
}

/** For a DNS query: in ASCII (IDNA), lower case, without the trailing dot. */
export function toDomainName(text: string): string | undefined {
	const written = text.trim();
	const ascii = PRINTABLE.test(written) ? written : toAsciiHost(written);
	if (ascii === undefined) return undefined;
	const name = ascii.toLowerCase().replace(/\.$/, '');
	return isDnsName(name) ? name : undefined;
}

/**
 * A name from a record: lower case, without the trailing dot; the root is `''`. Labels may contain any bytes, so characters
 * other than printable ASCII become `?`.
 */
export function toRecordName(name: string): string {
	return name
		.toLowerCase()
		.replace(/\.$/, '')
		.replace(/[^\x21-\x7e]/g, '?');
}

/**
 * The full name of a record that a service lists. Providers write `@` or nothing for the domain itself, and omit the domain
 * or its parent zone.
 */
export function toWholeName(written: string, domain: string): string | undefined {
	const text = written.trim();
	if (text === '' || text === '@') return domain;
	const name = toDomainName(text);
	if (name === undefined) return undefined;
	const zones = [domain, ...parentsOf(domain).slice(0, -1)];
	const isWhole = text.endsWith('.') || zones.some((zone) => isWithin(name, zone));
	if (isWhole) return name;
	// `mail._domainkey.news` for news.example.com: the zone example.com is omitted.
	const zone = zones.find((parent) => isWithin(name, domain.slice(0, -parent.length - 1)));
	return toDomainName(`${name}.${zone ?? domain}`);
}

/** Nearest first, up to the top-level domain. */
export function parentsOf(name: string): string[] {
	const labels = name.split('.');
	return labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
}

function isWithin(name: string, zone: string): boolean {
	return zone !== '' && (name === zone || name.endsWith(`.${zone}`));
}
