import type { DnsProblem, DnsProblemCode, RecordDetail } from '../../dns/audit/required';
import { inSentence, type AuditRule, type Setup, type Severity } from './auditRule';

/**
 * The DNS of a domain is its owner's. That of an address is another's (gmail.com), or that of a domain identity which has
 * these findings itself.
 */
const DOMAINS: readonly Setup[] = ['domain'];

interface DnsRule {
	severity: Severity;
	message(problem: Problem): string;
}

/** A problem as it is put into words: there are none in which a record is named and not given. */
interface Problem {
	record: RecordDetail;
	reason: string;
}

/** Room for a key of 4096 bits: what is to be copied is shown as a whole. */
const MAX_VALUE = 1100;

const shown = (value: string | null): string => inSentence(value, MAX_VALUE);

/** What to type into the form of the DNS provider. */
function inForm({ type, name, expected }: RecordDetail): string {
	const [, preference, host] = (type === 'MX' && /^(\d+) (\S+)$/.exec(expected ?? '')) || [];
	const value = host === undefined ? shown(expected) : `${host}, priority ${preference}`;
	return `type ${type}, name ${inSentence(name)} (without the domain if the form adds it), value ${value}`;
}

/** What to do about a record, where it is known how it should be. */
const corrected = (record: RecordDetail, unknown: string): string =>
	record.expected === null ? unknown : `Change it at your DNS provider: ${inForm(record)}.`;

const now = ({ found }: RecordDetail): string => ` Current value: ${shown(found)}.`;

/** What can be wrong with the DNS of a domain. */
const RULES: Record<DnsProblemCode, DnsRule> = {
	domainGone: {
		severity: 'error',
		message: () =>
			'The domain is no longer in the DNS, so it cannot send or receive. Ask your registrar whether it has expired.',
	},
	mxMissing: {
		severity: 'error',
		message: ({ record }) =>
			`No mail arrives: ${record.found === null ? 'the domain has no MX record' : 'the MX record of the domain says that it accepts no mail'}. ${
				record.expected === null
					? 'Add the record that your email service names at your DNS provider.'
					: `Add it at your DNS provider: ${inForm(record)}.`
			}`,
	},
	mxElsewhere: {
		severity: 'error',
		message: ({ record }) =>
			`Mail for the domain goes to other servers. If the service should receive it, change the MX record at your DNS provider: ${inForm(record)}.${now(record)}`,
	},
	dnsRecordMissing: {
		severity: 'error',
		message: ({ record, reason }) =>
			`The ${record.type} record of ${inSentence(record.name)} is missing. Add it at your DNS provider: ${inForm(record)}.${reason === '' ? '' : ` ${shown(reason)}.`}`,
	},
	dnsRecordDifferent: {
		severity: 'error',
		message: ({ record }) =>
			`The ${record.type} record of ${inSentence(record.name)} differs from what the service needs. ${corrected(record, '')}${now(record)}`,
	},
	dkimKeyMissing: {
		severity: 'error',
		message: ({ record }) =>
			`Signatures cannot be checked: the record of ${inSentence(record.name)} leads to ${shown(record.found)}, which has no DKIM key. Tell your email service, or start the verification there again.`,
	},
	dkimKeyRevoked: {
		severity: 'error',
		message: ({ record, reason }) =>
			`Signatures do not count: the DKIM key of ${inSentence(record.name)} is revoked (${reason}). ${corrected(record, '')}`,
	},
	dkimKeyMalformed: {
		severity: 'error',
		message: ({ record, reason }) =>
			`Signatures cannot be checked: the DKIM key of ${inSentence(record.name)} cannot be read, because ${shown(reason)}. ${corrected(record, '')}${now(record)}`,
	},
	dkimKeyTooShort: {
		severity: 'error',
		message: ({ record, reason }) =>
			`Signatures do not count: the DKIM key of ${inSentence(record.name)} is shorter than 1024 bits (${reason}). Ask your email service for a new one.`,
	},
	spfDoubled: {
		severity: 'error',
		message: ({ record }) =>
			`Receivers ignore SPF: ${inSentence(record.name)} has more than one SPF record. Combine them into one at your DNS provider: ${inForm(record)}.${now(record)}`,
	},
	spfInvalid: {
		severity: 'error',
		message: ({ record, reason }) =>
			`Receivers ignore SPF: the SPF record of ${inSentence(record.name)} is not valid, because ${shown(reason)}. ${corrected(record, 'Correct it at your DNS provider.')}${now(record)}`,
	},
	spfLoop: {
		severity: 'error',
		message: ({ record, reason }) =>
			`Receivers ignore SPF: the SPF record of ${inSentence(record.name)} leads back to ${shown(reason)}. Remove the include or redirect that leads there.${now(record)}`,
	},
	spfTooManyLookups: {
		severity: 'error',
		message: ({ record, reason }) =>
			`Receivers ignore SPF: the SPF record of ${inSentence(record.name)} needs ${shown(reason)} DNS lookups, including those of its includes. Only ten are allowed. Remove senders that you no longer use.${now(record)}`,
	},
	dmarcDoubled: {
		severity: 'error',
		message: ({ record }) =>
			`Receivers ignore DMARC: ${inSentence(record.name)} has more than one DMARC record. Delete all but one at your DNS provider.${now(record)}`,
	},
	dmarcInvalid: {
		severity: 'error',
		message: ({ record, reason }) =>
			`Receivers ignore DMARC: the DMARC record of ${inSentence(record.name)} is not valid, because ${shown(reason)}. ${corrected(record, 'Correct it at your DNS provider.')}${now(record)}`,
	},
	spfMissing: {
		severity: 'warning',
		message: ({ record }) =>
			`The domain has no SPF record, which says which servers may send for it. Add one at your DNS provider: type TXT, name ${inSentence(record.name)} (without the domain if the form adds it), value as your email service names it.`,
	},
	spfWithoutEnd: {
		severity: 'warning',
		message: ({ record }) =>
			`The SPF record of ${inSentence(record.name)} does not say what receivers should do with mail from other servers. Add ~all at its end.${now(record)}`,
	},
	spfAllowsEverybody: {
		severity: 'warning',
		message: ({ record }) =>
			`The SPF record of ${inSentence(record.name)} lets everyone send in the domain's name. Change its end to ~all.${now(record)}`,
	},
	spfVoidLookups: {
		severity: 'warning',
		message: ({ record, reason }) =>
			`Some receivers ignore SPF: the SPF record of ${inSentence(record.name)} contains more than two names that do not exist (${shown(reason)}). Remove them.${now(record)}`,
	},
	dkimKeyTesting: {
		severity: 'warning',
		message: ({ record }) =>
			`Signatures may not count: the DKIM key of ${inSentence(record.name)} is in test mode (t=y). Remove t=y.`,
	},
	dmarcMissing: {
		severity: 'warning',
		message: ({ record }) =>
			`The domain has no DMARC record, which large receivers require and which protects against forged mail. Add one at your DNS provider: ${inForm(record)}.`,
	},
	dmarcPolicyNone: {
		severity: 'info',
		message: ({ record }) =>
			`The DMARC record of ${inSentence(record.name)} asks receivers to accept forged mail (p=none). When all of your own mail passes, change p=none to p=quarantine or p=reject.${now(record)}`,
	},
	mxBackup: {
		severity: 'info',
		message: ({ record }) =>
			`If the service cannot be reached, mail for the domain goes to other servers and may not reach the service.${now(record)}`,
	},
	dnsUnknown: {
		severity: 'info',
		message: ({ reason }) =>
			`The DNS did not answer all queries (${shown(reason)}). The next audit asks again.`,
	},
};

/** The rules about the DNS; without Check DNS they find nothing. */
export const DNS_RULES: readonly AuditRule[] = Object.entries(RULES).map(
	([code, { severity, message }]) => ({
		...{ code, severity, setups: DOMAINS },
		find: (_identity, { dns }) =>
			(dns?.problems ?? [])
				.filter((problem) => problem.code === code)
				.map((problem) => ({
					message: message(worded(problem)),
					...(problem.record === null ? {} : { record: problem.record }),
				})),
	}),
);

function worded({ record, reason }: DnsProblem): Problem {
	const nothing: RecordDetail = { type: 'TXT', name: '', expected: null, found: null };
	return { record: record ?? nothing, reason: reason ?? '' };
}
