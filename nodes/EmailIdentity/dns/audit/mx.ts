import type { Questions } from '../resolver/types';
import {
	toText,
	writtenRecord,
	type DnsProblem,
	type DnsProblemCode,
	type DomainToCheck,
	type RequiredRecord,
} from './required';

/** Whether it is an MX record of the domain itself. */
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

	const problem = (code: DnsProblemCode, expected = wanted, found = records): DnsProblem => ({
		record: {
			...{ type: 'MX', name, expected: toText(expected.map((record) => record.expected)) },
			found: toText(found.map((record) => writtenRecord('MX', record))),
		},
		...{ code, reason: null },
	});
	// A record with the root as its name: no mail (RFC 7505).
	const servers = records.filter(({ exchange }) => exchange !== '');
	if (servers.length === 0) return [problem('mxMissing')];
	if (wanted.length === 0) return [];

	const strangers = servers.filter(
		({ exchange }) => !wanted.some(({ value }) => value === exchange),
	);
	const first = Math.min(...servers.map(({ preference }) => preference));
	if (strangers.some(({ preference }) => preference === first)) return [problem('mxElsewhere')];
	const missing = wanted.filter(({ value }) => !servers.some(({ exchange }) => exchange === value));
	return [
		...missing.map((record) => problem('dnsRecordMissing', [record], [])),
		...(strangers.length > 0 ? [problem('mxBackup')] : []),
	];
}
