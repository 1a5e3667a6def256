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
