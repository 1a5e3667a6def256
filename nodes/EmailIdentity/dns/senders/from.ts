import { parseAddresses } from '../../email/addresses';
import type { SignedField } from '../../email/asSigned';
import { asciiDomain } from '../../lib/hosts';
import { organizationalDomain } from '../names';

/** A name and an address have a few hundred characters. */
const MAX_FROM = 2000;

/** What separates addresses, opens a group or a route, or is in no address that is written plainly. */
const DOUBTFUL = /[,:;[\]\\\p{Cc}\u2028\u2029]/u;

/** Some programs decode what others leave. */
const ENCODED_WORD = '=?';

const PLAIN_ADDRESS = /^[^\s"<>@]+@([^\s"<>@]+)$/;

/** Stands for a quoted string, so that nothing within it is taken for more than a name. */
const QUOTED = '"';

/**
 * The domain that an email says it is from.
 *
 * A proof of a sender is worth as much as everybody's agreement on who that is. So there has to be one From with one address
 * in plain writing, which the MIME library finds, too. A group, a route, a comment within an address or an at sign before it
 * that is not in quotes could be read in two ways, and names nobody.
 *
 * @returns in ASCII; null where it does not name exactly one
 */
export function readSenderDomain(fields: readonly SignedField[]): string | null {
	const [from, another] = fields.filter(({ name }) => name === 'from');
	if (from === undefined || another !== undefined || from.text.length > MAX_FROM) return null;
	const address = readPlainAddress(from.value);
	const read = parseAddresses(from.value);
	if (address === null || read.length !== 1 || read[0]?.address !== address) return null;
	return asciiDomain(PLAIN_ADDRESS.exec(address)?.[1] ?? '');
}

/** The address of `name <address>` or `address`, with comments around it (RFC 5322, 3.4); null where there is any doubt. */
function readPlainAddress(value: string): string | null {
	const written = withoutCommentsAndQuotes(value)?.trim();
	if (written === undefined || DOUBTFUL.test(written.replaceAll('\t', ' '))) return null;
	const angle = written.indexOf('<');
	const name = angle < 0 ? '' : written.slice(0, angle);
	const address = angle < 0 ? written : written.slice(angle + 1, -1);
	const isWhole = angle < 0 || written.endsWith('>');
	if (address.includes(ENCODED_WORD)) return null;
	return isWhole && !name.includes('@') && PLAIN_ADDRESS.test(address) ? address : null;
}

/** A comment becomes a blank, a quoted string one quotation mark; undefined where one of them does not end. */
export function withoutCommentsAndQuotes(value: string): string | undefined {
	let kept = '';
	let depth = 0;
	let isQuoted = false;
	for (let index = 0; index < value.length; index++) {
		const character = value.charAt(index);
		if (character === '\\' && (isQuoted || depth > 0)) {
			index++;
		} else if (isQuoted) {
			isQuoted = character !== '"';
		} else if (character === '(') {
			if (depth++ === 0) kept += ' ';
		} else if (depth > 0) {
			if (character === ')') depth--;
		} else if (character === '"') {
			isQuoted = true;
			kept += QUOTED;
		} else {
			kept += character;
		}
	}
	return isQuoted || depth > 0 ? undefined : kept;
}

/**
 * Whether a signature's domain counts for the domain of From (identifier alignment, RFC 7489, 3.1.1).
 *
 * @param mode strict: the same; relaxed: of the same organization
 */
export function isAligned(signer: string, from: string, mode: 'relaxed' | 'strict'): boolean {
	const organization = organizationalDomain(from);
	if (organization === null) return false;
	return mode === 'strict' ? signer === from : organizationalDomain(signer) === organization;
}
