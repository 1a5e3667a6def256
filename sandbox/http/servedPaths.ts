import type { Dialect } from '../dialects/dialect';

const always = [/^\/me\/?$/, /^\/identities\/?$/, /^\/identities\/[^/]+\/?$/];
const webhooks = [/^\/webhooks\/?$/, /^\/webhooks\/[^/]+\/?$/];

const messages: Record<Dialect['messageRoutes'], RegExp[]> = {
	none: [],
	single: [/^\/messages\/[^/]+\/?$/],
	singleAndList: [/^\/messages\/[^/]+\/?$/, /^\/messages\/?$/],
};

/** The paths that exist, whatever the method, relative to the base URL. */
export function servedPaths({ messageRoutes }: Pick<Dialect, 'messageRoutes'>): RegExp[] {
	return [...always, ...webhooks, ...messages[messageRoutes]];
}
