import { toIdentity, type Identity } from '../../api/resources';
import { identityLocator, readIdentityId } from '../../shared/fields';
import type { Operation, Session } from '../operation';
import { outputOf, pickFields, simplifyField, type ToOutput } from '../simplify';

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

export const identityOutput = ({ context }: Session, itemIndex: number): ToOutput =>
	outputOf(context, itemIndex, (entry) => pickFields(toIdentity(entry), IDENTITY_FIELDS));

/** Contract, `GET /identities/{id}`. */
export const getIdentity: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get an address or domain',
	action: 'Get identity',
	fields: [identityLocator, simplifyField],
	async execute(session, itemIndex) {
		const id = readIdentityId(session.context, itemIndex);
		const toOutput = identityOutput(session, itemIndex);
		return [toOutput(await session.service.getIdentity(id))];
	},
};
