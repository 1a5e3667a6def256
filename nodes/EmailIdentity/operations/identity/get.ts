import { toIdentity, type Identity } from '../../api/data/resources';
import { simplifyField } from '../../shared/editor/fields';
import { identityLocator } from '../../shared/editor/locators';
import { readChosenIdentity } from '../chosenIdentity';
import type { Operation, OperationOutput } from '../operation';
import { pickFields } from '../output';

const IDENTITY_FIELDS = [
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

export const identityOutput: OperationOutput = {
	fields: IDENTITY_FIELDS,
	simplify: (entry) => pickFields(toIdentity(entry), IDENTITY_FIELDS),
};

/** Contract, `GET /identities/{id}`. */
export const getIdentity: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get an address or domain',
	action: 'Get identity',
	fields: [identityLocator, simplifyField],
	output: identityOutput,
	async execute(item) {
		const id = await readChosenIdentity(item, identityLocator);
		const identity = await item.service.getIdentity(id);
		return [identity];
	},
};
