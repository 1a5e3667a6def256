import type { Questions } from '../resolver/questions';
import { foundText, type DnsProblem, type RecordDetail } from './problems';
import { writtenRecord, type DomainToCheck, type RequiredRecord } from './required';

/** Whether it says where the domain's own mail goes. */
export const isForMail = ({ type, name }: RequiredRecord, domain: string): boolean =>
	type === 'MX' && name === domain;

/** Whether mail for the domain gets to the service: only where the domain is meant to receive. */
export async function checkMx(
	questions: Questions,
	{ name, receives, required }: DomainToCheck,
): Promise<DnsProblem[]> {
	const wanted = required.filter((record) => isForMail(record, name));
	if (receives === false || (receives === null && wanted.length === 0)) return [];
	const records = await questions.records(name, 'MX');
	if (records === undefined) return [];

	const detail = (expected: readonly RequiredRecord[], found: typeof records): RecordDetail => ({
		...{ type: 'MX', name },
		expected: foundText(expected.map((record) => record.expected)),
		found: foundText(found.map((record) => writtenRecord('MX', record))),
	});
	// One that names the root says that there is no mail (RFC 7505).
	const servers = records.filter(({ exchange }) => exchange !== '' && exchange !== '.');
	if (servers.length === 0) {
		return [{ code: 'mxMissing', record: detail(wanted, records), reason: null }];
	}
	if (wanted.length === 0) return [];

	const hosts = servers.map((record) => record.exchange.toLowerCase().replace(/\.$/, ''));
	const isWanted = (_: unknown, index: number) =>
		wanted.some(({ value }) => value === hosts[index]);
	const strangers = servers.filter((record, index) => !isWanted(record, index));
	const first = Math.min(...servers.map(({ preference }) => preference));
	if (strangers.some(({ preference }) => preference === first)) {
		return [{ code: 'mxElsewhere', record: detail(wanted, servers), reason: null }];
	}
	const backup: DnsProblem = { code: 'mxBackup', record: detail(wanted, servers), reason: null };
	return [
		...wanted
			.filter(({ value }) => !hosts.includes(value))
			.map((record): DnsProblem => ({
				...{ code: 'dnsRecordMissing', record: detail([record], []), reason: null },
			})),
		...(strangers.length > 0 ? [backup] : []),
	];
}
