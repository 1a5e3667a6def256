import type { Dialect } from './dialect';
import { observed } from './observed';

/** A fork of the observed service, as its source has it: what it does differently. */
export const fork: Dialect = {
	...observed,
	name: 'fork',
	restrictsKeys: true,
	listsWorkspaceOnly: true,
	foreignRestriction: 403,
	missingRestrictionStatus: 403,
	messageRoutes: 'singleAndList',
	messageAnswer: 'reading',
	messageByPublicId: true,
	foreignMessageStatus: 404,
	deliversTo: 'readers',
	deliveryOrder: 'parallel',
	repeatsAfterCrash: false,
	deliveryTimeout: 15_000,
	followsRedirects: false,
	deliveryContentType: 'application/json',
	deliveryUserAgent: 'Kurrier-Webhooks',
	deliveryHeaders: { 'x-kurrier-event': 'message.received' },
};
