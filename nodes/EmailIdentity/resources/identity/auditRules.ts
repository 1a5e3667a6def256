import type { Identity } from '../../api/types';
import { DOMAIN_KIND, EMAIL_KIND, FAILED, hasStatus, isOfKind, VERIFIED } from './kindsAndStatuses';

/** From harmless to broken. */
export const SEVERITIES = ['info', 'warning', 'error'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** What the rules may look at besides the identity itself. */
export interface AuditContext {
	/** The identity's own domain identity; undefined when the account has none for it. */
	domainIdentity: Identity | undefined;
	/** Days since the identity last changed; undefined when the service does not say. */
	unchangedForDays: number | undefined;
	staleAfterDays: number;
}

interface AuditRule {
	code: string;
	severity: Severity;
	applies(identity: Identity, context: AuditContext): boolean;
	message(identity: Identity, context: AuditContext): string;
}

/** Records as a list, as an object by name, or as text that could not be read: all of these are some. */
const hasRecords = ({ dnsRecords }: Identity): boolean =>
	typeof dnsRecords === 'object' && dnsRecords !== null
		? Object.keys(dnsRecords).length > 0
		: Boolean(dnsRecords);

/** What can be wrong with an identity. A new rule is a new entry; codes stay as they are once released. */
export const AUDIT_RULES: readonly AuditRule[] = [
	{
		code: 'verificationFailed',
		severity: 'error',
		applies: (identity) => hasStatus(identity, FAILED),
		message: () => 'The verification failed. Check the DNS records and start it again.',
	},
	{
		code: 'notVerified',
		severity: 'warning',
		applies: (identity) => !hasStatus(identity, VERIFIED) && !hasStatus(identity, FAILED),
		message: ({ status }) => `The identity is not verified: its status is ${status ?? 'unknown'}.`,
	},
	{
		code: 'stale',
		severity: 'error',
		applies: (identity, { unchangedForDays, staleAfterDays }) =>
			!hasStatus(identity, VERIFIED) &&
			unchangedForDays !== undefined &&
			unchangedForDays > staleAfterDays,
		message: (_identity, { unchangedForDays }) =>
			`Nothing has changed for ${unchangedForDays} days while the identity is not verified.`,
	},
	{
		code: 'domainWithoutDnsRecords',
		severity: 'error',
		applies: (identity) => isOfKind(identity, DOMAIN_KIND) && !hasRecords(identity),
		message: () => 'The domain has no DNS records, so that it cannot be verified.',
	},
	{
		code: 'domainIdentityMissing',
		severity: 'error',
		applies: (identity, { domainIdentity }) =>
			isOfKind(identity, EMAIL_KIND) &&
			identity.domainIdentityId !== null &&
			domainIdentity === undefined,
		message: () => 'The domain identity that the address belongs to is not in this account.',
	},
	{
		code: 'noDomainIdentity',
		severity: 'info',
		applies: (identity, { domainIdentity }) =>
			isOfKind(identity, EMAIL_KIND) &&
			identity.domainIdentityId === null &&
			domainIdentity === undefined,
		message: () => 'The address belongs to no domain identity.',
	},
	{
		code: 'domainIdentityNotVerified',
		severity: 'warning',
		applies: (identity, { domainIdentity }) =>
			isOfKind(identity, EMAIL_KIND) &&
			domainIdentity !== undefined &&
			!hasStatus(domainIdentity, VERIFIED),
		message: (_identity, { domainIdentity }) =>
			`The domain identity of the address, ${domainIdentity?.value ?? domainIdentity?.id}, is not verified.`,
	},
	{
		code: 'noProviderAndNoSmtpAccount',
		severity: 'warning',
		applies: ({ providerId, smtpAccountId }) => providerId === null && smtpAccountId === null,
		message: () => 'The identity has neither a provider nor an SMTP account to send with.',
	},
];
