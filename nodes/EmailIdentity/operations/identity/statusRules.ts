import type { Identity } from '../../api/resources';
import { inSentence, type AuditRules } from '../auditReport';
import type { IdentitySetup, SetupName } from '../identitySetup';

export interface AuditedIdentity extends Identity, IdentitySetup {
	/** Whole days since it was added or changed; null if unknown. */
	waitingDays: number | null;
	/** Whether it has waited for longer than Stale After Days. */
	isStale: boolean;
}

function isIn({ setup }: AuditedIdentity, ...setups: SetupName[]): boolean {
	return setups.includes(setup);
}

/** In these set-ups, an unverified identity does not work. In all others, it does. */
function needsVerification(identity: AuditedIdentity): boolean {
	return isIn(identity, 'domain', 'inbound', 'unconnected');
}

function isOneOf({ status }: Identity, ...statuses: string[]): boolean {
	return statuses.includes(status?.toLowerCase() ?? '');
}

function isVerified(identity: Identity): boolean {
	return isOneOf(identity, 'verified');
}

function isWaiting(identity: Identity): boolean {
	return isOneOf(identity, 'unverified', 'pending');
}

function isFailed(identity: Identity): boolean {
	return isOneOf(identity, 'failed');
}

function kindName({ setup }: AuditedIdentity): string {
	return setup === 'domain' ? 'domain' : 'address';
}

function verificationAdvice(identity: AuditedIdentity): string {
	if (identity.setup !== 'domain') return 'Check the address in the service, or remove it there.';
	const enter = 'Add the DNS records that the service shows at your DNS provider';
	if (isOneOf(identity, 'pending')) {
		return `${enter}. The service may need up to two days to see them.`;
	}
	return `${enter}, then start the verification in the service.`;
}

/** Problems that the service reports. */
export const STATUS_RULES: AuditRules<AuditedIdentity> = {
	error: {
		verificationFailed(identity) {
			if (!isFailed(identity)) return undefined;
			if (identity.setup === 'domain') {
				return 'The verification of the domain failed. Compare the DNS records at your DNS provider with those that the service shows, then start the verification in the service again.';
			}
			return 'The verification of the address failed. Check the address in the service and start the verification there again.';
		},
		stale: (identity) =>
			needsVerification(identity) &&
			isWaiting(identity) &&
			identity.isStale &&
			`The ${kindName(identity)} has not been verified for ${identity.waitingDays} days (status ${inSentence(identity.status)}). ${verificationAdvice(identity)}`,
		domainWithoutDnsRecords: (identity) =>
			isIn(identity, 'domain') &&
			(isWaiting(identity) || isFailed(identity)) &&
			[identity.dnsRecords ?? []].flat().length === 0 &&
			'The service has no DNS records for the domain, so it cannot be verified. Remove the domain in the service and add it again.',
	},
	warning: {
		notVerified: (identity) =>
			needsVerification(identity) &&
			isWaiting(identity) &&
			!identity.isStale &&
			`The ${kindName(identity)} is not verified yet (status ${inSentence(identity.status)}). ${verificationAdvice(identity)}`,
		statusUnknown(identity) {
			const isKnown = isVerified(identity) || isWaiting(identity) || isFailed(identity);
			if (!needsVerification(identity) || isKnown) return undefined;
			if (identity.status === null) {
				return `The service does not show whether the ${kindName(identity)} is verified. Check it in the service.`;
			}
			return `The ${kindName(identity)} has an unknown status: ${inSentence(identity.status)}. Check it in the service.`;
		},
		domainNotVerified: (identity) =>
			isIn(identity, 'addressOfDomain') &&
			!isVerified(identity) &&
			identity.domain !== undefined &&
			!isVerified(identity.domain) &&
			`Mail to and from the address may not arrive, because its domain ${inSentence(identity.domain.value ?? identity.domain.id)} is not verified. Verify the domain first.`,
		domainMissing: (identity) =>
			isIn(identity, 'addressOfUnseenDomain') &&
			identity.sharedWithWorkspace === null &&
			'The domain that the address belongs to is not in this account. Add the domain in the service, or remove the address.',
		nothingConnected: (identity) =>
			isIn(identity, 'domain', 'unconnected') &&
			!isVerified(identity) &&
			identity.providerId === null &&
			identity.smtpAccountId === null &&
			`The ${kindName(identity)} cannot send or receive: it has neither a provider nor an SMTP account. Connect one in the service, or remove the ${kindName(identity)} there.`,
	},
	info: {
		// If identities are shared, the domain usually belongs to a colleague and is fine.
		domainOfOthers: (identity) =>
			isIn(identity, 'addressOfUnseenDomain') &&
			identity.sharedWithWorkspace !== null &&
			'The domain that the address belongs to is not in this account and was not checked. Audit it with the API key of the account that owns it.',
		receivingOff: (identity) =>
			isIn(identity, 'domain', 'addressOfDomain') &&
			identity.domain !== undefined &&
			isVerified(identity.domain) &&
			identity.domain.incomingDomain === false &&
			`The ${kindName(identity)} can send, but the service receives no mail for it. If it should start workflows, turn on receiving for the domain in the service.`,
	},
};
