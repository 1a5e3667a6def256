import { Turns } from '../../basics';
import { loadPublicSuffixes, organizationalDomain } from '../organizations';
import { Questions, type DnsAnswer, type DnsResolver } from '../resolver/httpsResolver';
import { checkDkim } from './dkim';
import { checkDmarc } from './dmarc';
import { checkMx, isForMail } from './mx';
import { compareRequired, type DomainToCheck, type RequiredRecord } from './requiredRecords';
import { problem, type DnsProblem } from './problems';
import { checkSpf, isForSpf } from './spf';

export interface DomainCheck {
	status: 'checked' | 'partly' | 'unknown';
	problems: DnsProblem[];
}

/** Takes time in proportion to the number of required records. */
export async function checkDomain(
	resolver: DnsResolver,
	domain: DomainToCheck,
): Promise<DomainCheck> {
	await loadPublicSuffixes();
	const questions = new Questions(resolver);
	const status = await domainStatus(questions, domain.name);
	if (status === 'noSuchName') return { status: 'checked', problems: [problem('domainGone')] };
	// A resolver that fails is not queried ten more times for each domain.
	const problems = status === 'failed' ? [] : await checkRecords(questions, domain);
	if (questions.unanswered.length === 0) return { status: 'checked', problems };
	return {
		status: questions.hasAnswers ? 'partly' : 'unknown',
		problems: [...problems, problem('dnsUnknown', null, whatIsUnknown(questions))],
	};
}

/** A subdomain is not in the DNS before its first record is entered; it exists if its registered domain does. */
async function domainStatus(questions: Questions, name: string): Promise<DnsAnswer['status']> {
	const registered = organizationalDomain(name) ?? name;
	const { status } = await questions.ask(name, 'TXT');
	if (status !== 'noSuchName' || registered === name) return status;
	return (await questions.ask(registered, 'TXT')).status;
}

const isForDkim = ({ type, name }: RequiredRecord): boolean =>
	(type === 'CNAME' || type === 'TXT') && name.split('.').includes('_domainkey');
const isForDmarc = ({ name }: RequiredRecord): boolean => name.startsWith('_dmarc.');

async function checkRecords(questions: Questions, domain: DomainToCheck): Promise<DnsProblem[]> {
	const { name, required } = domain;
	const spf = new Map(required.filter(isForSpf).map((record) => [record.name, record]));
	const checks = [
		checkMx(questions, domain),
		checkDmarc(questions, name, required.find(isForDmarc)),
		...[...new Set([name, ...spf.keys()])].map(
			async (place) => await checkSpf(questions, place, spf.get(place), name),
		),
		...required.map(async (record) => {
			if (isForMail(record, name) || isForDmarc(record) || isForSpf(record)) return [];
			const check = isForDkim(record) ? checkDkim : compareRequired;
			return await check(questions, record, name);
		}),
	];
	return (await Promise.all(checks)).flat();
}

function whatIsUnknown({ unanswered, whyUnanswered }: Questions): string {
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
	const turns = new Turns(MAX_SIDE_BY_SIDE);
	let unanswered = 0;
	const check = async (domain: DomainToCheck): Promise<DomainCheck> => {
		signal?.throwIfAborted();
		if (unanswered >= MAX_UNKNOWN) return NOT_ASKED;
		const checked = await checkDomain(resolver, domain);
		// One answer is enough to ask about all domains.
		unanswered = checked.status === 'unknown' ? unanswered + 1 : -Infinity;
		return checked;
	};
	return await Promise.all(domains.map(async (one) => await turns.run(() => check(one))));
}
