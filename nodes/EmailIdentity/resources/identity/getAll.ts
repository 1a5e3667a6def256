import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { toIdentity } from '../../api/fields';
import type { Identity } from '../../api/types';
import { limitField, readLimit, returnAllField } from '../fields/listing';
import { isSimplified, simplifyField } from '../fields/simplify';
import { sortAsAsked, sortingField } from '../fields/sorting';
import type { Session } from '../session';
import { domainOf } from './domain';
import { IDENTITY_KINDS, IDENTITY_STATUSES } from './vocabulary';

export const description: INodeProperties[] = [
	returnAllField,
	limitField,
	simplifyField,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
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
				description:
					'Text that the address or domain must contain; upper and lower case are the same',
			},
		],
	},
	/* @__PURE__ */ sortingField([
		{ name: 'Created At', value: 'createdAt' },
		{ name: 'Kind', value: 'kind' },
		{ name: 'Status', value: 'status' },
		{ name: 'Updated At', value: 'updatedAt' },
		{ name: 'Value', value: 'value' },
	]),
];

interface Filters {
	domain?: string;
	kind?: string;
	status?: string[] | string;
	valueContains?: string;
}

const lower = (text: unknown): string =>
	String(text ?? '')
		.trim()
		.toLowerCase();

/** One test for each filter; a filter that is left empty lets everything pass. */
const TESTS: { [Filter in keyof Filters]-?: (identity: Identity, wanted: string[]) => boolean } = {
	domain: (identity, [domain]) => domainOf(identity) === domain?.replace(/^@/, ''),
	kind: (identity, wanted) => wanted.includes(lower(identity.kind)),
	status: (identity, wanted) => wanted.includes(lower(identity.status)),
	valueContains: (identity, [part = '']) => lower(identity.value).includes(part),
};

/** One test of all filters that are set, put together once for the whole list. */
function testOf(filters: Filters): (identity: Identity) => boolean {
	const tests = Object.entries(TESTS).flatMap(([name, test]) => {
		const wanted = [filters[name as keyof Filters] ?? []].flat().map(lower).filter(Boolean);
		return wanted.length === 0 ? [] : [(identity: Identity) => test(identity, wanted)];
	});
	return (identity) => tests.every((test) => test(identity));
}

/** The identities of the account (contract, `GET /identities`); filtered and sorted here, as the API does neither. */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	const { context, service } = session;
	const passes = testOf(context.getNodeParameter('filters', itemIndex, {}) as Filters);
	const limit = readLimit(context, itemIndex);
	const simplified = isSimplified(context, itemIndex);
	const entries = await service.listIdentities();
	const found = entries
		.map((entry) => ({ entry, identity: toIdentity(entry) }))
		.filter(({ identity }) => passes(identity));
	return sortAsAsked(context, itemIndex, found, ({ identity }) => identity)
		.slice(0, limit)
		.map(({ entry, identity }) => (simplified ? (identity as unknown as IDataObject) : entry));
}
