import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

/** Measured with 500 messages at 20 ms each: fewer leave n8n waiting, more gain little and trouble the service. */
const DEFAULT_BOUND = 100;

export const concurrencyOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	// These send one request, however many items there are.
	displayOptions: { hide: { resource: ['user'], operation: ['audit', 'getAll'] } },
	options: [
		{
			displayName: 'Max Concurrent Requests',
			name: 'maxConcurrentRequests',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_BOUND,
			description:
				'How many requests may be under way at the same time when there are many items. Lower it for a service that refuses many at once.',
		},
	],
};

/** How many requests may be under way at a time: a whole number of at least 1, the same for all items. */
export function readConcurrency(context: IExecuteFunctions): number {
	const options = context.getNodeParameter('options', 0, {}) as { maxConcurrentRequests?: unknown };
	const bound = Math.floor(Number(options.maxConcurrentRequests ?? DEFAULT_BOUND));
	return bound >= 1 ? bound : 1;
}
