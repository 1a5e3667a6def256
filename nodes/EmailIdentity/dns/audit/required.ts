import { toDomainName, toWholeName } from '../names';
import type { Questions } from '../resolver/questions';
import type { DnsRecordData, DnsRecordType } from '../resolver/types';
import { foundText, type DnsProblem } from './problems';

/** A record that a domain needs, in the words of the service that wants it. */
export interface WrittenRecord {
	type: string | null;
	name: string | null;
	value: string | null;
	priority: string | null;
}

/** A record that a domain needs, to be compared with what the DNS answers. */
export interface RequiredRecord {
	type: DnsRecordType;
	/** In full, as the DNS is asked for it. */
	name: string;
	/** The text of a TXT record, else the name or the address that it points to. */
	value: string;
	/** As it is entered. */
	expected: string;
}

export interface DomainToCheck {
	/** As the DNS is asked for it. */
	name: string;
	/** Whether the service is to receive mail for it; null where it does not say. */
	receives: boolean | null;
	/** What the service wants to stand in its DNS. */
	required: readonly RequiredRecord[];
}

const TYPES: readonly DnsRecordType[] = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'];

/** `10 mail.example.com`: the preference may stand before the name (RFC 1035, section 3.3.9). */
const MX_VALUE = /^(?:(\d{1,5})\s+)?(\S+)$/;

/** Stands for a quote that ends nothing; no record holds it. */
const ESCAPED_QUOTE = '\uffff';

/**
 * Reads a record as a service lists it.
 *
 * @param domain that it is for, as the DNS is asked for it
 * @returns undefined where it cannot be compared with anything
 */
export function toRequiredRecord(
	{ type, name, value, priority }: WrittenRecord,
	domain: string,
): RequiredRecord | undefined {
	const known = TYPES.find((candidate) => candidate === type?.trim().toUpperCase());
	const wholeName = toWholeName(name ?? '', domain);
	const text = value?.trim() ?? '';
	if (known === undefined || wholeName === undefined || text === '') return undefined;
	if (known === 'TXT') {
		const plain = unquoted(text);
		return { type: known, name: wholeName, value: plain, expected: plain };
	}
	if (known === 'A' || known === 'AAAA') {
		return { type: known, name: wholeName, value: text.toLowerCase(), expected: text };
	}
	const [, preference = priority, written = text] = (known === 'MX' && MX_VALUE.exec(text)) || [];
	const target = toDomainName(written);
	if (target === undefined) return undefined;
	const expected = known === 'MX' && preference !== null ? `${preference} ${target}` : target;
	return { type: known, name: wholeName, value: target, expected };
}

/** A text as a zone file has it: in quotes, perhaps in several parts; or as it is. */
function unquoted(text: string): string {
	const pieces = text.replaceAll('\\"', ESCAPED_QUOTE).split('"');
	// Parts are the pieces at odd places; between them stand blanks alone.
	const isQuoted =
		pieces.length > 1 &&
		pieces.length % 2 === 1 &&
		pieces.every((piece, index) => index % 2 === 1 || piece.trim() === '');
	const parts = isQuoted ? pieces.filter((_, index) => index % 2 === 1) : pieces;
	return parts
		.join(isQuoted ? '' : '"')
		.replaceAll(ESCAPED_QUOTE, '"')
		.replace(/\\([;\\])/g, '$1');
}

/** Whether a record is a DKIM key, or leads to one. */
export const isForDkim = ({ type, name }: RequiredRecord): boolean =>
	(type === 'CNAME' || type === 'TXT') && name.split('.').includes('_domainkey');

/** Whether a record is the DMARC policy, or leads to it. */
export const isForDmarc = ({ name }: RequiredRecord): boolean => name.startsWith('_dmarc.');

/** How a record is written, as it is entered. */
const WRITTEN: { [Type in DnsRecordType]: (record: DnsRecordData[Type]) => string } = {
	A: (address) => address,
	AAAA: (address) => address,
	CNAME: withoutLastDot,
	MX: ({ preference, exchange }) => `${preference} ${withoutLastDot(exchange) || '.'}`,
	NS: withoutLastDot,
	TXT: utf8,
};

/** What of a record is compared with what is required: of an MX record the name alone, as its preference is the user's. */
const COMPARED: { [Type in DnsRecordType]: (record: DnsRecordData[Type]) => string } = {
	...WRITTEN,
	MX: ({ exchange }) => withoutLastDot(exchange),
	TXT: (text) => utf8(text).trim(),
};

function withoutLastDot(name: string): string {
	return name.toLowerCase().replace(/\.$/, '');
}

/** A service's text can hold more than ASCII; a record's has a character for each byte. */
function utf8(bytes: string): string {
	return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** How a record of a type is written, as it is entered. */
export function writtenRecord<Type extends DnsRecordType>(
	type: Type,
	record: DnsRecordData[Type],
): string {
	return WRITTEN[type](record);
}

/** What stands at a name: as it is compared, and as it is written. */
export interface StandingRecord {
	compared: string;
	written: string;
}

/** The records of a name; undefined where nobody knows. */
export async function standingRecords(
	questions: Questions,
	name: string,
	type: DnsRecordType,
): Promise<StandingRecord[] | undefined> {
	const records = await questions.records(name, type);
	return records?.map((record) => ({
		compared: COMPARED[type](record as never),
		written: WRITTEN[type](record as never),
	}));
}

/**
 * Compares a record that is required with what stands in its place.
 *
 * @param domain to which a form may have added itself once too often
 * @returns what is wrong; none where it is there, or where nobody knows
 */
export async function compareRecord(
	questions: Questions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	const standing = await standingRecords(questions, record.name, record.type);
	if (standing === undefined || standing.some(({ compared }) => compared === record.value))
		return [];
	const rivals = standing.filter(({ compared }) => isInItsPlace(record, compared));
	const found = foundText(rivals.map(({ written }) => written));
	if (found !== null) return [different(record, found)];
	return [await missing(questions, record, domain)];
}

/** A record that is there, but says something else. */
export function different(record: RequiredRecord, found: string | null): DnsProblem {
	const { type, name, expected } = record;
	return { code: 'dnsRecordDifferent', record: { type, name, expected, found }, reason: null };
}

/**
 * A record that is not there. Where a form adds the domain by itself, and it was entered in full, it stands below the domain
 * once more.
 */
export async function missing(
	questions: Questions,
	{ type, name, value, expected }: RequiredRecord,
	domain: string,
): Promise<DnsProblem> {
	const doubled = `${name}.${domain}`;
	const astray = await standingRecords(questions, doubled, type);
	const isAstray = astray?.some(({ compared }) => compared === value) === true;
	return {
		code: 'dnsRecordMissing',
		record: { type, name, expected, found: null },
		reason: isAstray
			? `It stands at ${doubled}: the form adds the domain by itself, so enter the name without it`
			: null,
	};
}

/** Beside a text any number of others may stand; one that begins alike was meant to be it. */
function isInItsPlace({ type, value }: RequiredRecord, compared: string): boolean {
	if (type !== 'TXT') return true;
	const label = value.slice(0, value.indexOf('=') + 1).toLowerCase();
	return label !== '' && compared.replace(/^["']/, '').toLowerCase().startsWith(label);
}

/** As many steps as resolvers follow at most. */
const MAX_STEPS = 8;

/** What mail looks for behind an alias. */
const BEHIND: readonly DnsRecordType[] = ['TXT', 'MX', 'A'];

/**
 * Compares a required CNAME record with what stands in its place. It may lead to its target over others, and some providers
 * put in its place what stands at its target ("flattening").
 */
export async function compareAlias(
	questions: Questions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	const first = await targetOf(questions, record.name);
	if (first === undefined) return [];
	if (first === null) {
		if (await isFlattened(questions, record)) return [];
		return [await missing(questions, record, domain)];
	}
	let target: string | null | undefined = first;
	for (let step = 0; step < MAX_STEPS && typeof target === 'string'; step++) {
		if (target === record.value) return [];
		target = await targetOf(questions, target);
	}
	return target === undefined ? [] : [different(record, first)];
}

/** Compares a required record of any type with what stands in its place. */
export async function compareRequired(
	questions: Questions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	const compare = record.type === 'CNAME' ? compareAlias : compareRecord;
	return await compare(questions, record, domain);
}

/** Where an alias leads; null where there is none, undefined where nobody knows. */
async function targetOf(questions: Questions, name: string): Promise<string | null | undefined> {
	const aliases = await standingRecords(questions, name, 'CNAME');
	return aliases === undefined ? undefined : (aliases[0]?.compared ?? null);
}

/** Also where nobody knows: then nothing is said of it. */
async function isFlattened(
	questions: Questions,
	{ name, value }: RequiredRecord,
): Promise<boolean> {
	let isSomething = false;
	for (const type of BEHIND) {
		const here = await textsAt(questions, name, type);
		if (here === '') continue;
		const there = await textsAt(questions, value, type);
		if (here === undefined || there === undefined) return true;
		if (here !== there) return false;
		isSomething = true;
	}
	return isSomething;
}

async function textsAt(
	questions: Questions,
	name: string,
	type: DnsRecordType,
): Promise<string | undefined> {
	const records = await standingRecords(questions, name, type);
	return records
		?.map(({ compared }) => compared)
		.sort()
		.join('\n');
}
