import type { DnsProblem, DnsProblemCode } from '../../../../lib/dns';
import { inSentence, type Sentences, type Severity } from '../findings';

/** The parts of a problem's message, on one line each; `''` if unknown. */
export interface ProblemTexts {
	/** The type of the DNS record, `TXT` if unknown. */
	type: string;
	/** The name of the DNS record. */
	name: string;
	/** The current value. */
	found: string;
	/** The values for the form of the DNS provider. */
	form: string;
	reason: string;
	/** A sentence; `''` if the right value is unknown. */
	change: string;
	/** A sentence with the current value. */
	now: string;
}

export function toTexts({ record, reason }: DnsProblem): ProblemTexts {
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
		change: wanted === '' ? '' : `Change it at your DNS provider: ${form}.`,
		now: `Current value: ${found}.`,
	};
}

/** The host and the priority of an MX record, for which the forms of DNS providers have two fields. */
function mailServerText(value: string): string {
	const [, preference, host] = /^(\d+) (\S+)$/.exec(value) ?? [];
	if (host === undefined) return value;
	return `${host}, priority ${preference}`;
}

interface DnsMessage {
	severity: Severity;
	sentences(texts: ProblemTexts): Sentences;
}

const CORRECT_IT = 'Correct it at your DNS provider.';

/** In the order of the findings of a domain. */
export const DNS_MESSAGES: Readonly<Record<DnsProblemCode, DnsMessage>> = {
	domainGone: {
		severity: 'error',
		sentences: () => [
			'The domain is no longer in the DNS, so it cannot send or receive.',
			'Ask your registrar whether it has expired.',
		],
	},
	mxMissing: {
		severity: 'error',
		sentences({ form, change, found }) {
			let cause = 'the domain has no MX record';
			if (found !== '') cause = 'the MX record of the domain says that it accepts no mail';
			let record = 'the MX record of your email service at your DNS provider';
			if (change !== '') record = `it at your DNS provider: ${form}`;
			return [`No mail arrives: ${cause}.`, `Add ${record}.`];
		},
	},
	mxElsewhere: {
		severity: 'error',
		sentences: ({ form, now }) => [
			'Mail for the domain goes to other servers.',
			`If the service should receive it, change the MX record at your DNS provider: ${form}.`,
			now,
		],
	},
	dnsRecordMissing: {
		severity: 'error',
		sentences: ({ type, name, form, reason }) => [
			`The ${type} record of ${name} is missing.`,
			`Add it at your DNS provider: ${form}.`,
			reason === '' ? '' : `${reason}.`,
		],
	},
	dnsRecordDifferent: {
		severity: 'error',
		sentences: ({ type, name, change, now }) => [
			`The ${type} record of ${name} differs from what the service needs.`,
			change,
			now,
		],
	},
	dkimKeyMissing: {
		severity: 'error',
		sentences: ({ name, found }) => [
			`Signatures cannot be checked: the record of ${name} points to ${found}, which has no DKIM key.`,
			'Tell your email service, or start the verification there again.',
		],
	},
	dkimKeyRevoked: {
		severity: 'error',
		sentences: ({ name, change, reason }) => [
			`Signatures do not count: the DKIM key of ${name} is revoked (${reason}).`,
			change,
		],
	},
	dkimKeyMalformed: {
		severity: 'error',
		sentences: ({ name, change, now, reason }) => [
			`Signatures cannot be checked: the DKIM key of ${name} cannot be read, because ${reason}.`,
			change,
			now,
		],
	},
	dkimKeyTooShort: {
		severity: 'error',
		sentences: ({ name, reason }) => [
			`Signatures do not count: the DKIM key of ${name} is shorter than 1024 bits (${reason}).`,
			'Ask your email service for a new one.',
		],
	},
	spfDoubled: {
		severity: 'error',
		sentences: ({ name, form, now }) => [
			`Receivers ignore SPF: ${name} has more than one SPF record.`,
			`Combine them into one at your DNS provider: ${form}.`,
			now,
		],
	},
	spfInvalid: {
		severity: 'error',
		sentences: ({ name, change, now, reason }) => [
			`Receivers ignore SPF: the SPF record of ${name} is not valid, because ${reason}.`,
			change || CORRECT_IT,
			now,
		],
	},
	spfLoop: {
		severity: 'error',
		sentences: ({ name, now, reason }) => [
			`Receivers ignore SPF: the SPF record of ${name} leads back to ${reason}.`,
			'Remove the include or redirect that leads there.',
			now,
		],
	},
	spfTooManyLookups: {
		severity: 'error',
		sentences: ({ name, now, reason }) => [
			`Receivers ignore SPF: the SPF record of ${name} needs ${reason} DNS lookups, including those of its includes.`,
			'Only ten are allowed.',
			'Remove senders that you no longer use.',
			now,
		],
	},
	dmarcDoubled: {
		severity: 'error',
		sentences: ({ name, now }) => [
			`Receivers ignore DMARC: ${name} has more than one DMARC record.`,
			'Delete all but one at your DNS provider.',
			now,
		],
	},
	dmarcInvalid: {
		severity: 'error',
		sentences: ({ name, change, now, reason }) => [
			`Receivers ignore DMARC: the DMARC record of ${name} is not valid, because ${reason}.`,
			change || CORRECT_IT,
			now,
		],
	},

	spfMissing: {
		severity: 'warning',
		sentences: ({ name }) => [
			'The domain has no SPF record, which says which servers may send for it.',
			`Add one at your DNS provider: type TXT, name ${name} (without the domain if the form adds it), and the value that your email service names.`,
		],
	},
	spfWithoutEnd: {
		severity: 'warning',
		sentences: ({ name, now }) => [
			`The SPF record of ${name} does not say what receivers should do with mail from other servers.`,
			'Add ~all at its end.',
			now,
		],
	},
	spfAllowsEverybody: {
		severity: 'warning',
		sentences: ({ name, now }) => [
			`The SPF record of ${name} lets everyone send in the domain's name.`,
			'Change its end to ~all.',
			now,
		],
	},
	spfVoidLookups: {
		severity: 'warning',
		sentences: ({ name, now, reason }) => [
			`Some receivers ignore SPF: the SPF record of ${name} contains more than two names that do not exist (${reason}).`,
			'Remove them.',
			now,
		],
	},
	dkimKeyTesting: {
		severity: 'warning',
		sentences: ({ name }) => [
			`Signatures may not count: the DKIM key of ${name} is in test mode (t=y).`,
			'Remove t=y.',
		],
	},
	dmarcMissing: {
		severity: 'warning',
		sentences: ({ form }) => [
			'The domain has no DMARC record, which large receivers require and which protects against forged mail.',
			`Add one at your DNS provider: ${form}.`,
		],
	},

	dmarcPolicyNone: {
		severity: 'info',
		sentences: ({ name, now }) => [
			`The DMARC record of ${name} asks receivers to accept forged mail, because its policy is none.`,
			'When all of your own mail passes, change it to p=quarantine or p=reject.',
			now,
		],
	},
	dmarcTesting: {
		severity: 'info',
		sentences: ({ name, now }) => [
			`The DMARC record of ${name} is in test mode (t=y), so receivers treat forged mail less strictly than its policy says.`,
			'When all of your own mail passes, remove t=y.',
			now,
		],
	},
	dmarcPercentage: {
		severity: 'info',
		sentences: ({ name, now, reason }) => [
			`The DMARC record of ${name} contains ${reason}, which newer receivers ignore because it is no longer part of DMARC (RFC 9989).`,
			'Remove it.',
			'To test a policy, use t=y.',
			now,
		],
	},
	dmarcNpMissing: {
		severity: 'info',
		sentences: ({ name, now }) => [
			`The DMARC record of ${name} does not ask receivers to reject mail from subdomains that do not exist.`,
			'Add np=reject.',
			now,
		],
	},
	mxBackup: {
		severity: 'info',
		sentences: ({ now }) => [
			'If the service cannot be reached, mail for the domain goes to other servers and may not reach the service.',
			now,
		],
	},
	dnsUnknown: {
		severity: 'info',
		sentences: ({ reason }) => [
			`The DNS did not answer all queries (${reason}).`,
			'The next audit asks again.',
		],
	},
};
