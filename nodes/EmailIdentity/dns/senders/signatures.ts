import type { ParseHeader } from 'mailauth/lib/parse-dkim-headers';

import type { SignedField } from '../../email/asSigned';
import { asciiDomain, isDnsName } from '../../lib/hosts';
import { organizationalDomain } from '../names';
import { isAligned } from './from';
import type { SignatureReason } from './reasons';

/** A DKIM-Signature (RFC 6376, 3.5) before it is checked. */
export interface Signature {
	field: SignedField;
	/** In ASCII; `''` where it is no domain. */
	domain: string;
	/** `''` where it is no name. */
	selector: string;
	/** The fields that it covers, in lower case, as often as it names them. */
	covered: string[];
	/** When it was made, in seconds since 1970; undefined where it does not say. */
	time: number | undefined;
	/** Whether it says where the covered part of the content ends (l=). */
	hasLength: boolean;
	/** Why it need not be checked. */
	malformed: Extract<SignatureReason, 'malformed' | 'weakAlgorithm'> | undefined;
}

// An email has one or two, one that a list or a forwarder passed on a few more.
const MAX_ALIGNED = 5;
const MAX_OTHERS = 3;

/** So many are read to find them, of those that name the organization of the sender, and of others. */
const MAX_READ = 20;

/** A signature has a thousand characters, with copies of the fields that it covers (z=) some thousand. */
const MAX_SIGNATURE = 8000;

/**
 * Where a signature is folded stand a few blanks, and a letter of a domain has a few marks at most; the library's time grows
 * with the square of their number.
 */
const COSTLY = /[ \t\r\n]{100}|\p{M}{31}/u;

/**
 * An address has 320 characters (RFC 5321, 4.5.3.1), and some more where signs are written as numbers. The library's time for
 * the domain of i= grows with the square of its length.
 */
const MAX_ADDRESS = 500;

/** Nobody covers as many fields; each has to be looked for. */
const MAX_COVERED = 200;

/**
 * The signatures that are worth a question to the DNS and a look at the whole email: first those that could prove the domain
 * of From, in the order of the email, then a few others. However many somebody adds, those do not push them out.
 *
 * @param sender the domain of From; null where it is not known
 */
export function chooseSignatures(
	fields: readonly SignedField[],
	sender: string | null,
	parseHeader: ParseHeader,
): Signature[] {
	const organization = sender === null ? null : organizationalDomain(sender);
	const written = fields.filter(({ name }) => name === 'dkim-signature');
	const isNamed = ({ text }: SignedField) =>
		organization !== null && text.toLowerCase().includes(organization);
	const read = [
		...written.filter(isNamed).slice(0, MAX_READ),
		...written.filter((field) => !isNamed(field)).slice(0, MAX_READ),
	].map((field) => readSignature(field, parseHeader));
	const couldProve = ({ domain }: Signature) =>
		sender !== null && isAligned(domain, sender, 'relaxed');
	return [
		...read.filter(couldProve).slice(0, MAX_ALIGNED),
		...read.filter((signature) => !couldProve(signature)).slice(0, MAX_OTHERS),
	];
}

/** The library judges whether it is written right; here it is read, as the library does, as far as others have to know. */
function readSignature(field: SignedField, parseHeader: ParseHeader): Signature {
	const isUnreadable = field.text.length > MAX_SIGNATURE || COSTLY.test(field.text);
	const { parsed } = parseHeader(isUnreadable ? 'DKIM-Signature:' : field.text, { strict: true });
	const tag = (name: string) => String(parsed[name]?.value ?? '');
	const selector = tag('s');
	const covered = tag('h').toLowerCase().split(':');
	const time = Number(parsed.t?.value);
	const isMalformed = isUnreadable || covered.length > MAX_COVERED || tag('i').length > MAX_ADDRESS;
	const usesSha1 = tag('a').toLowerCase().endsWith('sha1');
	return {
		field,
		domain: asciiDomain(tag('d')) ?? '',
		selector: isDnsName(selector) ? selector : '',
		covered,
		time: Number.isFinite(time) ? time : undefined,
		hasLength: parsed.l !== undefined,
		malformed: isMalformed ? 'malformed' : usesSha1 ? 'weakAlgorithm' : undefined,
	};
}
