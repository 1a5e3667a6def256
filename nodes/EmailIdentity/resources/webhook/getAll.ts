import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { toWebhook } from '../../api/fields';
import { readUuid } from '../../api/identifiers';
import type { Webhook } from '../../api/types';
import { limitField, readLimit, returnAllField } from '../fields/listing';
import { isSimplified, simplifyField } from '../fields/simplify';
import { sortAsAsked, sortingField } from '../fields/sorting';
import type { Session } from '../session';
import { EVENT_OPTIONS } from './events';

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
				displayName: 'Event',
				name: 'event',
				type: 'options',
				options: EVENT_OPTIONS,
				default: 'message.received',
				description: 'Only webhooks that are subscribed to this event',
			},
			{
				displayName: 'Identity ID',
				name: 'identityId',
				type: 'string',
				default: '',
				description: 'Only webhooks that are restricted to this identity',
			},
			{
				displayName: 'State',
				name: 'state',
				type: 'options',
				options: [
					{ name: 'Active', value: 'active' },
					{ name: 'Paused', value: 'paused' },
				],
				default: 'active',
				description: 'Whether to return webhooks that are active or paused',
			},
			{
				displayName: 'URL Contains',
				name: 'urlContains',
				type: 'string',
				default: '',
				description: 'Text that the URL must contain; upper and lower case are the same',
			},
		],
	},
	/* @__PURE__ */ sortingField([
		{ name: 'Created At', value: 'createdAt' },
		{ name: 'Description', value: 'description' },
		{ name: 'Updated At', value: 'updatedAt' },
		{ name: 'URL', value: 'url' },
	]),
];

interface Filters {
	event?: string;
	identityId?: string;
	state?: string;
	urlContains?: string;
}

/** One test for each filter; a filter that is left empty lets everything pass. */
const TESTS: { [Filter in keyof Filters]-?: (webhook: Webhook, wanted: string) => boolean } = {
	event: ({ events }, wanted) => events.includes(wanted),
	identityId: ({ identityId }, wanted) =>
		identityId?.toLowerCase() === (readUuid(wanted) ?? wanted.toLowerCase()),
	state: ({ enabled }, wanted) => (enabled ? 'active' : 'paused') === wanted,
	urlContains: ({ url }, wanted) => url.toLowerCase().includes(wanted.toLowerCase()),
};

function passes(webhook: Webhook, filters: Filters): boolean {
	return Object.entries(TESTS).every(([name, test]) => {
		const wanted = String(filters[name as keyof Filters] ?? '').trim();
		return wanted === '' || test(webhook, wanted);
	});
}

/** The subscriptions of the account (contract, `GET /webhooks`); filtered and sorted here, as the API does neither. */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	const { context, service } = session;
	const filters = context.getNodeParameter('filters', itemIndex, {}) as Filters;
	const limit = readLimit(context, itemIndex);
	const simplified = isSimplified(context, itemIndex);
	const entries = await service.listWebhooks();
	const found = entries
		.map((entry) => ({ entry, webhook: toWebhook(entry) }))
		.filter(({ webhook }) => passes(webhook, filters));
	return sortAsAsked(context, itemIndex, found, ({ webhook }) => webhook)
		.slice(0, limit)
		.map(({ entry, webhook }) => (simplified ? { ...webhook } : entry));
}
