import type { Identity } from '../../api/data/resources';
import { inSentence, type AuditRules } from '../findings';
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

/** Nothing else can be done about it, so no other rule advises on it. */
function lacksDnsRecords(identity: AuditedIdentity): boolean {
	const isVerifiable = isWaiting(identity) || isFailed(identity);
	const records = [identity.dnsRecords ?? []].flat();
	return isIn(identity, 'domain') && isVerifiable && records.length === 0;
}

function kindName({ setup }: AuditedIdentity): string {
	if (setup === 'domain') return 'domain';
	return 'address';
}

function waitsForVerification(identity: AuditedIdentity): boolean {
	if (lacksDnsRecords(identity)) return false;
	return needsVerification(identity) && isWaiting(identity);
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
			if (!isFailed(identity) || lacksDnsRecords(identity)) return undefined;
			if (identity.setup === 'domain') {
				return [
					'The verification of the domain failed.',
					'Compare the DNS records at your DNS provider with those that the service shows, then start the verification in the service again.',
				];
			}
			return [
				'The verification of the address failed.',
				'Check the address in the service and start the verification there again.',
			];
		},
		stale(identity) {
			if (!waitsForVerification(identity) || !identity.isStale) return undefined;
			const status = inSentence(identity.status);
			return [
				`The ${kindName(identity)} has not been verified for ${identity.waitingDays} days (status ${status}).`,
				verificationAdvice(identity),
			];
		},
		domainWithoutDnsRecords(identity) {
			if (!lacksDnsRecords(identity)) return undefined;
			return [
				'The service has no DNS records for the domain, so it cannot be verified.',
				'Remove the domain in the service and add it again.',
			];
		},
	},
	warning: {
		notVerified(identity) {
			if (!waitsForVerification(identity) || identity.isStale) return undefined;
			const status = inSentence(identity.status);
			return [
				`The ${kindName(identity)} is not verified yet (status ${status}).`,
				verificationAdvice(identity),
			];
		},
		statusUnknown(identity) {
			const isKnown = isVerified(identity) || isWaiting(identity) || isFailed(identity);
			if (!needsVerification(identity) || isKnown) return undefined;
			let problem = `The service does not show whether the ${kindName(identity)} is verified.`;
			if (identity.status !== null) {
				problem = `The ${kindName(identity)} has an unknown status: ${inSentence(identity.status)}.`;
			}
			return [problem, 'Check it in the service.'];
		},
		domainNotVerified(identity) {
			const { domain } = identity;
			if (!isIn(identity, 'addressOfDomain') || domain === undefined) return undefined;
			if (isVerified(identity) || isVerified(domain)) return undefined;
			const name = inSentence(domain.value ?? domain.id);
			return [
				`Mail to and from the address may not arrive, because its domain ${name} is not verified.`,
				'Verify the domain first.',
			];
		},
		domainMissing(identity) {
			const mayBeShared = identity.sharedWithWorkspace !== null;
			if (!isIn(identity, 'addressOfUnseenDomain') || mayBeShared) return undefined;
			return [
				'The domain that the address belongs to is not in this account.',
				'Add the domain in the service, or remove the address.',
			];
		},
		nothingConnected(identity) {
			if (!isIn(identity, 'domain', 'unconnected') || isVerified(identity)) return undefined;
			if (lacksDnsRecords(identity)) return undefined;
			const isConnected = identity.providerId !== null || identity.smtpAccountId !== null;
			if (isConnected) return undefined;
			const kind = kindName(identity);
			return [
				`The ${kind} cannot send or receive: it has neither a provider nor an SMTP account.`,
				`Connect one in the service, or remove the ${kind} there.`,
			];
		},
	},
	info: {
		domainOfOthers(identity) {
			// If identities are shared, the domain usually belongs to a colleague and is fine.
			const mayBeShared = identity.sharedWithWorkspace !== null;
			if (!isIn(identity, 'addressOfUnseenDomain') || !mayBeShared) return undefined;
			return [
				'The domain that the address belongs to is not in this account and was not checked.',
				'Audit it with the API key of the account that owns it.',
			];
		},
		receivingOff(identity) {
			const { domain } = identity;
			if (!isIn(identity, 'domain', 'addressOfDomain') || domain === undefined) return undefined;
			if (!isVerified(domain) || domain.incomingDomain !== false) return undefined;
			return [
				`The ${kindName(identity)} can send, but the service receives no mail for it.`,
				'If it should start workflows, turn on receiving for the domain in the service.',
			];
		},
	},
};
