import { normalized } from './normalization';

/** RFC 1035, 2.3.4. */
const LONGEST_NAME = 253;

/** Letters, digits and hyphens (RFC 1035, 2.3.4), with the underscore that some hosts have, and names of keys and policies. */
const LABEL = /^[a-z0-9_-]{1,63}$/i;

/** What the letters of other scripts are written with. Others are left out or made another by IDNA: they could deceive. */
const ALL_OF_LETTERS = /^[\p{L}\p{M}\p{N}._-]+$/u;

const ASCII = /^[ -~]*$/;

/** Whether a text in ASCII (IDNA) can be a name in the DNS, without a dot at its end. */
export function isDnsName(text: string): boolean {
	return text.length <= LONGEST_NAME && text.split('.').every((label) => LABEL.test(label));
}

/**
 * A domain in lower-case ASCII (IDNA, RFC 5890), as the DNS and signatures have it.
 *
 * @returns null for what is no domain, or could be taken for another than it is
 */
export function asciiDomain(written: string): string | null {
	if (written.length > LONGEST_NAME) return null;
	const domain = written.toLowerCase();
	if (ASCII.test(domain)) return isDomain(domain) ? domain : null;
	const isPlain = ALL_OF_LETTERS.test(domain) && normalized(domain, 'NFKC') === domain;
	const inAscii = isPlain ? idnaOf(domain) : undefined;
	return inAscii !== undefined && isDomain(inAscii) ? inAscii : null;
}

/**
 * Writes a domain in ASCII (IDNA), as the URL standard has it, which is there wherever n8n runs. That takes time that grows
 * with the square of the length; no character of a domain becomes less than one, so that what is too long can be none.
 *
 * @returns undefined for what can be no host of a URL
 */
export function idnaOf(domain: string): string | undefined {
	const isHost = domain.length <= LONGEST_NAME && URL.canParse(`http://${domain}`);
	return isHost ? new URL(`http://${domain}`).hostname : undefined;
}

/** A name of one part is no domain that somebody has. */
const isDomain = (name: string): boolean => name.includes('.') && isDnsName(name);
