import type { WrittenField } from '../email';
import { isDnsName, splitAddress } from '../basics';
import { asciiDomain, type PublicSuffixes, readTagList } from '../dns';
import { countFields, coverageOf, flawOfCoverage, type Counts, type Covers } from './coverage';
import { PROOF_LIMITS } from './proofLimits';
import type { SignatureReason } from './reasons';

/** A DKIM-Signature (RFC 6376, 3.5) before its key is looked up. */
export interface Signature {
	field: WrittenField;
	tags: ReadonlyMap<string, string>;
	/** In lower case; `''` if missing. */
	algorithm: string;
	/** In ASCII. Like the selector, `''` if invalid. */
	domain: string;
	selector: string;
	/** The domain of the user or program that it signs for (i=), in ASCII; null if invalid. */
	identity: string | null;
	/** Names of fields, in lower case, including repetitions. */
	covered: string[];
	covers: Covers;
	/** Why it does not prove the sender although it is valid; null if it does. */
	coverageFlaw: SignatureReason | null;
	/** Why it does not pass, whatever its key is; null if that is not known yet. */
	flaw: SignatureReason | null;
	/**
	 * Whether it proves the sender if it is valid. With a length (l=), others may have added text. Its age, key and algorithm
	 * do not count here.
	 */
	isSound: boolean;
}

export interface ChosenSignatures {
	/** First those of the organization of From, in the order of the email, then a few others. */
	signatures: Signature[];
	/** Whether no other signature can be of the organization of From. */
	isComplete: boolean;
}

/** @param sender the domain of From; null if unknown */
export function chooseSignatures(
	fields: readonly WrittenField[],
	sender: string | null,
	suffixes: PublicSuffixes,
): ChosenSignatures {
	const counts = countFields(fields);
	const written = fields.filter(({ name }) => name === 'dkim-signature');
	const organization = sender === null ? null : (suffixes.organizationOf(sender) ?? sender);
	const isNamed = ({ text }: WrittenField): boolean =>
		organization !== null && text.toLowerCase().includes(organization);
	// Anyone can add thousands of signatures, and these must not displace those that could prove the sender.
	const named = written.filter(isNamed).slice(0, PROOF_LIMITS.signatures);
	const unnamed = written.filter((field) => !isNamed(field)).slice(0, PROOF_LIMITS.signatures);
	const read = [...named, ...unnamed].map((field) => readSignature(field, counts));

	const isOwn = ({ domain }: Signature): boolean => suffixes.isSameOrganization(domain, sender);
	const own = read.filter(isOwn);
	const others = read.filter((signature) => !isOwn(signature));
	const isComplete =
		read.length === written.length &&
		read.every(({ domain }) => domain !== '') &&
		own.length <= PROOF_LIMITS.alignedSignatures;
	const chosen = own.slice(0, PROOF_LIMITS.alignedSignatures);
	chosen.push(...others.slice(0, PROOF_LIMITS.otherSignatures));
	return { signatures: chosen, isComplete };
}

function readSignature(field: WrittenField, written: Counts): Signature {
	const isTooLong = field.text.length > PROOF_LIMITS.signature;
	const { tags, flaw: syntax } = readTagList(isTooLong ? '' : field.value);
	const domain = asciiDomain(tags.get('d') ?? '') ?? '';
	const selector = readKeySelector(tags.get('s') ?? '');
	const isReadable = syntax === null && domain !== '' && selector !== '';
	const covered = namesIn(tags.get('h') ?? '');
	const covers = coverageOf(covered, written);
	const coverageFlaw = flawOfCoverage(covers, written);
	const signature: Signature = {
		field,
		tags,
		algorithm: tags.get('a')?.toLowerCase() ?? '',
		domain,
		selector,
		identity: readIdentity(tags.get('i'), domain),
		covered,
		covers,
		coverageFlaw,
		flaw: 'malformed',
		isSound: isReadable && !tags.has('l') && coverageFlaw === null,
	};
	if (isReadable) signature.flaw = flawOfTags(signature);
	return signature;
}

function readKeySelector(written: string): string {
	return isDnsName(written) ? written : '';
}

/** Without i=, it signs for the domain itself. */
function readIdentity(written: string | undefined, domain: string): string | null {
	if (written === undefined) return domain;
	return asciiDomain(splitAddress(written).domain);
}

function namesIn(list: string): string[] {
	return list.replace(/\s+/g, '').toLowerCase().split(':');
}

function flawOfTags(signature: Signature): SignatureReason | null {
	const { tags, domain, identity, covered, algorithm } = signature;
	if (!isStandard(tags)) return 'malformed';
	if (!`.${identity}`.endsWith(`.${domain}`)) return 'identity';
	if (Number(tags.get('x')) <= Number(tags.get('t'))) return 'expired';
	if (!covered.includes('from')) return 'fromNotSigned';
	if (algorithm === 'rsa-sha1') return 'weakAlgorithm';
	return null;
}

const REQUIRED = ['v', 'a', 'b', 'bh', 'd', 'h', 's'];

/** The form of a tag's value; other values make the signature malformed. */
const FORMATS: ReadonlyMap<string, RegExp> = new Map([
	['v', /^1$/],
	['a', /^(?:rsa-sha1|rsa-sha256|ed25519-sha256)$/i],
	['c', /^(?:relaxed|simple)(?:\/(?:relaxed|simple))?$/i],
	['i', /@/],
	['q', /(?:^|:) ?dns\/txt ?(?:$|:)/i],
	['t', /^\d{1,12}$/],
	['x', /^\d{1,12}$/],
	['l', /^\d{1,76}$/],
]);

function isStandard(tags: Signature['tags']): boolean {
	if (!REQUIRED.every((name) => tags.has(name))) return false;
	for (const [name, format] of FORMATS) {
		const value = tags.get(name);
		if (value !== undefined && !format.test(value)) return false;
	}
	return true;
}
