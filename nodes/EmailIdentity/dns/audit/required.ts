import { toDomainName, toWholeName } from '../names';
import type { DnsRecordType, Questions } from '../resolver';

/** Problems with the DNS of a domain that sends and receives email. */
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

/** The record with the problem. */
export interface RecordDetail {
	type: DnsRecordType;
	/** In full. */
	name: string;
	/** The value to enter; null if unknown. */
	expected: string | null;
	/** One record per line, sorted; null if there is none. */
	found: string | null;
}

export interface DnsProblem {
	code: DnsProblemCode;
	record: RecordDetail | null;
	/** Details in a few words. */
	reason: string | null;
}

/** The records of a name as sorted text for users. */
export function toText(records: readonly string[]): string | null {
	return records.length === 0 ? null : [...records].sort().join('\n');
}

/** A required record as the service lists it. */
export interface WrittenRecord {
	type: string | null;
	name: string | null;
	value: string | null;
	priority: string | null;
}

/** A required record, for comparison with the DNS. */
export interface RequiredRecord {
	type: DnsRecordType;
	/** In full, as in a DNS query. */
	name: string;
	/** The text of a TXT record, or the name or address that other records point to. */
	value: string;
	/** The value to enter. */
	expected: string;
}

export interface DomainToCheck {
	/** As in a DNS query. */
	name: string;
	/** Whether the service receives mail for it; null if unknown. */
	receives: boolean | null;
	required: readonly RequiredRecord[];
}

const TYPES: readonly DnsRecordType[] = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'];

/** `10 mail.example.com`: an optional preference and a name (RFC 1035, section 3.3.9). */
const MX_VALUE = /^(?:(\d{1,5})\s+)?(\S+)$/;

/**
 * Reads a record from the service's list.
 *
 * @param domain its domain, as in a DNS query
 * @returns undefined if it cannot be compared with the DNS
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

/** Removes the quotes of zone files and joins the quoted parts. */
function unquoted(text: string): string {
	const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
	const plain = isQuoted ? text.slice(1, -1).replace(/"[ \t]*"/g, '') : text;
	return plain.replace(/\\([;"\\])/g, '$1');
}

/** The server of an MX record; `.` for none. */
export const exchangeOf = (record: string): string => record.slice(record.indexOf(' ') + 1);

/** Only the server of an MX record is compared because users choose the preference. */
const compared = (type: DnsRecordType, record: string): string =>
	type === 'MX' ? exchangeOf(record) : record.trim();

/** The records of a name, for comparison; undefined if unknown. */
async function recordsOf(
	questions: Questions,
	name: string,
	type: DnsRecordType,
): Promise<string[] | undefined> {
	const records = await questions.records(name, type);
	return records?.map((record) => compared(type, record));
}

/**
 * Compares a required record with the DNS.
 *
 * @param domain of the record; DNS forms may have added it twice
 * @returns an empty list if the record exists or is unknown
 */
export async function compareRequired(
	questions: Questions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	if (record.type === 'CNAME') return await compareAlias(questions, record, domain);
	const records = await questions.records(record.name, record.type);
	const value = (one: string) => compared(record.type, one);
	if (records === undefined || records.some((one) => value(one) === record.value)) return [];
	const found = toText(records.filter((one) => isInItsPlace(record, value(one))));
	if (found !== null) return [different(record, found)];
	return [await missing(questions, record, domain)];
}

/** A name may have many texts; only one with the same beginning stands for the required one. */
function isInItsPlace({ type, value }: RequiredRecord, compared: string): boolean {
	if (type !== 'TXT') return true;
	const label = value.slice(0, value.indexOf('=') + 1).toLowerCase();
	return label !== '' && compared.replace(/^["']/, '').toLowerCase().startsWith(label);
}

/** The problem of a record with another value. */
export function different(record: RequiredRecord, found: string | null): DnsProblem {
	const { type, name, expected } = record;
	return { code: 'dnsRecordDifferent', record: { type, name, expected, found }, reason: null };
}

/**
 * The problem of a missing record. If the name was entered in full in a form that adds the domain, the name contains the
 * domain twice.
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

/** The limit of resolvers. */
const MAX_STEPS = 8;

/** The record types that mail uses behind an alias. */
const BEHIND: readonly DnsRecordType[] = ['TXT', 'MX', 'A'];

/**
 * Compares a required CNAME record with the DNS. It may point to its target through others, and some providers replace it
 * with the records of its target ("flattening").
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

/** Also true if unknown, so that no problem is reported. */
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
