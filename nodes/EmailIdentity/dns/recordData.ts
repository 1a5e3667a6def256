import type { Answer } from 'dns-packet';
import { toRecordName } from './names';
import type { DnsRecordData, DnsRecordType } from './resolver';

/** The data of a record as the library reads them, by type. */
type LibraryData = {
	[Type in DnsRecordType]: Extract<Answer, { type: Type; data: unknown }>['data'];
};

const READERS: { [Type in DnsRecordType]: (data: LibraryData[Type]) => DnsRecordData[Type] } = {
	A: (address) => address,
	AAAA: (address) => address,
	CNAME: toRecordName,
	MX: ({ preference = 0, exchange }) => ({ preference, exchange: toRecordName(exchange) }),
	NS: toRecordName,
	TXT: (texts) => Buffer.concat([texts].flat().map((text) => Buffer.from(text))).toString('latin1'),
};

/** What a record of a type says. */
export function toRecordData<Type extends DnsRecordType>(
	record: Answer,
	type: Type,
): DnsRecordData[Type] {
	return READERS[type](('data' in record ? record.data : '') as LibraryData[Type]);
}
