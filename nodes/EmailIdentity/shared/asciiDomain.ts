import { normalized } from './normalization';

/** Letters, digits and hyphens in parts of 63 characters (RFC 1035, 2.3.4), with the underscore that some hosts have. */
const DOMAIN = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/;

/** What the letters of other scripts are written with. Others are left out or made another by IDNA: they could deceive. */
const ALL_OF_LETTERS = /^[\p{L}\p{M}\p{N}._-]+$/u;

const ASCII = /^[ -~]*$/;

/** RFC 1035, 2.3.4. */
const LONGEST_DOMAIN = 253;

/**
 * A domain in lower-case ASCII (IDNA, RFC 5890), as the DNS and signatures have it.
 *
 * @returns null for what is no domain, or could be taken for another than it is
 */
export function asciiDomain(written: string): string | null {
	if (written.length > LONGEST_DOMAIN) return null;
	const domain = written.toLowerCase();
	if (ASCII.test(domain)) return DOMAIN.test(domain) ? domain : null;
	const isPlain = ALL_OF_LETTERS.test(domain) && normalized(domain, 'NFKC') === domain;
	if (!isPlain || !URL.canParse(`http://${domain}`)) return null;
	const { hostname } = new URL(`http://${domain}`);
	return DOMAIN.test(hostname) ? hostname : null;
}
