import type { INodeProperties } from 'n8n-workflow';

import { toIdentity, type Identity } from '../../api/data/resources';
import { inLowerCase, getMany, getManyFields, type Listing } from '../getMany';
import { optionsOf } from '../output';
import type { Operation } from '../operation';
import { identityDomain } from '../identitySetup';
import { identityOutput } from './get';

const identityFilters: INodeProperties[] = [
	{
		displayName: 'Domain',
		name: 'domain',
		type: 'string',
		default: '',
		placeholder: 'e.g. example.com',
		description: 'Return only this domain and its addresses',
	},
	{
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		options: [
			{ name: 'Domain', value: 'domain' },
			{ name: 'Email Address', value: 'email' },
		],
		default: 'email',
		description: 'Whether to return addresses or domains',
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'multiOptions',
		// Seen in services. The API allows others.
		options: optionsOf(['failed', 'pending', 'unverified', 'verified']),
		default: [],
		description: 'Return only identities with one of these statuses',
	},
	{
		displayName: 'Value Contains',
		name: 'valueContains',
		type: 'string',
		default: '',
		description: 'Text that the address or domain must contain, not case-sensitive',
	},
];

const IDENTITIES: Listing<Identity> = {
	list: async (service) => await service.listIdentities(),
	toShape: toIdentity,
	tests: {
		domain(identity, [domain = '']) {
			return identityDomain(identity) === domain.replace(/^@/, '');
		},
		kind({ kind }, wanted) {
			return wanted.includes(inLowerCase(kind));
		},
		status({ status }, wanted) {
			return wanted.includes(inLowerCase(status));
		},
		valueContains({ value }, [part = '']) {
			return inLowerCase(value).includes(part);
		},
	},
};

/** Contract, `GET /identities`. */
export const getManyIdentities: Operation = {
	name: 'Get Many',
	value: 'getAll',
	description: 'Get many addresses and domains',
	action: 'Get many identities',
	fields: getManyFields({
		filters: identityFilters,
		sortable: ['createdAt', 'displayName', 'kind', 'status', 'value'],
	}),
	output: identityOutput,
	execute: async (item) => await getMany(item, IDENTITIES),
};
