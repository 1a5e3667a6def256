import type { WrittenField } from '../email';
import { asciiDomain, isDnsName } from '../basics';
import { countFields, coverageOf, flawOfCoverage, type Counts, type Covers } from './coverage';
import { PROOF_LIMITS } from './limits';
import {
	type DnsAnswer,
	type DnsResolver,
	isSameOrganization,
	organizationalDomain,
	readTagList,
} from '../dns';

/** Why a signature does not pass. Contains nothing from an email. */
export const SIGNATURE_REASONS = {
	bodyChanged: 'the content was changed after signing, or the signature is from another email',
	doubledField: 'a header field that may appear once, such as the subject, appears again unsigned',
	expired: 'it has expired',
	fromNotSigned: 'it does not cover From',
	future: 'it is dated in the future',
	headerChanged: 'the header was changed after signing, or the signature is forged',
	identity: 'it signs for a domain other than its own (i=)',
	keyMalformed: 'its key in the DNS cannot be read',
	keyNotForThis: 'its key in the DNS is for another purpose',
	keyRevoked: 'its key was revoked',
	keyTested: 'its key is only being tested (t=y)',
	malformed: 'it does not follow the standard',
	noKey: 'its key is not in the DNS',
	subjectNotSigned: 'it does not cover the subject',
	weakAlgorithm: 'it uses SHA-1, which can be forged (RFC 8301)',
	weakKey: 'its key is shorter than 1024 bits and can be broken (RFC 8301)',

	// With these, the signature may be valid.
	charactersLost:
		'characters it covers were lost before the email reached n8n (bytes that are not UTF-8)',
	dnsFailed: 'the DNS did not answer the query for its key',
} satisfies Record<string, string>;

export type SignatureReason = keyof typeof SIGNATURE_REASONS;

/** A DKIM-Signature (RFC 6376, 3.5) before it is checked. */
export interface Signature {
	field: WrittenField;
	/** In ASCII. Like the selector, `''` if invalid. */
	domain: string;
	selector: string;
	/** Names of fields, in lower case, including repetitions. */
	covered: string[];
	covers: Covers;
	coverageFlaw: SignatureReason | null;
	/** Time of signing, in seconds since 1970; NaN if missing. */
	time: number;
	/**
	 * Whether it proves the sender if it is valid. With a length (l=), others may have added text. Its age, key and algorithm
	 * do not count here.
	 */
	isSound: boolean;
	/** The record of its key; undefined before it is looked up. */
	key?: string;
	flaw?: SignatureReason;
}

/** A folded signature has a few spaces, a letter of a domain a few marks; the library takes quadratic time in both. */
const COSTLY = /[ \t\r\n]{100}|\p{M}{31}/u;

type ParseHeader = (typeof import('mailauth/lib/parse-dkim-headers'))['default'];

/**
 * First those that could prove the domain of From, in the order of the email, then a few others.
 *
 * @returns `areAllKnown`: whether no other signature can be of the domain of From
 */
export async function chooseSignatures(
	fields: readonly WrittenField[],
	sender: string | null,
): Promise<{ chosen: Signature[]; areAllKnown: boolean }> {
	const { default: parseHeader } = await import('mailauth/lib/parse-dkim-headers');
	const organization = organizationalDomain(sender ?? '');
	const counts = countFields(fields);
	const written = fields.filter(({ name }) => name === 'dkim-signature');
	const isNamed = ({ text }: WrittenField) =>
		organization !== null && text.toLowerCase().includes(organization);
	const few = <Item>(items: readonly Item[], isFirst: (item: Item) => boolean, most: number[]) => [
		...items.filter(isFirst).slice(0, most[0]),
		...items.filter((item) => !isFirst(item)).slice(0, most[1]),
	];
	const read = few(written, isNamed, [PROOF_LIMITS.signatures, PROOF_LIMITS.signatures]).map(
		(field) => readSignature(field, counts, parseHeader),
	);
	const couldProve = ({ domain }: Signature) => isSameOrganization(domain, sender);
	return {
		chosen: few(read, couldProve, [PROOF_LIMITS.alignedSignatures, PROOF_LIMITS.otherSignatures]),
		areAllKnown:
			read.length === written.length &&
			read.every(({ domain }) => domain !== '') &&
			read.filter(couldProve).length <= PROOF_LIMITS.alignedSignatures,
	};
}

function readSignature(field: WrittenField, written: Counts, parseHeader: ParseHeader): Signature {
	const isUnreadable = field.text.length > PROOF_LIMITS.signature || COSTLY.test(field.text);
	const header = isUnreadable ? 'DKIM-Signature:' : field.text;
	const { parsed, syntaxErrors } = parseHeader(header, { strict: true });
	const tag = (name: string) => String(parsed[name]?.value ?? '');
	const domain = asciiDomain(tag('d')) ?? '';
	const selector = isDnsName(tag('s')) ? tag('s') : '';
	const covered = tag('h').toLowerCase().split(':');
	const isMalformed =
		syntaxErrors.length > 0 ||
		domain === '' ||
		selector === '' ||
		covered.length > PROOF_LIMITS.coveredFields ||
		tag('i').length > PROOF_LIMITS.address;
	const covers = coverageOf(covered, written);
	const coverageFlaw = flawOfCoverage(covers, written);
	return {
		field,
		domain,
		selector,
		covered,
		covers,
		coverageFlaw,
		time: Number(parsed.t?.value),
		isSound: !isMalformed && parsed.l === undefined && coverageFlaw === null,
		...(isMalformed && { flaw: 'malformed' }),
	};
}

export const keyName = ({ domain, selector }: Signature) =>
	`${selector}._domainkey.${domain}`.toLowerCase();

export async function withKeys(
	signatures: readonly Signature[],
	resolver: DnsResolver,
): Promise<Signature[]> {
	const asked = signatures.map(async (signature) => {
		if (signature.flaw !== undefined) return signature;
		const answer = await resolver.ask(keyName(signature), 'TXT');
		return { ...signature, ...readKey(answer) };
	});
	return await Promise.all(asked);
}

/** A name may have one key (RFC 6376, 3.6.2.2), and other records, such as those of a wildcard. */
function readKey(answer: DnsAnswer): Pick<Signature, 'flaw' | 'key'> {
	if ('reason' in answer) return { flaw: 'dnsFailed' };
	if (answer.status !== 'found') return { flaw: 'noKey' };
	const [key, another] = answer.records.filter((one) => publicKeyOf(one) !== undefined);
	const isReadable =
		key !== undefined && another === undefined && key.length <= PROOF_LIMITS.keyRecord;
	if (!isReadable) return { flaw: 'keyMalformed' };
	return publicKeyOf(key) === '' ? { flaw: 'keyRevoked' } : { key };
}

const publicKeyOf = (record: string) => readTagList(record).tags.get('p');
