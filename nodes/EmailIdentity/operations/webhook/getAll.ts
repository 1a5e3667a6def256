import type { INodeProperties } from 'n8n-workflow';

import { readId, type Webhook } from '../../api/data/resources';
import { maskUrlSecret } from '../../api/failures/redaction';
import { DEFAULT_EVENT, EVENT_OPTIONS } from '../../shared/webhooks';
import { inLowerCase, getMany, getManyFields, type Listing } from '../getMany';
import { optionsOf } from '../output';
import type { Operation } from '../operation';
import { simplifyWebhookField, toMaskedWebhook, webhookOutput } from './webhookOutput';

const webhookFilters: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		options: EVENT_OPTIONS,
		default: DEFAULT_EVENT,
		description: 'Return only webhooks for this event',
	},
	{
		displayName: 'Identity ID',
		name: 'identityId',
		type: 'string',
		default: '',
		description: 'Return only webhooks that are restricted to this identity',
	},
	{
		displayName: 'State',
		name: 'state',
		type: 'options',
		options: optionsOf(['active', 'paused']),
		default: 'active',
		description: 'Whether to return active or paused webhooks',
	},
	{
		displayName: 'URL Contains',
		name: 'urlContains',
		type: 'string',
		default: '',
		description:
			'Text that the URL must contain, not case-sensitive. Values in its query are not searched.',
	},
];

const WEBHOOKS: Listing<Webhook> = {
	list: async (service) => await service.listWebhooks(),
	toShape: toMaskedWebhook,
	tests: {
		event({ events }, [event = '']) {
			return events.map(inLowerCase).includes(event);
		},
		identityId({ identityId }, [given = '']) {
			return inLowerCase(identityId) === inLowerCase(readId(given));
		},
		state({ enabled }, [state]) {
			// A webhook whose state is unknown is neither active nor paused.
			return enabled === (state === 'active');
		},
		urlContains({ url }, [part = '']) {
			// Both are masked. Otherwise the secret could be guessed character by character.
			return inLowerCase(url).includes(maskUrlSecret(part));
		},
	},
};

/** Contract, `GET /webhooks`. */
export const getManyWebhooks: Operation = {
	name: 'Get Many',
	value: 'getAll',
	description: 'Get a list of webhooks',
	action: 'Get many webhooks',
	fields: getManyFields({
		filters: webhookFilters,
		sortable: ['createdAt', 'description', 'updatedAt', 'url'],
		simplify: simplifyWebhookField,
	}),
	output: webhookOutput,
	execute: async (item) => await getMany(item, WEBHOOKS),
};
