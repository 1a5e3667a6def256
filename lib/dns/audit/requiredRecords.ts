import { toDomainName, toWholeName } from '../domainNames';
import type { DnsRecordType } from '../resolver/packet';
import type { RecordedQuestions } from '../resolver/recordedQuestions';
import { problem, toText, type DnsProblem } from './problems';

/** A record as a service lists it. */
interface WrittenRecord {
	/** Null or `@` for the domain itself. */
	name: string | null;
	type: string | null;
	value: string | null;
	/** The preference of an MX record, if `value` does not contain it. */
	priority: string | null;
}

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
	name: string;
	/** Whether the service receives mail for it; null if unknown. */
	receives: boolean | null;
	required: readonly RequiredRecord[];
}

const TYPES: readonly DnsRecordType[] = ['A', 'CNAME', 'MX', 'NS', 'TXT'];

/** `10 mail.example.com`, or a name alone. */
const MX_VALUE = /^(?:(\d{1,5})\s+)?(\S+)$/;

/** Reads a record from the service's list; undefined if it cannot be compared with the DNS. */
export function toRequiredRecord(
	{ type: written, name: place, value: text, priority }: WrittenRecord,
	domain: string,
): RequiredRecord | undefined {
	const type = TYPES.find((candidate) => candidate === written?.trim().toUpperCase());
	const name = toWholeName(place ?? '', domain);
	const plain = unquoted(text?.trim() ?? '');
	if (type === undefined || name === undefined || plain === '') return undefined;
	if (type === 'TXT') return { type, name, value: plain, expected: plain };
	if (type === 'MX') return toRequiredMx(name, plain, priority);
	const value = toDomainName(plain);
	if (value === undefined) return undefined;
	return { type, name, value, expected: value };
}

/** @param priority of a record whose text is the server alone; null if unknown */
function toRequiredMx(
	name: string,
	text: string,
	priority: string | null,
): RequiredRecord | undefined {
	const [, written, server] = MX_VALUE.exec(text) ?? [];
	const value = toDomainName(server ?? text);
	if (value === undefined) return undefined;
	const preference = written ?? priority;
	const expected = preference === null ? value : `${preference} ${value}`;
	return { type: 'MX', name, value, expected };
}

/** Removes the quotes of zone files and joins the quoted parts. */
function unquoted(text: string): string {
	const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
	let plain = text;
	if (isQuoted) plain = text.slice(1, -1).replace(/"[ \t]*"/g, '');
	return plain.replace(/\\([;"\\])/g, '$1');
}

/** `.` for no server. */
export const exchangeOf = (record: string): string => record.slice(record.indexOf(' ') + 1);

/** Only the server of an MX record is compared because users choose the preference. */
const compared = (type: DnsRecordType, record: string): string =>
	type === 'MX' ? exchangeOf(record) : record.trim();

/** Compares a required record with the DNS. Reports nothing if the DNS did not answer. */
export async function compareRequired(
	questions: RecordedQuestions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	const { type, name, value } = record;
	if (type === 'CNAME') return await compareAlias(questions, record, domain);
	const records = await questions.records(name, type);
	if (records === undefined) return [];
	if (records.some((one) => compared(type, one) === value)) return [];
	const found = toText(records.filter((one) => isInItsPlace(record, one)));
	if (found === null) return [await missing(questions, record, domain)];
	return [different(record, found)];
}

/** A name may have many texts; only one with the same beginning stands for the required one. */
function isInItsPlace({ type, value }: RequiredRecord, found: string): boolean {
	if (type !== 'TXT') return true;
	const label = value.slice(0, value.indexOf('=') + 1).toLowerCase();
	const beginning = found.trim().replace(/^["']/, '').toLowerCase();
	return label !== '' && beginning.startsWith(label);
}

export const different = (
	{ type, name, expected }: RequiredRecord,
	found: string | null,
): DnsProblem => problem('dnsRecordDifferent', { type, name, expected, found });

/** If a name was entered in full in a form that adds the domain, the name contains the domain twice. */
export async function missing(
	questions: RecordedQuestions,
	{ type, name, value, expected }: RequiredRecord,
	domain: string,
): Promise<DnsProblem> {
	const doubled = `${name}.${domain}`;
	const astray = (await questions.records(doubled, type)) ?? [];
	let reason: string | null = null;
	if (astray.some((one) => compared(type, one) === value)) {
		reason = `It was found at ${doubled}: the form adds the domain itself, so enter the name without it`;
	}
	return problem('dnsRecordMissing', { type, name, expected, found: null }, reason);
}

/** An alias may lead to its target through others. Some providers replace it with the target's records ("flattening"). */
export async function compareAlias(
	questions: RecordedQuestions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	const aliases = await questions.records(record.name, 'CNAME');
	if (aliases === undefined || aliases.includes(record.value)) return [];
	if (await hasRecordsOfTarget(questions, record)) return [];
	const [alias] = aliases;
	if (!alias) return [await missing(questions, record, domain)];
	return [different(record, alias)];
}

const BEHIND: readonly DnsRecordType[] = ['TXT', 'MX', 'A'];

/** Also true if unknown, so that no problem is reported. */
async function hasRecordsOfTarget(
	questions: RecordedQuestions,
	{ name, value }: RequiredRecord,
): Promise<boolean> {
	let isSomething = false;
	for (const type of BEHIND) {
		const here = await questions.records(name, type);
		if (here?.length === 0) continue;
		const there = await questions.records(value, type);
		if (here === undefined || there === undefined) return true;
		if (toText(here) !== toText(there)) return false;
		isSomething = true;
	}
	return isSomething;
}
