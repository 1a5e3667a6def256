import { splitAddress } from '../basics';
import { asciiDomain } from '../dns';
import {
	type EmailAddress,
	isRaw,
	parseAddresses,
	withoutCommentsAndQuotes,
	type WrittenField,
} from '../email';
import { PROOF_LIMITS } from './proofLimits';

/** Whether a text contains the replacement for bytes that are not UTF-8. The original may contain it, too. */
export function hasLostCharacters(text: string): boolean {
	return text.includes('\uFFFD') || (!text.isWellFormed() && !isRaw(text));
}

/**
 * Characters that separate addresses, open a group or a route, or are not in plainly written addresses. With each of them, there is a From
 * in which one program finds the stranger's domain, which signed, and another one shows the domain of somebody else:
 *
 * @example `bank@bank.example, x@stranger.example`, or `Staff:bank@bank.example;x@stranger.example`
 */
const DOUBTFUL = /[,:;[\]\\\p{Cc}\u2028\u2029]/u;

const PLAIN_ADDRESS = /^[^\s"<>@]+@([^\s"<>@]+)$/;

/**
 * All programs must agree on the sender. So there must be one From with one plainly written address that our address parser
 * finds, too. A group, a route, a comment in an address or an unquoted at sign before it is ambiguous.
 */
export function readSenderDomain(fields: readonly WrittenField[]): string | null {
	const [from, another] = fields.filter(({ name }) => name === 'from');
	if (from === undefined || another !== undefined) return null;
	if (from.text.length > PROOF_LIMITS.from) return null;
	const address = readPlainAddress(from.value);
	if (address === null) return null;
	const [parsed, other] = parseAddresses(from.value);
	if (parsed?.address !== address || other !== undefined) return null;
	const [, domain = ''] = PLAIN_ADDRESS.exec(address) ?? [];
	return asciiDomain(domain);
}

/** @param from as it is shown @returns null if it has no domain */
export function shownDomain(from: EmailAddress | null): string | null {
	return asciiDomain(splitAddress(from?.address ?? '').domain);
}

/** The address of `name <address>` or `address`, with comments around it (RFC 5322, 3.4); null if ambiguous. */
function readPlainAddress(value: string): string | null {
	const written = withoutCommentsAndQuotes(value)?.trim();
	if (written === undefined || DOUBTFUL.test(written.replaceAll('\t', ' '))) return null;
	const angle = written.indexOf('<');
	if (angle < 0) return plainOrNull(written);
	const name = written.slice(0, angle);
	if (name.includes('@') || !written.endsWith('>')) return null;
	return plainOrNull(written.slice(angle + 1, -1));
}

/** Only some programs decode an encoded word in an address: to the others, it is another address. */
function plainOrNull(address: string): string | null {
	return PLAIN_ADDRESS.test(address) && !address.includes('=?') ? address : null;
}
