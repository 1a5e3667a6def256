import type { Identity } from '../api/types';

/** The kinds of identity that deployments were seen to use, in lower case (contract, section 2.2: a domain's is not shown). */
export const DOMAIN_KIND = 'domain';
export const EMAIL_KIND = 'email';

/** Something before an at sign: a domain may be written with the sign alone. */
const ADDRESS = /.@/;

/**
 * Whether an identity is a whole domain. What it is decides how it is audited, and that the trigger picks its mail out
 * itself: a subscription that is restricted to a domain may never match. So both go by this.
 *
 * A kind that is known tells it, in whichever case; one that goes by another word, or none, leaves it to the value.
 */
export function isDomain({ kind, value }: Pick<Identity, 'kind' | 'value'>): boolean {
	const known = kind?.toLowerCase();
	if (known === DOMAIN_KIND) return true;
	return known !== EMAIL_KIND && value !== null && !ADDRESS.test(value);
}
