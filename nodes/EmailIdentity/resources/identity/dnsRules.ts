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

/** What to type into the form of the domain's registrar or DNS host. */
function inForm({ type, name, expected }: RecordDetail): string {
	const [, preference, host] = (type === 'MX' && /^(\d+) (\S+)$/.exec(expected ?? '')) || [];
	const value = host === undefined ? shown(expected) : `${host}, priority ${preference}`;
	return `type ${type}, name ${inSentence(name)} (without the domain, where the form adds it), value ${value}`;
}

/** What to do about a record, where it is known how it should be. */
const corrected = (record: RecordDetail, unknown: string): string =>
	record.expected === null ? unknown : `Change it where the domain is managed: ${inForm(record)}.`;

const now = ({ found }: RecordDetail): string => ` There is now: ${shown(found)}.`;

/** What can be wrong with the DNS of a domain. */
const RULES: Record<DnsProblemCode, DnsRule> = {
	domainGone: {
		severity: 'error',
		message: () =>
			'The domain does not exist any more, so it can neither send nor receive. Ask your registrar whether it has expired.',
	},
	mxMissing: {
		severity: 'error',
		message: ({ record }) =>
			`No mail arrives: ${record.found === null ? 'the domain has no MX record' : 'the MX record of the domain says that it takes no mail'}. ${
				record.expected === null
					? 'Add the one that your email service names where the domain is managed.'
					: `Add it where the domain is managed: ${inForm(record)}.`
			}`,
	},
	mxElsewhere: {
		severity: 'error',
		message: ({ record }) =>
			`Mail for the domain goes to other servers than the service's. If the service is to receive it, change the MX record where the domain is managed: ${inForm(record)}.${now(record)}`,
	},
	dnsRecordMissing: {
		severity: 'error',
		message: ({ record, reason }) =>
			`The ${record.type} record of ${inSentence(record.name)} is missing. Add it where the domain is managed: ${inForm(record)}.${reason === '' ? '' : ` ${shown(reason)}.`}`,
	},
	dnsRecordDifferent: {
		severity: 'error',
		message: ({ record }) =>
			`The ${record.type} record of ${inSentence(record.name)} is not as the service needs it. ${corrected(record, '')}${now(record)}`,
	},
	dkimKeyMissing: {
		severity: 'error',
		message: ({ record }) =>
			`Signatures cannot be checked: the record of ${inSentence(record.name)} leads to ${shown(record.found)}, where there is no DKIM key. Tell your email service, or start the verification there again.`,
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
			`Signatures do not count: the DKIM key of ${inSentence(record.name)} is shorter than the 1024 bits that receivers want (${reason}). Have your email service make a new one.`,
	},
	spfDoubled: {
		severity: 'error',
		message: ({ record }) =>
			`Receivers ignore SPF: ${inSentence(record.name)} has more than one SPF record. Put them together into one where the domain is managed: ${inForm(record)}.${now(record)}`,
	},
	spfInvalid: {
		severity: 'error',
		message: ({ record, reason }) =>
			`Receivers ignore SPF: they cannot read the SPF record of ${inSentence(record.name)}, because ${shown(reason)}. ${corrected(record, 'Correct it where the domain is managed.')}${now(record)}`,
	},
	spfLoop: {
		severity: 'error',
		message: ({ record, reason }) =>
			`Receivers ignore SPF: the SPF record of ${inSentence(record.name)} leads back to ${shown(reason)}, over and over. Take the include or redirect that leads there out of it.${now(record)}`,
	},
	spfTooManyLookups: {
		severity: 'error',
		message: ({ record, reason }) =>
			`Receivers ignore SPF: the SPF record of ${inSentence(record.name)} makes them ask the DNS ${shown(reason)} times with all that it includes, and ten times are allowed. Take out what does not send for you any more.${now(record)}`,
	},
	dmarcDoubled: {
		severity: 'error',
		message: ({ record }) =>
			`Receivers ignore DMARC: ${inSentence(record.name)} has more than one DMARC record. Delete all but one where the domain is managed.${now(record)}`,
	},
	dmarcInvalid: {
		severity: 'error',
		message: ({ record, reason }) =>
			`Receivers ignore DMARC: they cannot read the DMARC record of ${inSentence(record.name)}, because ${shown(reason)}. ${corrected(record, 'Correct it where the domain is managed.')}${now(record)}`,
	},
	spfMissing: {
		severity: 'warning',
		message: ({ record }) =>
			`The domain has no SPF record, which says whose servers may send for it. Add one where the domain is managed: type TXT, name ${inSentence(record.name)} (without the domain, where the form adds it), with the value that your email service names.`,
	},
	spfWithoutEnd: {
		severity: 'warning',
		message: ({ record }) =>
			`The SPF record of ${inSentence(record.name)} does not say what becomes of mail from other servers. Add ~all at its end where the domain is managed.${now(record)}`,
	},
	spfAllowsEverybody: {
		severity: 'warning',
		message: ({ record }) =>
			`The SPF record of ${inSentence(record.name)} lets everyone send in the domain's name. Change its end to ~all where the domain is managed.${now(record)}`,
	},
	spfVoidLookups: {
		severity: 'warning',
		message: ({ record, reason }) =>
			`Some receivers ignore SPF: the SPF record of ${inSentence(record.name)} names more than two names that are not there (${shown(reason)}). Take them out of it.${now(record)}`,
	},
	dkimKeyTesting: {
		severity: 'warning',
		message: ({ record }) =>
			`Signatures may not count: the DKIM key of ${inSentence(record.name)} says that the domain only tries signing (t=y). Take t=y out of it.`,
	},
	dmarcMissing: {
		severity: 'warning',
		message: ({ record }) =>
			`The domain has no DMARC record, which large receivers ask for and which keeps others from writing in its name. Add one where the domain is managed: ${inForm(record)}.`,
	},
	dmarcPolicyNone: {
		severity: 'info',
		message: ({ record }) =>
			`The DMARC record of ${inSentence(record.name)} asks receivers to do nothing with mail that others write in the domain's name. Once all of your own mail passes, change p=none to p=quarantine or p=reject.${now(record)}`,
	},
	mxBackup: {
		severity: 'info',
		message: ({ record }) =>
			`When the service cannot be reached, mail for the domain goes to other servers, from where it may not come back to the service.${now(record)}`,
	},
	dnsUnknown: {
		severity: 'info',
		message: ({ reason }) =>
			`The DNS could not be asked for all that is looked at, so that nothing is known of it (${shown(reason)}). The next audit asks again.`,
	},
};

/** What the DNS says to be wrong; nothing where it was not asked. */
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
