import { parseUrl } from '../lib/hosts';
import { isObject, plainName } from './json';
import type { ApiResponse } from './sendRequest';
import type { Entry } from './types';

/** One page of a list: what it holds, and everything that may say that there is more. */
export interface Page {
	entries: Entry[];
	/** The objects around the list, from the outside in. */
	envelopes: Entry[];
	response: ApiResponse;
}

/** A list that long is a loop. */
const MOST_PAGES = 1000;

/** So many pages one after another that bring nothing new are a loop, too. */
const MOST_BARREN_PAGES = 3;

/** The names that services use, as {@link plainName} writes them. */
const NAMES = {
	/** They hold an address or say nothing of it. */
	next: [
		'next',
		'nextpage',
		'nexturl',
		'nexturi',
		'nexthref',
		'nextlink',
		'nextpageurl',
		'odatanextlink',
		'nextcursor',
		'nexttoken',
		'nextpagetoken',
		'nextoffset',
		'continuationtoken',
	],
	hasMore: [
		'hasmore',
		'more',
		'hasnext',
		'hasnextpage',
		'moreavailable',
		'istruncated',
		'truncated',
	],
	isLast: ['last', 'islast', 'islastpage'],
	total: [
		'total',
		'count',
		'totalcount',
		'totalitems',
		'totalelements',
		'totalresults',
		'totalrecords',
	],
	pages: ['pages', 'totalpages', 'pagecount', 'lastpage', 'numpages'],
} as const;

/** Where these may stand, beside the list itself. */
const CONTAINERS: ReadonlySet<string> = new Set([
	'meta',
	'metadata',
	'pagination',
	'paging',
	'page',
	'pageinfo',
	'links',
	'cursors',
	'responsemetadata',
]);

const DEEPEST_CONTAINER = 3;

/** Headers that say the same, by the name that they would have in a body. */
const HEADERS: ReadonlyArray<[header: string, name: string]> = [
	['x-total-count', 'total'],
	['x-total', 'total'],
	['x-total-items', 'total'],
	['total-count', 'total'],
	['x-total-pages', 'totalpages'],
	['x-next-page', 'next'],
	['x-next-cursor', 'nextcursor'],
	['x-has-more', 'hasmore'],
];

/** Something that says how long a list is or where it goes on: its plain name, its own name, its value. */
type Mark = [name: string, shown: string, value: unknown];

/**
 * Reads a list to its end, page by page, within one origin.
 *
 * @param read fetches the page at an address, the first one without
 * @param origin the only one that further pages are fetched from
 * @param fail makes the error for a list that cannot be read whole, out of a sentence that says why
 * @throws what `fail` made when there is more than can be fetched, or the pages lead round in a circle
 */
export async function readPages(
	read: (address?: string) => Promise<Page>,
	origin: string,
	fail: (problem: string) => Error,
): Promise<Entry[]> {
	const visited = new Set<string>();
	const known = new Set<unknown>();
	const entries: Entry[] = [];
	let barren = 0;
	for (let next: string | undefined; ;) {
		const page = await read(next);
		visited.add(page.response.url);
		// What moved from one page to the next while they were read comes twice.
		const fresh = page.entries.filter((entry) => !known.has(idOf(entry)));
		for (const entry of fresh) entries.push(entry);
		for (const entry of fresh) known.add(idOf(entry));

		const marks = marksOf(page);
		const address = nextAddress(page, marks);
		if (address === undefined) {
			const mark = unfinishedBy(page, marks, entries.length, visited.size);
			if (mark === undefined) return entries;
			throw fail(
				`It says that there is more (${mark}), but not at which address. So far it sent ${entries.length}.`,
			);
		}
		if (address.origin !== origin) throw fail(`It goes on at another address, ${address.origin}.`);
		barren = fresh.length === 0 ? barren + 1 : 0;
		const isTooMany = barren === MOST_BARREN_PAGES || visited.size === MOST_PAGES;
		if (isTooMany || visited.has(address.href)) {
			throw fail('Its pages lead round in a circle.');
		}
		next = address.href;
	}
}

/** A part of something that is no list (RFC 9110, section 15.3.7). */
export function isPartial({ status, headers }: ApiResponse): boolean {
	if (status !== 206) return false;
	const range = readRange(headers['content-range']);
	return range === undefined || range.begin > 0 || range.end + 1 < range.total;
}

/**
 * Finds the address of the next page in a `Link` header (RFC 8288, section 3).
 *
 * @param header all `Link` headers of the answer, joined by commas
 * @param base the address that answered, for relative links
 * @returns undefined when there is no link with `rel="next"`
 */
export function readNextLink(header: string | undefined, base: string): URL | undefined {
	for (const [, target = '', parameters = ''] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
		const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? [];
		const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
		if (relations.includes('next')) return parseUrl(target, base);
	}
	return undefined;
}

function nextAddress({ response }: Page, marks: readonly Mark[]): URL | undefined {
	const link = readNextLink(response.headers.link, response.url);
	if (link) return link;
	return marks
		.filter(([name]) => isOneOf('next', name))
		.map(([, , value]) => toAddress(value, response.url))
		.find((address) => address !== undefined);
}

/** @returns what says that there is more, as it was written; undefined when nothing does */
function unfinishedBy(
	{ response }: Page,
	marks: readonly Mark[],
	count: number,
	pages: number,
): string | undefined {
	const isMore = ([name, , value]: Mark): boolean =>
		(isOneOf('next', name) && isFilled(value)) ||
		(isOneOf('hasMore', name) && /^(true|1|yes)$/i.test(String(value))) ||
		(isOneOf('isLast', name) && /^false$/i.test(String(value))) ||
		(isOneOf('total', name) && Number(value) > count) ||
		(isOneOf('pages', name) && Number(value) > pages);
	const mark = marks.find(isMore);
	if (mark) return mark[1];
	const range = readRange(response.headers['content-range']);
	if (range) return range.total > count ? 'content-range' : undefined;
	return response.status === 206 ? 'status 206' : undefined;
}

function marksOf({ envelopes, response }: Page): Mark[] {
	const fromHeaders = HEADERS.filter(([header]) => response.headers[header] !== undefined).map(
		([header, name]): Mark => [name, header, response.headers[header]],
	);
	return [...fromHeaders, ...envelopes.flatMap((envelope) => marksIn(envelope, DEEPEST_CONTAINER))];
}

function marksIn(envelope: Entry, depth: number): Mark[] {
	return Object.entries(envelope).flatMap(([shown, value]): Mark[] => {
		const name = plainName(shown);
		if (!CONTAINERS.has(name)) return [[name, shown, value]];
		if (Array.isArray(value)) return linksIn(value);
		return isObject(value) && depth > 0 ? marksIn(value, depth - 1) : [];
	});
}

/** `[{rel: 'next', href}]`. */
function linksIn(links: unknown[]): Mark[] {
	return links
		.filter(isObject)
		.filter(({ rel }) => rel === 'next')
		.map((link): Mark => ['next', 'next', link]);
}

/** An address as text or as `{href}`; a cursor or a page number is none. */
function toAddress(value: unknown, base: string): URL | undefined {
	const text = isObject(value) ? (value.href ?? value.url) : value;
	if (typeof text !== 'string' || !/^(?:https?:\/\/|[/?])|\?/i.test(text.trim())) return undefined;
	return parseUrl(text.trim(), base);
}

function isFilled(value: unknown): boolean {
	if (isObject(value)) return Object.values(value).some(isFilled);
	return Array.isArray(value)
		? value.length > 0
		: !!value && !/^(0|false|null)$/i.test(String(value));
}

function readRange(header = ''): { begin: number; end: number; total: number } | undefined {
	const [, begin, end, total] =
		/^\s*[a-z]+\s+(\d{1,15})-(\d{1,15})\/(\d{1,15})\s*$/i.exec(header) ?? [];
	return total === undefined
		? undefined
		: { begin: Number(begin), end: Number(end), total: Number(total) };
}

function idOf(entry: Entry): unknown {
	return entry.id ?? entry._id;
}

function isOneOf(kind: keyof typeof NAMES, name: string): boolean {
	return (NAMES[kind] as readonly string[]).includes(name);
}
