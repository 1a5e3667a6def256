import type { RecordedQuestions } from '../resolver/recordedQuestions';
import { exchangeOf, type DomainToCheck, type RequiredRecord } from './requiredRecords';
import { problem, toText, type DnsProblem, type RecordDetail } from './problems';

/** The exchange of a domain that receives no mail (RFC 7505). */
const NO_SERVER = '.';

export function isForMail({ type, name }: RequiredRecord, domain: string): boolean {
	return type === 'MX' && name === domain;
}

/** Checks that the service receives the domain's mail, if the domain is configured to receive. */
export async function checkMx(
	questions: RecordedQuestions,
	{ name, receives, required }: DomainToCheck,
): Promise<DnsProblem[]> {
	const wanted = required.filter((record) => isForMail(record, name));
	const mayReceive = receives ?? wanted.length > 0;
	if (!mayReceive) return [];
	const records = await questions.records(name, 'MX');
	if (records === undefined) return [];

	const all = detailOf(name, wanted, records);
	const servers = records.filter((record) => exchangeOf(record) !== NO_SERVER);
	if (servers.length === 0) return [problem('mxMissing', all)];
	if (wanted.length === 0) return [];

	const ours = new Set(wanted.map(({ value }) => value));
	const strangers = servers.filter((record) => !ours.has(exchangeOf(record)));
	const best = Math.min(...servers.map(preferenceOf));
	const isElsewhere = strangers.some((record) => preferenceOf(record) === best);
	if (isElsewhere) return [problem('mxElsewhere', all)];

	const exchanges = new Set(servers.map(exchangeOf));
	const lacking = wanted.filter(({ value }) => !exchanges.has(value));
	const problems = lacking.map((record) =>
		problem('dnsRecordMissing', detailOf(name, [record], [])),
	);
	if (strangers.length > 0) problems.push(problem('mxBackup', all));
	return problems;
}

/** The lowest number is tried first (RFC 5321, 5.1). */
const preferenceOf = (record: string): number => parseFloat(record);

function detailOf(
	name: string,
	needed: readonly RequiredRecord[],
	found: readonly string[],
): RecordDetail {
	const expected = toText(needed.map((record) => record.expected));
	return { type: 'MX', name, expected, found: toText(found) };
}
