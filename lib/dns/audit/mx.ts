import type { Questions } from '../resolver/httpsResolver';
import { exchangeOf, type DomainToCheck, type RequiredRecord } from './requiredRecords';
import { problem, toText, type DnsProblem, type RecordDetail } from './problems';

export const isForMail = ({ type, name }: RequiredRecord, domain: string): boolean =>
	type === 'MX' && name === domain;

/** Checks that the service receives the domain's mail, if the domain is configured to receive. */
export async function checkMx(
	questions: Questions,
	{ name, receives, required }: DomainToCheck,
): Promise<DnsProblem[]> {
	const wanted = required.filter((record) => isForMail(record, name));
	if (receives === false || (receives === null && wanted.length === 0)) return [];
	const records = await questions.records(name, 'MX');
	if (records === undefined) return [];

	const detail = (needed: readonly RequiredRecord[], found: readonly string[]): RecordDetail => {
		const expected = toText(needed.map((record) => record.expected));
		return { type: 'MX', name, expected, found: toText(found) };
	};
	const all = detail(wanted, records);
	// A record with the root as its name: no mail (RFC 7505).
	const servers = records.filter((record) => exchangeOf(record) !== '.');
	if (servers.length === 0) return [problem('mxMissing', all)];
	if (wanted.length === 0) return [];

	const exchanges = servers.map(exchangeOf);
	const strangers = servers.filter((_, index) =>
		wanted.every(({ value }) => value !== exchanges[index]),
	);
	const first = Math.min(...servers.map(parseFloat));
	if (strangers.some((record) => parseFloat(record) === first))
		return [problem('mxElsewhere', all)];
	const lacking = wanted.filter(({ value }) => !exchanges.includes(value));
	return [
		...lacking.map((record) => problem('dnsRecordMissing', detail([record], []))),
		...(strangers.length > 0 ? [problem('mxBackup', all)] : []),
	];
}
