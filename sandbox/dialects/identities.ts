import type { StoredIdentity } from '../types';
import type { Dialect } from './dialect';
import { presentJson } from './json';
import { omit, presentNames } from './names';
import { presentTimes } from './timestamps';

/** An address that the service does not receive for by itself: it hangs on a domain, or an account is read. */
const isBorrowed = ({ kind, domainIdentityId, providerId, smtpAccountId }: StoredIdentity) =>
	kind === 'email' && [domainIdentityId, providerId, smtpAccountId].some((id) => id !== null);

const statusRules: Record<Dialect['verifies'], (identity: StoredIdentity) => string> = {
	all: ({ status }) => status,
	ownAddresses: (identity) => (isBorrowed(identity) ? 'unverified' : identity.status),
};

/** An identity as answers carry it (contract, section 2.2). */
export function presentIdentity(
	identity: StoredIdentity,
	dialect: Dialect,
): Record<string, unknown> {
	const { meta, dnsRecords, displayName, sharedWithWorkspace, workspaceId, ...rest } = identity;
	const emptyMeta = dialect.emptyMeta === 'null' ? null : {};
	return presentNames(
		{
			...omit(rest, ['members']),
			status: statusRules[dialect.verifies](identity),
			dnsRecords: presentJson(dnsRecords, dialect),
			[dialect.metaField]: presentJson(meta ?? emptyMeta, dialect),
			...(dialect.extraFields && { displayName, sharedWithWorkspace, workspaceId }),
			...presentTimes(identity, dialect),
		},
		dialect.fieldNames,
	);
}
