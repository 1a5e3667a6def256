import type { KeyObject } from 'crypto';

import type { WrittenField } from '../email';
import { asciiDomain, isDnsName, splitAddress } from '../basics';
import { countFields, coverageOf, flawOfCoverage, type Counts, type Covers } from './coverage';
import { PROOF_LIMITS } from './limits';
import {
	type DnsAnswer,
	type DnsResolver,
	isSameOrganization,
	organizationalDomain,
	readDkimKey,
	readTagList,
	type DkimKey,
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
	tags: ReadonlyMap<string, string>;
	/** In ASCII. Like the selector, `''` if invalid. */
	domain: string;
	selector: string;
	/** Names of fields, in lower case, including repetitions. */
	covered: string[];
	covers: Covers;
	coverageFlaw: SignatureReason | null;
	/**
	 * Whether it proves the sender if it is valid. With a length (l=), others may have added text. Its age, key and algorithm
	 * do not count here.
	 */
	isSound: boolean;
	/** The domain of the user or program that it signs for (i=); null if invalid. */
	identity: string | null;
	/** Undefined before it is looked up. */
	publicKey?: KeyObject;
	/** Why it does not pass, whatever the email says. */
	flaw?: SignatureReason;
}

/**
 * First those that could prove the domain of From, in the order of the email, then a few others.
 *
 * @returns `areAllKnown`: whether no other signature can be of the domain of From
 */
export function chooseSignatures(
	fields: readonly WrittenField[],
	sender: string | null,
): { chosen: Signature[]; areAllKnown: boolean } {
	const organization = organizationalDomain(sender ?? '');
	const counts = countFields(fields);
	const written = fields.filter(({ name }) => name === 'dkim-signature');
	const isNamed = ({ text }: WrittenField) =>
		organization !== null && text.toLowerCase().includes(organization);
	const [named, unnamed] = divide(written, isNamed);
	const read = [named, unnamed]
		.flatMap((group) => group.slice(0, PROOF_LIMITS.signatures))
		.map((field) => readSignature(field, counts));
	const [own, others] = divide(read, ({ domain }) => isSameOrganization(domain, sender));
	return {
		chosen: [
			...own.slice(0, PROOF_LIMITS.alignedSignatures),
			...others.slice(0, PROOF_LIMITS.otherSignatures),
		],
		areAllKnown:
			read.length === written.length &&
			read.every(({ domain }) => domain !== '') &&
			own.length <= PROOF_LIMITS.alignedSignatures,
	};
}

function divide<Item>(
	items: readonly Item[],
	isFirst: (item: Item) => boolean,
): [first: Item[], others: Item[]] {
	const first = new Set(items.filter(isFirst));
	return [[...first], items.filter((item) => !first.has(item))];
}

function readSignature(field: WrittenField, written: Counts): Signature {
	const isTooLong = field.text.length > PROOF_LIMITS.signature;
	const { tags, flaw: syntax } = readTagList(isTooLong ? '' : field.value);
	const tag = (name: string) => tags.get(name) ?? '';
	const domain = asciiDomain(tag('d')) ?? '';
	const selector = isDnsName(tag('s')) ? tag('s') : '';
	const identity = tags.has('i') ? asciiDomain(splitAddress(tag('i')).domain) : domain;
	const covered = tag('h').replace(/\s+/g, '').toLowerCase().split(':');
	const isReadable = syntax === null && domain !== '' && selector !== '';
	const covers = coverageOf(covered, written);
	const coverageFlaw = flawOfCoverage(covers, written);
	const flaws: Array<[isFound: boolean, flaw: SignatureReason]> = [
		[!isReadable || !isStandard(tags), 'malformed'],
		[!`.${identity}`.endsWith(`.${domain}`), 'identity'],
		[Number(tags.get('x')) <= Number(tags.get('t')), 'expired'],
		[!covered.includes('from'), 'fromNotSigned'],
		[algorithmOf(tags) === 'rsa-sha1', 'weakAlgorithm'],
	];
	return {
		field,
		tags,
		domain,
		selector,
		covered,
		covers,
		coverageFlaw,
		isSound: isReadable && !tags.has('l') && coverageFlaw === null,
		identity,
		flaw: flaws.find(([isFound]) => isFound)?.[1],
	};
}

const REQUIRED = ['v', 'a', 'b', 'bh', 'd', 'h', 's'];

const FORMATS: ReadonlyArray<[tag: string, format: RegExp]> = [
	['v', /^1$/],
	['a', /^(?:rsa-sha1|rsa-sha256|ed25519-sha256)$/i],
	['c', /^(?:relaxed|simple)(?:\/(?:relaxed|simple))?$/i],
	['i', /@/],
	['q', /(?:^|:) ?dns\/txt ?(?:$|:)/i],
	['t', /^\d{1,12}$/],
	['x', /^\d{1,12}$/],
	['l', /^\d{1,76}$/],
];

function isStandard(tags: Signature['tags']): boolean {
	const isFormat = ([name, format]: (typeof FORMATS)[number]) => {
		const value = tags.get(name);
		return value === undefined || format.test(value);
	};
	return REQUIRED.every((name) => tags.has(name)) && FORMATS.every(isFormat);
}

const algorithmOf = (tags: Signature['tags']) => tags.get('a')?.toLowerCase() ?? '';

export async function withKeys(
	signatures: readonly Signature[],
	resolver: DnsResolver,
): Promise<Signature[]> {
	const asked = signatures.map(async (signature) => {
		if (signature.flaw !== undefined) return signature;
		const { domain, selector } = signature;
		const answer = await resolver.ask(`${selector}._domainkey.${domain}`, 'TXT');
		return { ...signature, ...findKey(answer, signature) };
	});
	return await Promise.all(asked);
}

const KEY_FLAWS: Record<NonNullable<DkimKey['flaw']>, SignatureReason> = {
	malformed: 'keyMalformed',
	otherPurpose: 'keyNotForThis',
	revoked: 'keyRevoked',
	tooShort: 'weakKey',
};

/** A name may have one key (RFC 6376, 3.6.2.2), and other records, such as those of a wildcard. */
function findKey(
	answer: DnsAnswer,
	{ tags, domain, identity }: Signature,
): Pick<Signature, 'flaw' | 'publicKey'> {
	if ('reason' in answer) return { flaw: 'dnsFailed' };
	if (answer.status !== 'found') return { flaw: 'noKey' };
	const [record, another] = answer.records.filter((one) => readTagList(one).tags.has('p'));
	const isReadable =
		record !== undefined && another === undefined && record.length <= PROOF_LIMITS.keyRecord;
	if (!isReadable) return { flaw: 'keyMalformed' };
	const { publicKey, kind, flaw, isTesting, isStrict } = readDkimKey(record);
	if (flaw !== undefined) return { flaw: KEY_FLAWS[flaw] };
	if (algorithmOf(tags) !== `${kind}-sha256`) return { flaw: 'keyNotForThis' };
	if (isStrict && identity !== domain) return { flaw: 'identity' };
	return isTesting ? { flaw: 'keyTested' } : { publicKey };
}
