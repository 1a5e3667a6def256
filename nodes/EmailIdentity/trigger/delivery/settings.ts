import type { IWebhookFunctions } from 'n8n-workflow';

import { DEFAULT_EVENT, type EventName } from '../../shared/events';

/** The filters of the trigger; one that is not set lets everything through. */
export interface Filters {
	/** Addresses, domains and patterns, separated by commas, blanks or lines. */
	from?: string;
	to?: string;
	subject?: string;
	hasAttachments?: boolean;
}

/** What the node's parameters say about deliveries. */
export interface DeliverySettings {
	event: EventName;
	simplify: boolean;
	downloadAttachments: boolean;
	filters: Filters;
	attachmentPrefix: string;
	includeHeaders: boolean;
	includeRawEmail: boolean;
	ignoreDuplicates: boolean;
	verify: boolean;
}

type Options = Partial<
	Pick<
		DeliverySettings,
		'attachmentPrefix' | 'includeHeaders' | 'includeRawEmail' | 'ignoreDuplicates' | 'verify'
	>
>;

/** Reads the node's parameters, see `../parameters.ts` for their names and defaults. */
export function readSettings(context: IWebhookFunctions): DeliverySettings {
	const simplify = context.getNodeParameter('simplify', true) as boolean;
	const options = context.getNodeParameter('options', {}) as Options;
	return {
		event: context.getNodeParameter('event', DEFAULT_EVENT) as EventName,
		simplify,
		downloadAttachments: simplify
			? (context.getNodeParameter('downloadAttachments', true) as boolean)
			: false,
		filters: context.getNodeParameter('filters', {}) as Filters,
		attachmentPrefix: options.attachmentPrefix ?? 'attachment_',
		includeHeaders: options.includeHeaders ?? false,
		includeRawEmail: options.includeRawEmail ?? false,
		ignoreDuplicates: options.ignoreDuplicates ?? true,
		verify: options.verify ?? false,
	};
}
