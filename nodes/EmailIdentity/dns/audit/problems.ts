import type { DnsRecordType } from '../resolver/types';

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
	/** What should stand there, as it is entered; null where nobody says. */
	expected: string | null;
	/** What stands there, each record on a line, in an order that stays the same; null where nothing does. */
	found: string | null;
}

/** One thing that is wrong. */
export interface DnsProblem {
	code: DnsProblemCode;
	record: RecordDetail | null;
	/** What is wrong with it in particular, in a few words. */
	reason: string | null;
}

/** The records that stand at a name, for people: the same ones give the same text. */
export function foundText(records: readonly string[]): string | null {
	return records.length === 0 ? null : [...records].sort().join('\n');
}
