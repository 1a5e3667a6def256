import { toIdentity, type Identity } from '../../api/resources';
import { identityLocator, readIdentityId } from '../../shared/fields';
import type { Operation } from '../operation';
import { outputOf, pickFields, simplifyField } from '../simplify';

/** The simplified output, the most important fields first. */
export const IDENTITY_FIELDS = [
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

export const simplifyIdentity = (identity: Identity): object =>
	pickFields(identity, IDENTITY_FIELDS);

/** Contract, `GET /identities/{id}`. */
export const getIdentity: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get an address or domain',
	action: 'Get identity',
	fields: [identityLocator, simplifyField],
	async execute({ context, service }, itemIndex) {
		const id = readIdentityId(context, itemIndex);
		const toOutput = outputOf(context, itemIndex, (entry) => simplifyIdentity(toIdentity(entry)));
		return [toOutput(await service.getIdentity(id))];
	},
};
