import { parseUrl, toUrl } from '../../../lib/basics';
import { isObject, SERVICE_LIMITS, type Entry } from './json';
import type { ApiResponse, Subject } from './request';
import { isId } from './resources';
import { INCOMPLETE, isFilled, openEnvelopes, unreadable, type Unusable } from './responses';

export interface Page {
	entries: Entry[];
	marks: Mark[];
	response: ApiResponse;
}

/** A missing list is never an empty one. */
export function readPage(response: ApiResponse, subject: Subject): Page | Unusable {
	const layers = openEnvelopes(response.text, subject);
	if ('problem' in layers) return layers;
	const entries = layers.at(-1);
	return Array.isArray(entries) && entries.every((entry) => isObject(entry) && isId(entry.id))
		? { entries, marks: layers.filter(isObject).flatMap(marksIn), response }
		: unreadable(response.text);
}

/** @param read fetches the page at a URL, or the first page */
export async function readPages(
	read: (address?: string) => Promise<Page | Unusable>,
	limits = SERVICE_LIMITS,
): Promise<Entry[] | Unusable> {
	const entries = new Map<unknown, Entry>();
	let length = 0;
	let next: string | undefined;
	for (let pages = 1; ; pages++) {
		const page = await read(next);
		if ('problem' in page) return page;
		length += page.response.text.length;
		const before = entries.size;
		// An entry may move to the next page between two requests and appear twice.
		for (const entry of page.entries) if (!entries.has(entry.id)) entries.set(entry.id, entry);
		const received = `Entries received: ${entries.size}`;
		const address = nextAddress(page);
		if (address === undefined) {
			const mark = unfinishedBy(page, entries.size);
			if (mark === undefined) return [...entries.values()];
			return incomplete(
				`The response says that there are more entries (${mark}), but not at which URL. ${received}.`,
			);
		}
		if (address.origin !== toUrl(page.response.url).origin) {
			return incomplete(`The next page is at a different address, ${address.origin}.`);
		}
		if (entries.size === before) return incomplete('The pages of the list repeat.');
		if (entries.size > limits.entries || length > limits.list || pages === limits.pages) {
			return incomplete(`The list is too long. ${received} in ${pages} pages.`);
		}
		next = address.href;
	}
}

const incomplete = (detail: string): Unusable => ({ problem: { ...INCOMPLETE, detail } });

/** A field beside a list with its length or the next page. */
type Mark = [name: string, value: unknown];

const NEXT = /^next(?:_?(?:page|url|uri|link|cursor|token|offset))*$/i;
const HAS_MORE = /^has_?(?:more|next|next_?page)$/i;
const TOTAL = /^total(?:_?count)?$/i;

const CONTAINER = /^_?(?:meta|pagination|paging|page_?info|links)$/i;

function marksIn(envelope: Entry): Mark[] {
	return Object.entries(envelope).flatMap(([name, value]): Mark[] =>
		CONTAINER.test(name) && isObject(value) ? Object.entries(value) : [[name, value]],
	);
}

function nextAddress({ marks, response: { headers, url } }: Page): URL | undefined {
	const named = marks.filter(([name]) => NEXT.test(name)).map(([, value]) => toAddress(value, url));
	const [, linked] = /<([^<>]*)>/.exec(nextLink(headers.link) ?? '') ?? [];
	const addresses = [linked === undefined ? undefined : parseUrl(linked, url), ...named];
	return addresses.find((address) => address !== undefined);
}

/** @param header all `Link` headers (RFC 8288, section 3) of the response, joined by commas */
const nextLink = (header = ''): string | undefined =>
	header.split(/,\s*(?=<)/).find((link) => /;\s*rel\s*=[^;]*\bnext(?![\w-])/i.test(link));

/** Reads a URL from text or `{href}`; cursors and page numbers are not URLs. */
function toAddress(value: unknown, base: string): URL | undefined {
	const text = isObject(value) ? value.href : value;
	const isAddress = typeof text === 'string' && /^(?:https?:\/\/|[/?])/i.test(text);
	return isAddress ? parseUrl(text, base) : undefined;
}

function unfinishedBy({ marks, response }: Page, count: number): string | undefined {
	if (response.status === 206) return 'status 206';
	if (nextLink(response.headers.link) !== undefined) return 'Link';
	const isOpen = ([name, value]: Mark) =>
		(NEXT.test(name) && isFilled(value)) ||
		(HAS_MORE.test(name) && value === true) ||
		(TOTAL.test(name) && Number(value) > count);
	return marks.find(isOpen)?.[0];
}
