import { hasProvider, isDomainIdentity, type Identity } from '../data/resources';
import type { Advice } from './errors';

/**
 * Why no service sends from an identity; undefined if nothing says so. Kurrier 3.5.0 accepts an email from an address of the
 * provider `inbound`, never sends it, and tells nobody.
 */
export function cannotSend(identity: Identity): Advice | undefined {
	if (isDomainIdentity(identity)) {
		return {
			message: "The identity in 'From' is a domain",
			description:
				'Emails are sent from an address. Choose one of the domain, or add one in the service.',
		};
	}
	if (hasProvider(identity, 'inbound')) {
		return {
			message: "The identity in 'From' only receives emails",
			description:
				'The service receives for it, and has no way to send from it. Choose another address.',
		};
	}
	return undefined;
}

/** A service that finds no way to send does not say why. Kurrier 3.5.0 looks for a folder, although others would send, too. */
export const NO_WAY_TO_SEND: Advice = {
	message: "The service cannot send from the identity in 'From'",
	description:
		"It found no folder for the identity's sent emails. Kurrier 3.5.0 needs one that is called Sent: accounts with Sent Items or Sent Mail, and SMTP accounts alone, send only from its web page. Choose another identity, or use n8n's Send Email node with the SMTP server of this one.",
};

/**
 * Why a service found no way to send from an identity, as far as the identity's data tell.
 *
 * @param identity null if the service does not show it; undefined if it could not be asked
 */
export function whyNoWayToSend(identity: Identity | null | undefined): Advice {
	if (identity === undefined) return NO_WAY_TO_SEND;
	if (identity === null) {
		return {
			message: "The identity in 'From' does not exist",
			description:
				"It was deleted, or belongs to another account. Choose another one under 'From List'. One that was deleted and added again has a new ID.",
		};
	}
	const problem = cannotSend(identity);
	if (problem !== undefined) return problem;
	const { providerId, smtpAccountId, domainIdentityId } = identity;
	const isConnected = [providerId, smtpAccountId, domainIdentityId].some((id) => id !== null);
	if (isConnected || hasProvider(identity, 'google')) return NO_WAY_TO_SEND;
	return {
		message: "The identity in 'From' only receives emails",
		description:
			'It has neither a provider nor an SMTP account. Choose an identity that can send, or connect this one in the service.',
	};
}
