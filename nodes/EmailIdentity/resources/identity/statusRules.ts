import type { Identity } from '../../api/resources';
import { inSentence, type AuditContext, type AuditRule, type Setup } from './auditRule';

/** In these set-ups, an unverified identity does not work; in all others, an `unverified` address works. */
const VERIFIED_SETUPS: readonly Setup[] = ['domain', 'inbound', 'unconnected'];

const ALL_SETUPS: readonly Setup[] = [
	'domain',
	'addressOfDomain',
	'addressOfUnseenDomain',
	'mailAccount',
	'gmail',
	'inbound',
	'provider',
	'unconnected',
];

const isOneOf = ({ status }: Identity, ...statuses: string[]): boolean =>
	statuses.includes(status?.toLowerCase() ?? '');

const isVerified = (identity: Identity): boolean => isOneOf(identity, 'verified');

const isWaiting = (identity: Identity): boolean => isOneOf(identity, 'unverified', 'pending');

const isFailed = (identity: Identity): boolean => isOneOf(identity, 'failed');

/** Records may be a list, an object by name, or text that could not be read. */
const hasRecords = ({ dnsRecords }: Identity): boolean =>
	typeof dnsRecords === 'object' && dnsRecords !== null
		? Object.keys(dnsRecords).length > 0
		: Boolean(dnsRecords);

const isStale = ({ age, staleAfterDays }: AuditContext): boolean =>
	age !== undefined && age.days > staleAfterDays;

function verificationAdvice(identity: Identity, { setup }: AuditContext): string {
	if (setup !== 'domain') return 'Check the address in the service, or remove it there.';
	const enter = 'Add the DNS records that the service shows at your DNS provider';
	return isOneOf(identity, 'pending')
		? `${enter}. The service may need up to two days to see them.`
		: `${enter}, then start the verification in the service.`;
}

const nameOf = ({ setup }: AuditContext): string => (setup === 'domain' ? 'domain' : 'address');

const daysAgo = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'} ago`;

/** A rule that finds one problem or none. */
interface StatusRule extends Omit<AuditRule, 'find'> {
	applies(identity: Identity, context: AuditContext): boolean;
	message(identity: Identity, context: AuditContext): string;
}

const RULES: readonly StatusRule[] = [
	{
		code: 'verificationFailed',
		severity: 'error',
		setups: ALL_SETUPS,
		applies: isFailed,
		message: (_identity, { setup }) =>
			setup === 'domain'
				? 'The verification of the domain failed. Compare the DNS records at your DNS provider with those that the service shows, then start the verification in the service again.'
				: 'The verification of the address failed. Check the address in the service and start the verification there again.',
	},
	{
		code: 'notVerified',
		severity: 'warning',
		setups: VERIFIED_SETUPS,
		applies: (identity, context) => isWaiting(identity) && !isStale(context),
		message: (identity, context) =>
			`The ${nameOf(context)} is not verified yet (status ${inSentence(identity.status)}). ${verificationAdvice(identity, context)}`,
	},
	{
		code: 'stale',
		severity: 'error',
		setups: VERIFIED_SETUPS,
		applies: (identity, context) => isWaiting(identity) && isStale(context),
		message: (identity, context) =>
			`The ${nameOf(context)} was ${context.age?.since === 'changed' ? 'last changed' : 'added'} ${daysAgo(context.age?.days ?? 0)} and is not verified (status ${inSentence(identity.status)}). ${verificationAdvice(identity, context)}`,
	},
	{
		code: 'statusUnknown',
		severity: 'warning',
		setups: VERIFIED_SETUPS,
		applies: (identity) => !isVerified(identity) && !isWaiting(identity) && !isFailed(identity),
		message: ({ status }, context) =>
			status === null
				? `The service does not show whether the ${nameOf(context)} is verified. Check it in the service.`
				: `The ${nameOf(context)} has an unknown status: ${inSentence(status)}. Check it in the service.`,
	},
	{
		code: 'domainWithoutDnsRecords',
		severity: 'error',
		setups: ['domain'],
		applies: (identity) => (isWaiting(identity) || isFailed(identity)) && !hasRecords(identity),
		message: () =>
			'The service has no DNS records for the domain, so it cannot be verified. Remove the domain in the service and add it again.',
	},
	{
		code: 'domainNotVerified',
		severity: 'warning',
		setups: ['addressOfDomain'],
		applies: (identity, { domainIdentity }) =>
			!isVerified(identity) && domainIdentity !== undefined && !isVerified(domainIdentity),
		message: (_identity, { domainIdentity }) =>
			`Mail to and from the address may not arrive, because its domain ${inSentence(domainIdentity?.value ?? domainIdentity?.id ?? null)} is not verified. Verify the domain first.`,
	},
	{
		code: 'domainMissing',
		severity: 'warning',
		setups: ['addressOfUnseenDomain'],
		applies: ({ sharedWithWorkspace }) => sharedWithWorkspace === null,
		message: () =>
			'The domain that the address belongs to is not in this account. Add the domain in the service, or remove the address.',
	},
	{
		code: 'domainOfOthers',
		severity: 'info',
		setups: ['addressOfUnseenDomain'],
		// If identities are shared, the domain usually belongs to a colleague and is fine.
		applies: ({ sharedWithWorkspace }) => sharedWithWorkspace !== null,
		message: () =>
			'The domain that the address belongs to is not in this account and was not checked. Audit it with the API key of the account that owns it.',
	},
	{
		code: 'receivingOff',
		severity: 'info',
		setups: ['domain', 'addressOfDomain'],
		applies: (identity, { domainIdentity = identity }) =>
			isVerified(domainIdentity) && domainIdentity.incomingDomain === false,
		message: (_identity, context) =>
			`The ${nameOf(context)} can send, but the service receives no mail for it. If it should start workflows, turn on receiving for the domain in the service.`,
	},
	{
		code: 'nothingConnected',
		severity: 'warning',
		setups: ['domain', 'unconnected'],
		applies: (identity) =>
			!isVerified(identity) && identity.providerId === null && identity.smtpAccountId === null,
		message: (_identity, context) =>
			`The ${nameOf(context)} cannot send or receive: it has neither a provider nor an SMTP account. Connect one in the service, or remove the ${nameOf(context)} there.`,
	},
];

/** Problems that the service reports. */
export const STATUS_RULES: readonly AuditRule[] = RULES.map(
	({ code, severity, setups, applies, message }) => ({
		...{ code, severity, setups },
		find: (identity, context) =>
			applies(identity, context) ? [{ message: message(identity, context) }] : [],
	}),
);
