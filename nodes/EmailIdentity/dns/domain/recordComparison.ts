import type { Questions } from '../questions';
import { foundText, type DnsProblem } from './problems';
import type { DnsRecordData, DnsRecordType } from '../resolver';
import type { RequiredRecord } from './requiredRecord';

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
