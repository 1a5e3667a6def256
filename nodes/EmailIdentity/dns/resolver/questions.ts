import type { DnsAnswer, DnsRecordData, DnsRecordType, DnsResolver } from './types';

/** A question that nobody answered, and why. */
export interface Unanswered {
	name: string;
	type: DnsRecordType;
	reason: string;
}

/** What is asked about one domain or email, and what of it stayed without an answer. */
export class Questions {
	private readonly notAnswered: Unanswered[] = [];

	private answered = 0;

	constructor(private readonly resolver: DnsResolver) {}

	/** Those that nobody answered, in the order in which that was known. */
	get unanswered(): readonly Unanswered[] {
		return this.notAnswered;
	}

	/** Why one of them was not, always the same of several: in a few known words, with the hosts of resolvers. */
	get whyUnanswered(): string {
		const [reason = ''] = this.notAnswered.map((question) => question.reason).sort();
		return reason;
	}

	get hasAnswers(): boolean {
		return this.answered > 0;
	}

	/** The answer as it came. */
	async ask<Type extends DnsRecordType>(name: string, type: Type): Promise<DnsAnswer<Type>> {
		const answer = await this.resolver.ask(name, type);
		if (answer.status === 'serverFailure' || answer.status === 'unreachable') {
			this.notAnswered.push({ name, type, reason: answer.reason });
		} else {
			this.answered++;
		}
		return answer;
	}

	/** The records that are there, possibly none; undefined where nobody knows. */
	async records<Type extends DnsRecordType>(
		name: string,
		type: Type,
	): Promise<DnsRecordData[Type][] | undefined> {
		const answer = await this.ask(name, type);
		if (answer.status === 'found') return answer.records;
		return answer.status === 'noData' || answer.status === 'noSuchName' ? [] : undefined;
	}
}
