/** The data of one record, by type. Names are in lower case, without the dot at their end; the root is `''`. */
export interface DnsRecordData {
	A: string;
	AAAA: string;
	CNAME: string;
	/** An empty exchange: the domain takes no mail (RFC 7505). */
	MX: { preference: number; exchange: string };
	NS: string;
	/** Its texts put together; a byte is a character (latin1). */
	TXT: string;
}

export type DnsRecordType = keyof DnsRecordData;

/** The first three are facts about a domain, the others are not. */
export type DnsAnswer<Type extends DnsRecordType = DnsRecordType> =
	| { status: 'found'; records: DnsRecordData[Type][] }
	/** The name exists, without records of this type (NODATA, RFC 2308). */
	| { status: 'noData' }
	/** There is no such name (NXDOMAIN). */
	| { status: 'noSuchName' }
	/** The resolver answered that it could not find out (SERVFAIL, REFUSED …). */
	| { status: 'serverFailure'; reason: string }
	/** No resolver answered as RFC 8484 has it. */
	| { status: 'unreachable'; reason: string };

/** Names are ASCII (IDNA), without the last dot, in upper or lower case. */
export interface DnsResolver {
	/** Never throws, unless the execution was cancelled. The records of an alias are those of its target. */
	ask<Type extends DnsRecordType>(name: string, type: Type): Promise<DnsAnswer<Type>>;
}

/** Asks about one domain or email, and remembers what was not answered. */
export class Questions implements DnsResolver {
	/** `TXT of example.com`, in the order in which that was known. */
	readonly unanswered: string[] = [];

	private readonly reasons: string[] = [];

	private answered = 0;

	constructor(private readonly resolver: DnsResolver) {}

	/** Names hosts of resolvers, and nothing of an email. Of several reasons always the same. */
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

	/** Possibly none; undefined where the question was not answered. */
	async records<Type extends DnsRecordType>(
		name: string,
		type: Type,
	): Promise<DnsRecordData[Type][] | undefined> {
		const answer = await this.ask(name, type);
		if ('reason' in answer) return undefined;
		return answer.status === 'found' ? answer.records : [];
	}
}
