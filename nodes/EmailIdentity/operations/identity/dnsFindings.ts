import { isObject, type Entry } from '../../api/json';
import { toListedDnsRecord, type Identity } from '../../api/resources';
import {
	checkDomains,
	type DnsProblem,
	type DnsProblemCode,
	type DomainCheck,
	type DomainToCheck,
	toDomainName,
	toRequiredRecord,
} from '../../../../lib/dns';
import { askDns } from '../../shared/dnsAccess';
import { readDnsResolvers } from '../../shared/fields';
import { isDomainIdentity } from '../../shared/identities';
import { inSentence, SEVERITIES, type Finding, type Severity } from '../auditReport';
import type { Item } from '../runOperation';

/** Limits the queries for one domain. No provider needs more records. */
const MAX_LISTED_RECORDS = 50;

/** Some services list a revoked key with the note that it can be removed. */
const NOT_WANTED = /\b(?:revoked|remove)\b/i;

/** What the DNS of a domain lacks. */
export interface DnsFindings {
	/** `partly` if the DNS did not answer some queries, `unknown` if it answered none. */
	status: DomainCheck['status'];
	/** In the order of the messages. */
	findings: Finding[];
}

/**
 * Checks the DNS of all domain identities. Addresses are not checked, because their domain is a separate identity or belongs
 * to someone else.
 *
 * @returns by the ID of the identity
 */
export async function auditDns(
	{ context, maxConcurrentRequests }: Item,
	identities: readonly Identity[],
	resolvers: string,
): Promise<Map<string, DnsFindings>> {
	const ids: string[] = [];
	const domains: DomainToCheck[] = [];
	for (const identity of identities.filter(isDomainIdentity)) {
		const domain = toDomainToCheck(identity);
		if (domain === undefined) continue;
		ids.push(identity.id);
		domains.push(domain);
	}
	const resolver = askDns(context, {
		addresses: readDnsResolvers(resolvers),
		limits: { maxConcurrentQuestions: maxConcurrentRequests },
	});
	const checks = await checkDomains(resolver, domains, context.getExecutionCancelSignal());
	return new Map(ids.map((id, index) => [id, toDnsFindings(checks[index]!)]));
}

/** @returns undefined if the identity's value is not a domain name */
export function toDomainToCheck(identity: Identity): DomainToCheck | undefined {
	const name = toDomainName(identity.value ?? '');
	if (name === undefined) return undefined;
	const required = listedRecords(identity)
		.slice(0, MAX_LISTED_RECORDS)
		.map(toListedDnsRecord)
		.filter(({ note }) => !NOT_WANTED.test(note ?? ''))
		.map((record) => toRequiredRecord(record, name))
		.filter((record) => record !== undefined);
	return { name, receives: identity.incomingDomain, required };
}

function listedRecords({ dnsRecords }: Identity): Entry[] {
	if (!Array.isArray(dnsRecords)) return [];
	return dnsRecords.filter(isObject);
}

/** The parts of a problem's message, on one line each; `''` if unknown. */
interface ProblemTexts {
	/** The type of the DNS record, `TXT` if unknown. */
	type: string;
	/** The name of the DNS record. */
	name: string;
	/** The current value. */
	found: string;
	/** What to enter in the form of the DNS provider. */
	form: string;
	reason: string;
	/** A sentence after a space; `''` if the right value is unknown. */
	change: string;
	/** A sentence after a space. */
	now: string;
}

function toTexts({ record, reason }: DnsProblem): ProblemTexts {
	const type = record?.type ?? 'TXT';
	const name = inSentence(record?.name);
	const found = inSentence(record?.found);
	const wanted = inSentence(record?.expected);
	const value = type === 'MX' ? mailServerText(wanted) : wanted;
	const form = `type ${type}, name ${name} (without the domain if the form adds it), value ${value}`;
	return {
		type,
		name,
		found,
		form,
		reason: inSentence(reason),
		change: wanted === '' ? '' : ` Change it at your DNS provider: ${form}.`,
		now: ` Current value: ${found}.`,
	};
}

/** The host and the priority of an MX record, for which the forms of DNS providers have two fields. */
function mailServerText(value: string): string {
	const [, preference, host] = /^(\d+) (\S+)$/.exec(value) ?? [];
	if (host === undefined) return value;
	return `${host}, priority ${preference}`;
}

type ToMessage = (texts: ProblemTexts) => string;

export const DNS_MESSAGES = {
	error: {
		domainGone: () =>
			'The domain is no longer in the DNS, so it cannot send or receive. Ask your registrar whether it has expired.',
		mxMissing({ form, change, found }) {
			const cause =
				found === ''
					? 'the domain has no MX record'
					: 'the MX record of the domain says that it accepts no mail';
			const record =
				change === ''
					? 'the MX record of your email service at your DNS provider'
					: `it at your DNS provider: ${form}`;
			return `No mail arrives: ${cause}. Add ${record}.`;
		},
		mxElsewhere: ({ form, now }) =>
			`Mail for the domain goes to other servers. If the service should receive it, change the MX record at your DNS provider: ${form}.${now}`,
		dnsRecordMissing: ({ type, name, form, reason }) =>
			`The ${type} record of ${name} is missing. Add it at your DNS provider: ${form}.${reason === '' ? '' : ` ${reason}.`}`,
		dnsRecordDifferent: ({ type, name, change, now }) =>
			`The ${type} record of ${name} differs from what the service needs.${change}${now}`,
		dkimKeyMissing: ({ name, found }) =>
			`Signatures cannot be checked: the record of ${name} points to ${found}, which has no DKIM key. Tell your email service, or start the verification there again.`,
		dkimKeyRevoked: ({ name, change, reason }) =>
			`Signatures do not count: the DKIM key of ${name} is revoked (${reason}).${change}`,
		dkimKeyMalformed: ({ name, change, now, reason }) =>
			`Signatures cannot be checked: the DKIM key of ${name} cannot be read, because ${reason}.${change}${now}`,
		dkimKeyTooShort: ({ name, reason }) =>
			`Signatures do not count: the DKIM key of ${name} is shorter than 1024 bits (${reason}). Ask your email service for a new one.`,
		spfDoubled: ({ name, form, now }) =>
			`Receivers ignore SPF: ${name} has more than one SPF record. Combine them into one at your DNS provider: ${form}.${now}`,
		spfInvalid: ({ name, change, now, reason }) =>
			`Receivers ignore SPF: the SPF record of ${name} is not valid, because ${reason}.${change || ' Correct it at your DNS provider.'}${now}`,
		spfLoop: ({ name, now, reason }) =>
			`Receivers ignore SPF: the SPF record of ${name} leads back to ${reason}. Remove the include or redirect that leads there.${now}`,
		spfTooManyLookups: ({ name, now, reason }) =>
			`Receivers ignore SPF: the SPF record of ${name} needs ${reason} DNS lookups, including those of its includes. Only ten are allowed. Remove senders that you no longer use.${now}`,
		dmarcDoubled: ({ name, now }) =>
			`Receivers ignore DMARC: ${name} has more than one DMARC record. Delete all but one at your DNS provider.${now}`,
		dmarcInvalid: ({ name, change, now, reason }) =>
			`Receivers ignore DMARC: the DMARC record of ${name} is not valid, because ${reason}.${change || ' Correct it at your DNS provider.'}${now}`,
	},
	warning: {
		spfMissing: ({ name }) =>
			`The domain has no SPF record, which says which servers may send for it. Add one at your DNS provider: type TXT, name ${name} (without the domain if the form adds it), and the value that your email service names.`,
		spfWithoutEnd: ({ name, now }) =>
			`The SPF record of ${name} does not say what receivers should do with mail from other servers. Add ~all at its end.${now}`,
		spfAllowsEverybody: ({ name, now }) =>
			`The SPF record of ${name} lets everyone send in the domain's name. Change its end to ~all.${now}`,
		spfVoidLookups: ({ name, now, reason }) =>
			`Some receivers ignore SPF: the SPF record of ${name} contains more than two names that do not exist (${reason}). Remove them.${now}`,
		dkimKeyTesting: ({ name }) =>
			`Signatures may not count: the DKIM key of ${name} is in test mode (t=y). Remove t=y.`,
		dmarcMissing: ({ form }) =>
			`The domain has no DMARC record, which large receivers require and which protects against forged mail. Add one at your DNS provider: ${form}.`,
	},
	info: {
		dmarcPolicyNone: ({ name, now }) =>
			`The DMARC record of ${name} asks receivers to accept forged mail, because its policy is none. When all of your own mail passes, change it to p=quarantine or p=reject.${now}`,
		dmarcTesting: ({ name, now }) =>
			`The DMARC record of ${name} is in test mode (t=y), so receivers treat forged mail less strictly than its policy says. When all of your own mail passes, remove t=y.${now}`,
		dmarcPercentage: ({ name, now, reason }) =>
			`The DMARC record of ${name} contains ${reason}, which newer receivers ignore because it is no longer part of DMARC (RFC 9989). Remove it. To test a policy, use t=y.${now}`,
		dmarcNpMissing: ({ name, now }) =>
			`The DMARC record of ${name} does not ask receivers to reject mail from subdomains that do not exist. Add np=reject.${now}`,
		mxBackup: ({ now }) =>
			`If the service cannot be reached, mail for the domain goes to other servers and may not reach the service.${now}`,
		dnsUnknown: ({ reason }) =>
			`The DNS did not answer all queries (${reason}). The next audit asks again.`,
	},
} satisfies Record<Severity, Partial<Record<DnsProblemCode, ToMessage>>>;

/** Every problem has a message. */
type ToldCode = { [Key in Severity]: keyof (typeof DNS_MESSAGES)[Key] }[Severity];

/** The findings of a domain, in the order of the messages. */
export function toDnsFindings({ status, problems }: DomainCheck): DnsFindings {
	const findings: Finding[] = [];
	for (const severity of SEVERITIES.toReversed()) {
		const messages = Object.entries<ToMessage>(DNS_MESSAGES[severity]);
		for (const [code, messageOf] of messages) {
			const found = problems.filter((problem) => (problem.code satisfies ToldCode) === code);
			for (const problem of found) {
				const finding: Finding = { code, severity, message: messageOf(toTexts(problem)) };
				if (problem.record) finding.record = problem.record;
				findings.push(finding);
			}
		}
	}
	return { status, findings };
}
