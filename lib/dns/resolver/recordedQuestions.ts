import type { DnsResolver } from './httpsResolver';
import type { DnsAnswer, DnsRecordType } from './packet';

/** Queries about one domain or email. Collects the unanswered ones. */
export class RecordedQuestions implements DnsResolver {
	/** `TXT of example.com`, in the order of the failures. */
	readonly unanswered: string[] = [];

	private readonly reasons: string[] = [];

	/** Whether any query was answered. */
	hasAnswers = false;

	constructor(private readonly resolver: DnsResolver) {}

	/** The first reason in alphabetical order. Contains hosts of resolvers, but nothing from an email. */
	get whyUnanswered(): string {
		return this.reasons.toSorted()[0] ?? '';
	}

	async ask(name: string, type: DnsRecordType): Promise<DnsAnswer> {
		const answer = await this.resolver.ask(name, type);
		if (answer.status === 'failed') {
			this.unanswered.push(`${type} of ${name}`);
			this.reasons.push(answer.reason);
		} else {
			this.hasAnswers = true;
		}
		return answer;
	}

	/** May be empty; undefined if the query was not answered. */
	async records(name: string, type: DnsRecordType): Promise<readonly string[] | undefined> {
		const answer = await this.ask(name, type);
		if (answer.status === 'failed') return undefined;
		return answer.status === 'found' ? answer.records : [];
	}
}
