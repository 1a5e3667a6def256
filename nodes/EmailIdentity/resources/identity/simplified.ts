import type { Identity } from '../../api/types';
import { pickFields } from '../simplify';

/** What people look at, first things first. */
export const SIMPLIFIED_FIELDS = [
	'value',
	'kind',
	'status',
	'displayName',
	'incomingDomain',
	'dnsRecords',
	'domainIdentityId',
	'ownerId',
	'createdAt',
	'id',
] as const satisfies ReadonlyArray<keyof Identity>;

/** The output for an identity with Simplify on. */
export function simplifyIdentity(
	identity: Identity,
): Pick<Identity, (typeof SIMPLIFIED_FIELDS)[number]> {
	return pickFields(identity, SIMPLIFIED_FIELDS);
}
