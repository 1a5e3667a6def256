import { toDomainName, toWholeName } from '../names';
import type { DnsRecordData, DnsRecordType, Questions } from '../resolver/types';

/** What can be wrong with the DNS of a domain that sends and receives email. */
export type DnsProblemCode =
	| 'dkimKeyMalformed'
	| 'dkimKeyMissing'
	| 'dkimKeyRevoked'
	| 'dkimKeyTesting'
	| 'dkimKeyTooShort'
	| 'dmarcDoubled'
	| 'dmarcInvalid'
	| 'dmarcMissing'
	| 'dmarcPolicyNone'
	| 'dnsRecordDifferent'
	| 'dnsRecordMissing'
	| 'dnsUnknown'
	| 'domainGone'
	| 'mxBackup'
	| 'mxElsewhere'
	| 'mxMissing'
	| 'spfAllowsEverybody'
	| 'spfDoubled'
	| 'spfInvalid'
	| 'spfLoop'
	| 'spfMissing'
	| 'spfTooManyLookups'
	| 'spfVoidLookups'
	| 'spfWithoutEnd';

/** The record that something is wrong with. */
export interface RecordDetail {
	type: DnsRecordType;
	/** In full. */
	name: string;
	/** As it has to be entered; null where nobody says. */
	expected: string | null;
	/** Each record on a line, in an order that stays the same; null where there is none. */
	found: string | null;
}

export interface DnsProblem {
	code: DnsProblemCode;
	record: RecordDetail | null;
	/** What is wrong with it in particular, in a few words. */
	reason: string | null;
}

/** The records of a name, for people: the same ones give the same text. */
export function toText(records: readonly string[]): string | null {
	return records.length === 0 ? null : [...records].sort().join('\n');
}

/** A record that a domain needs, in the words of the service. */
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
	required: readonly RequiredRecord[];
}

const TYPES: readonly DnsRecordType[] = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'];

/** `10 mail.example.com`: the preference may stand before the name (RFC 1035, section 3.3.9). */
const MX_VALUE = /^(?:(\d{1,5})\s+)?(\S+)$/;

/**
 * Reads a record as a service lists it.
 *
 * @param domain that it is for, as the DNS is asked for it
 * @returns undefined where it cannot be compared with anything
 */
export function toRequiredRecord(
	{ type: written, name: place, value: text, priority }: WrittenRecord,
	domain: string,
): RequiredRecord | undefined {
	const type = TYPES.find((candidate) => candidate === written?.trim().toUpperCase());
	const name = toWholeName(place ?? '', domain);
	const plain = unquoted(text?.trim() ?? '');
	if (type === undefined || name === undefined || plain === '') return undefined;
	if (type === 'TXT') return { type, name, value: plain, expected: plain };
	if (type === 'A' || type === 'AAAA') {
		return { type, name, value: plain.toLowerCase(), expected: plain };
	}
	const [, preference = priority, host = plain] = (type === 'MX' && MX_VALUE.exec(plain)) || [];
	const value = toDomainName(host);
	if (value === undefined) return undefined;
	const expected = type === 'MX' && preference !== null ? `${preference} ${value}` : value;
	return { type, name, value, expected };
}

/** A text as it is, or as a zone file has it: in quotes, perhaps in several parts. */
function unquoted(text: string): string {
	const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
	const plain = isQuoted ? text.slice(1, -1).replace(/"[ \t]*"/g, '') : text;
	return plain.replace(/\\([;"\\])/g, '$1');
}

/** How a record is written, as it is entered. */
const WRITTEN: { [Type in DnsRecordType]: (record: DnsRecordData[Type]) => string } = {
	...{ A: String, AAAA: String, CNAME: String, NS: String },
	MX: ({ preference, exchange }) => `${preference} ${exchange || '.'}`,
	// A service's text can hold more than ASCII; a record's has a character for each byte.
	TXT: (bytes) => Buffer.from(bytes, 'latin1').toString('utf8').trim(),
};

export function writtenRecord<Type extends DnsRecordType>(
	type: Type,
	record: DnsRecordData[Type],
): string {
	return WRITTEN[type](record);
}

/** Of an MX record the name alone is compared, as its preference is the user's. */
function comparedRecord(type: DnsRecordType, record: DnsRecordData[DnsRecordType]): string {
	return typeof record === 'object' ? record.exchange : WRITTEN[type](record as never);
}

/** The records of a name as they are compared; undefined where nobody knows. */
async function recordsOf(
	questions: Questions,
	name: string,
	type: DnsRecordType,
): Promise<string[] | undefined> {
	const records = await questions.records(name, type);
	return records?.map((record) => comparedRecord(type, record));
}

/**
 * Compares a required record with what stands in its place.
 *
 * @param domain to which a form may have added itself once too often
 * @returns none where it is there, or where nobody knows
 */
export async function compareRequired(
	questions: Questions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	if (record.type === 'CNAME') return await compareAlias(questions, record, domain);
	const records = await questions.records(record.name, record.type);
	const compared = (one: DnsRecordData[DnsRecordType]) => comparedRecord(record.type, one);
	if (records === undefined || records.some((one) => compared(one) === record.value)) return [];
	const rivals = records.filter((one) => isInItsPlace(record, compared(one)));
	const found = toText(rivals.map((one) => WRITTEN[record.type](one as never)));
	if (found !== null) return [different(record, found)];
	return [await missing(questions, record, domain)];
}

/** Beside a text any number of others may stand; one that begins alike was meant to be it. */
function isInItsPlace({ type, value }: RequiredRecord, compared: string): boolean {
	if (type !== 'TXT') return true;
	const label = value.slice(0, value.indexOf('=') + 1).toLowerCase();
	return label !== '' && compared.replace(/^["']/, '').toLowerCase().startsWith(label);
}

/** A record that is there, but says something else. */
export function different(record: RequiredRecord, found: string | null): DnsProblem {
	const { type, name, expected } = record;
	return { code: 'dnsRecordDifferent', record: { type, name, expected, found }, reason: null };
}

/**
 * A record that is not there. If a form adds the domain by itself, and the name was entered in full, the record stands below
 * the domain once more.
 */
export async function missing(
	questions: Questions,
	{ type, name, value, expected }: RequiredRecord,
	domain: string,
): Promise<DnsProblem> {
	const doubled = `${name}.${domain}`;
	const isAstray = (await recordsOf(questions, doubled, type))?.includes(value) === true;
	return {
		code: 'dnsRecordMissing',
		record: { type, name, expected, found: null },
		reason: isAstray
			? `It was found at ${doubled}: the form adds the domain itself, so enter the name without it`
			: null,
	};
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
	let target: string | undefined = record.name;
	let first: string | undefined;
	for (let step = 0; step <= MAX_STEPS; step++) {
		const aliases = await recordsOf(questions, target, 'CNAME');
		if (aliases === undefined) return [];
		[target] = aliases;
		if (target === record.value) return [];
		if (target === undefined) break;
		first ??= target;
	}
	if (first !== undefined) return [different(record, first)];
	if (await isFlattened(questions, record)) return [];
	return [await missing(questions, record, domain)];
}

/** Also where nobody knows: then nothing is said of it. */
async function isFlattened(
	questions: Questions,
	{ name, value }: RequiredRecord,
): Promise<boolean> {
	let isSomething = false;
	for (const type of BEHIND) {
		const here = await recordsOf(questions, name, type);
		if (here?.length === 0) continue;
		const there = await recordsOf(questions, value, type);
		if (here === undefined || there === undefined) return true;
		if (toText(here) !== toText(there)) return false;
		isSomething = true;
	}
	return isSomething;
}
