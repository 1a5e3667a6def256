import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { toIdentity } from '../../api/resources';
import type { Identity } from '../../api/types';
import { foldCase, getMany, getManyFields, type Listing } from '../getMany';
import type { Session } from '../operation';
import { domainOf, IDENTITY_KINDS, IDENTITY_STATUSES } from './kindsAndStatuses';
import { simplifyIdentity } from './simplified';

const filterFields: INodeProperties[] = [
	{
		displayName: 'Domain',
		name: 'domain',
		type: 'string',
		default: '',
		placeholder: 'e.g. example.com',
		description: 'Only this domain itself and the addresses at it',
	},
	{
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		options: IDENTITY_KINDS,
		default: 'email',
		description: 'Whether to return addresses or domains',
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'multiOptions',
		options: IDENTITY_STATUSES,
		default: [],
		description: 'Only identities in one of these states',
	},
	{
		displayName: 'Value Contains',
		name: 'valueContains',
		type: 'string',
		default: '',
		description: 'Text that the address or domain must contain; upper and lower case are the same',
	},
];

const IDENTITIES: Listing<Identity> = {
	list: async (service) => await service.listIdentities(),
	toShape: toIdentity,
	toOutput: simplifyIdentity,
	tests: {
		domain: (identity, [domain]) => domainOf(identity) === domain?.replace(/^@/, ''),
		kind: ({ kind }, wanted) => wanted.includes(foldCase(kind)),
		status: ({ status }, wanted) => wanted.includes(foldCase(status)),
		valueContains: ({ value }, [part = '']) => foldCase(value).includes(part),
	},
};

export const description: INodeProperties[] = getManyFields(filterFields, [
	{ name: 'Created At', value: 'createdAt' },
	{ name: 'Display Name', value: 'displayName' },
	{ name: 'Kind', value: 'kind' },
	{ name: 'Status', value: 'status' },
	{ name: 'Value', value: 'value' },
]);

/** The identities of the account (contract, `GET /identities`). */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	return await getMany(session, itemIndex, IDENTITIES);
}
