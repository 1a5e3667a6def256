import { Limiter } from '../../basics';
import { loadPublicSuffixes, type PublicSuffixes } from '../publicSuffixes';
import type { DnsResolver } from '../resolver/httpsResolver';
import type { DnsAnswer } from '../resolver/packet';
import { RecordedQuestions } from '../resolver/recordedQuestions';
import { checkDkim } from './dkim';
import { checkDmarc } from './dmarc';
import { checkMx, isForMail } from './mx';
import { compareRequired, type DomainToCheck, type RequiredRecord } from './requiredRecords';
import { problem, type DnsProblem } from './problems';
import { checkSpf, isForSpf } from './spf';

export interface DomainCheck {
	/** `partly` if the DNS did not answer some queries, `unknown` if it answered none. */
	status: 'checked' | 'partly' | 'unknown';
	problems: DnsProblem[];
}

/** Takes time in proportion to the number of required records. */
export async function checkDomain(
	resolver: DnsResolver,
	domain: DomainToCheck,
): Promise<DomainCheck> {
	const suffixes = await loadPublicSuffixes();
	const questions = new RecordedQuestions(resolver);
	const status = await domainStatus(questions, domain.name, suffixes);
	if (status === 'noSuchName') return { status: 'checked', problems: [problem('domainGone')] };
	const problems: DnsProblem[] = [];
	// A resolver that fails is not queried ten more times for each domain.
	if (status !== 'failed') problems.push(...(await checkRecords(questions, domain, suffixes)));
	if (questions.unanswered.length === 0) return { status: 'checked', problems };
	problems.push(problem('dnsUnknown', null, whatIsUnknown(questions)));
	return { status: questions.hasAnswers ? 'partly' : 'unknown', problems };
}

/** A subdomain is not in the DNS before its first record is entered; it exists if its registered domain does. */
async function domainStatus(
	questions: RecordedQuestions,
	name: string,
	suffixes: PublicSuffixes,
): Promise<DnsAnswer['status']> {
	const registered = suffixes.organizationOf(name) ?? name;
	const { status } = await questions.ask(name, 'TXT');
	if (status !== 'noSuchName' || registered === name) return status;
	return (await questions.ask(registered, 'TXT')).status;
}

const isForDkim = ({ type, name }: RequiredRecord): boolean =>
	(type === 'CNAME' || type === 'TXT') && name.split('.').includes('_domainkey');
const isForDmarc = ({ name }: RequiredRecord): boolean => name.startsWith('_dmarc.');

/** All checks at the same time. */
async function checkRecords(
	questions: RecordedQuestions,
	domain: DomainToCheck,
	suffixes: PublicSuffixes,
): Promise<DnsProblem[]> {
	const { name, required } = domain;
	const checks = [checkMx(questions, domain)];
	checks.push(checkDmarc(questions, name, required.find(isForDmarc), suffixes));

	// The domain itself is checked also if the service requires no SPF record.
	const requiredSpf = new Map(required.filter(isForSpf).map((record) => [record.name, record]));
	for (const place of new Set([name, ...requiredSpf.keys()]))
		checks.push(checkSpf(questions, place, requiredSpf.get(place), name));

	for (const record of required) {
		const isChecked = isForMail(record, name) || isForDmarc(record) || isForSpf(record);
		if (isChecked) continue;
		const check = isForDkim(record) ? checkDkim : compareRequired;
		checks.push(check(questions, record, name));
	}
	return (await Promise.all(checks)).flat();
}

function whatIsUnknown({ unanswered, whyUnanswered }: RecordedQuestions): string {
	const [first, ...others] = [...new Set(unanswered)].sort();
	const more = others.length > 0 ? ` and ${others.length} more` : '';
	return `${first}${more}: ${whyUnanswered}`;
}

/** Domains to check in parallel; the resolver limits the queries. */
const MAX_SIDE_BY_SIDE = 50;

/** Stop after this many domains without any answer. */
const MAX_UNKNOWN = 10;

const NOT_ASKED: DomainCheck = {
	status: 'unknown',
	problems: [problem('dnsUnknown', null, 'the DNS did not answer for the domains before this one')],
};

/** Ends early if the DNS does not answer at all. */
export async function checkDomains(
	resolver: DnsResolver,
	domains: readonly DomainToCheck[],
	signal?: AbortSignal,
): Promise<DomainCheck[]> {
	const limiter = new Limiter(MAX_SIDE_BY_SIDE);
	let unanswered = 0;
	const check = async (domain: DomainToCheck): Promise<DomainCheck> => {
		signal?.throwIfAborted();
		if (unanswered >= MAX_UNKNOWN) return NOT_ASKED;
		const checked = await checkDomain(resolver, domain);
		// One answer is enough to ask about all domains.
		unanswered = checked.status === 'unknown' ? unanswered + 1 : -Infinity;
		return checked;
	};
	return await Promise.all(domains.map(async (one) => await limiter.run(() => check(one))));
}
