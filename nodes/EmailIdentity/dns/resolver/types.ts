/** What the package asks the DNS for, and what one record of each type says. */
export interface DnsRecordData {
	/** An IPv4 address. */
	A: string;
	/** An IPv6 address. */
	AAAA: string;
	/** The name it stands for. */
	CNAME: string;
	/** An empty exchange is the root: the domain takes no mail (RFC 7505). */
	MX: { preference: number; exchange: string };
	/** The name of a server. */
	NS: string;
	/** Its texts put together, as they stand in the record; a byte is a character (latin1). */
	TXT: string;
}

export type DnsRecordType = keyof DnsRecordData;

/**
 * What a question came to. Nothing there, no such name, a server that fails and a resolver that cannot be asked are four
 * different things: the first two are facts about a domain, the others are not.
 */
export type DnsAnswer<Type extends DnsRecordType = DnsRecordType> =
	| { status: 'found'; records: DnsRecordData[Type][] }
	/** The name is there, without records of this type (NODATA, RFC 2308). */
	| { status: 'noData' }
	/** There is no such name (NXDOMAIN). */
	| { status: 'noSuchName' }
	/** The resolver answered that it could not find out (SERVFAIL, REFUSED …). */
	| { status: 'serverFailure'; reason: string }
	/** No resolver answered as RFC 8484 has it. */
	| { status: 'unreachable'; reason: string };

/** Asks the DNS: names are ASCII (IDNA), without the last dot; upper and lower case are the same. */
export interface DnsResolver {
	/** Never throws, but where the execution was cancelled; records of a CNAME's target are the name's own. */
	ask<Type extends DnsRecordType>(name: string, type: Type): Promise<DnsAnswer<Type>>;
}
