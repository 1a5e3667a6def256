/** The data of one record, by type. Names are in lower case, without the trailing dot; the root is `''`. */
export interface DnsRecordData {
	A: string;
	AAAA: string;
	CNAME: string;
	/** An empty exchange: the domain accepts no mail (RFC 7505). */
	MX: { preference: number; exchange: string };
	NS: string;
	/** Its joined texts; one character per byte (latin1). */
	TXT: string;
}

export type DnsRecordType = keyof DnsRecordData;

/** The first three are facts about a domain, the others are failures. */
export type DnsAnswer<Type extends DnsRecordType = DnsRecordType> =
	| { status: 'found'; records: DnsRecordData[Type][] }
	/** The name exists, without records of this type (NODATA, RFC 2308). */
	| { status: 'noData' }
	/** There is no such name (NXDOMAIN). */
	| { status: 'noSuchName' }
	/** The resolver could not resolve the name (SERVFAIL, REFUSED …). */
	| { status: 'serverFailure'; reason: string }
	/** No resolver sent a valid response (RFC 8484). */
	| { status: 'unreachable'; reason: string };

/** Names are ASCII (IDNA), without the trailing dot, in upper or lower case. */
export interface DnsResolver {
	/** Only throws if the execution was cancelled. An alias has the records of its target. */
	ask<Type extends DnsRecordType>(name: string, type: Type): Promise<DnsAnswer<Type>>;
}

/** Queries about one domain or email. Collects the unanswered ones. */
export class Questions implements DnsResolver {
	/** `TXT of example.com`, in the order of the failures. */
	readonly unanswered: string[] = [];

	private readonly reasons: string[] = [];

	private answered = 0;

	constructor(private readonly resolver: DnsResolver) {}

	/** The first reason in alphabetical order. Contains hosts of resolvers, but nothing from an email. */
	get whyUnanswered(): string {
		return this.reasons.sort()[0] ?? '';
	}

	get hasAnswers(): boolean {
		return this.answered > 0;
	}

	async ask<Type extends DnsRecordType>(name: string, type: Type): Promise<DnsAnswer<Type>> {
		const answer = await this.resolver.ask(name, type);
		if ('reason' in answer) {
			this.unanswered.push(`${type} of ${name}`);
			this.reasons.push(answer.reason);
		} else {
			this.answered++;
		}
		return answer;
	}

	/** May be empty; undefined if the query was not answered. */
	async records<Type extends DnsRecordType>(
		name: string,
		type: Type,
	): Promise<DnsRecordData[Type][] | undefined> {
		const answer = await this.ask(name, type);
		if ('reason' in answer) return undefined;
		return answer.status === 'found' ? answer.records : [];
	}
}
