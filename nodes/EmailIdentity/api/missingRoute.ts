import { readMessages } from './errorReport';

/** The service knows the path, but not what was asked of it. */
const NOT_OFFERED: ReadonlySet<number> = new Set([405, 501]);

/**
 * How web frameworks begin to say that they have no such route: h3 (Kurrier 3.5.0), Fastify, Express, Kong, Rails.
 * In lower case.
 */
const NO_ROUTE = [
	'cannot find any route matching',
	'cannot find any path matching',
	'route get:',
	'cannot get /',
	'no route match',
];

/**
 * Whether an answer says that this version of the service has no such route at all, and not that the entry asked for is
 * missing: an API that knows the route says so in its own words (a fork of Kurrier: `MESSAGE_NOT_FOUND`).
 *
 * @param text the body; the path that it may repeat is chosen by us
 * @returns false in doubt
 */
export function saysMissingRoute(status: number, text: string): boolean {
	if (NOT_OFFERED.has(status)) return true;
	if (status !== 404) return false;
	const said = readMessages(text).map((message) => message.trim().toLowerCase());
	return said.some((message) => NO_ROUTE.some((words) => message.startsWith(words)));
}
