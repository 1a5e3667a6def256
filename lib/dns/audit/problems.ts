import type { DnsRecordType } from '../resolver/packet';

export type DnsProblemCode =
	| 'dkimKeyMalformed'
	| 'dkimKeyMissing'
	| 'dkimKeyRevoked'
	| 'dkimKeyTesting'
	| 'dkimKeyTooShort'
	| 'dmarcDoubled'
	| 'dmarcInvalid'
	| 'dmarcMissing'
	| 'dmarcNpMissing'
	| 'dmarcPercentage'
	| 'dmarcPolicyNone'
	| 'dmarcTesting'
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

export interface RecordDetail {
	type: DnsRecordType;
	name: string;
	/** The value to enter; null if unknown. */
	expected: string | null;
	/** One record per line, sorted; null if there is none. */
	found: string | null;
}

export interface DnsProblem {
	code: DnsProblemCode;
	record: RecordDetail | null;
	reason: string | null;
}

export function problem(
	code: DnsProblemCode,
	record: RecordDetail | null = null,
	reason: string | null = null,
): DnsProblem {
	return { code, record, reason };
}

export function toText(records: readonly string[]): string | null {
	return records.length === 0 ? null : [...records].sort().join('\n');
}
