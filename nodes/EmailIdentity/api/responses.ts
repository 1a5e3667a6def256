import { parseUrl } from '../lib/hosts';
import { isObject, plainName } from './json';
import { hasRawEmailBeside } from './messages';
import { isId, readField } from './resources';
import type { ApiResponse, Entry, Subject } from './types';

/** What is expected, for the sentence about an answer that is something else. */
const EXPECTED: Readonly<Record<Subject, string>> = {
	user: 'a user ID',
	identity: 'an identity with an ID',
	message: 'a message with an ID',
	webhook: 'a webhook with an ID',
	identities: 'a list of identities, each with an ID',
	webhooks: 'a list of webhooks, each with an ID',
};

/** No deployment was seen to go deeper than an envelope in an envelope. */
const MAX_ENVELOPES = 2;

/**
 * What was found in a body: the thing itself, or a sentence that says what was expected instead. `isFailure` tells that the
 * body reports a failure, whatever the status says.
 */
export type Unwrapped<T> = T | { problem: string; isFailure: boolean };

/** A body that reports a failure. */
const FAILURE = Symbol('failure');

/** Finds the one resource in a body: bare, in `{data}`, or under its own name. */
export function unwrapObject(body: unknown, subject: Subject): Unwrapped<{ value: Entry }> {
	const found = findObject(body, subject, MAX_ENVELOPES);
	return isObject(found) ? { value: found } : toProblem(subject, body, found === FAILURE);
}

/**
 * Finds the list in a body: bare, in an envelope, or under one well-known key.
 *
 * @returns the list and the envelopes around it, from the outside in
 */
export function unwrapList(
	body: unknown,
	subject: Subject,
): Unwrapped<{ value: Entry[]; envelopes: Entry[] }> {
	const envelopes: Entry[] = [];
	const found = findList(body, subject, MAX_ENVELOPES, envelopes);
	const isList = Array.isArray(found) && found.length <= MAX_ENTRIES;
	return isList && found.every((entry) => isObject(entry) && isId(entry.id))
		? { value: found as Entry[], envelopes }
		: toProblem(subject, body, found === FAILURE);
}

function findObject(
	body: unknown,
	subject: Subject,
	depth: number,
): Entry | typeof FAILURE | undefined {
	if (!isObject(body)) return undefined;
	if (reportsFailure(body, subject)) return FAILURE;
	const inner = [body.data, body[subject]].filter(isObject);
	const found =
		inner.length === 1 && depth > 0 ? findObject(inner[0], subject, depth - 1) : undefined;
	if (found === undefined) return isIdentified(body, subject) ? body : undefined;
	const isDelivery = subject === 'message' && found !== FAILURE && hasRawEmailBeside(body);
	return isDelivery ? body : found;
}

function findList(
	body: unknown,
	subject: Subject,
	depth: number,
	envelopes: Entry[],
): unknown[] | typeof FAILURE | undefined {
	if (Array.isArray(body)) return body;
	if (!isObject(body)) return undefined;
	if (reportsFailure(body, subject)) return FAILURE;
	if (depth === 0) return undefined;
	envelopes.push(body);
	const values = [body.data, body.items, body.results, body[subject]];
	const lists = values.filter(Array.isArray);
	if (lists.length === 1) return lists[0];
	const objects = values.filter(isObject);
	if (lists.length > 1 || objects.length !== 1) return undefined;
	return findList(objects[0], subject, depth - 1, envelopes);
}

function isIdentified(body: Entry, subject: Subject): boolean {
	return isId(body.id) || (subject === 'user' && isId(readField(body, 'userId')));
}

/** Some services report a failure with status 200. A resource may have errors of its own, those of a delivery, say. */
function reportsFailure(body: Entry, subject: Subject): boolean {
	const { success, ok, error, errors } = body;
	if (success === false || ok === false || error === true) return true;
	return !isIdentified(body, subject) && [error, errors].some(isFilled);
}

function isFilled(value: unknown): boolean {
	if (isObject(value)) return Object.values(value).some(isFilled);
	return Array.isArray(value) ? value.length > 0 : !!value;
}

function toProblem(subject: Subject, body: unknown, isFailure: boolean) {
	const shape = isFailure ? 'a report of failure' : describeShape(body);
	return { problem: `Expected ${EXPECTED[subject]}, but the answer was ${shape}.`, isFailure };
}

/** Names the shape only: the content may be private. */
function describeShape(body: unknown): string {
	if (body === null) return 'null';
	if (Array.isArray(body)) return `a list of ${body.length}`;
	if (isObject(body)) {
		return Object.keys(body).length === 0 ? 'an empty object' : 'an object without it';
	}
	return `a ${typeof body}`;
}

/** One page of a list, with the envelopes around it. */
export interface Page {
	entries: Entry[];
	envelopes: Entry[];
	response: ApiResponse;
}

/** An account has some hundred identities, the largest known list ten thousand. */
export const MAX_ENTRIES = 200_000;
export const MAX_PAGES = 1000;
/** Characters of all pages together. */
export const MAX_LIST_LENGTH = 128 * 1024 * 1024;

/** So many pages one after another that bring nothing new are a loop. */
const MAX_BARREN_PAGES = 3;

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
	const entries = new Map<unknown, Entry>();
	let length = 0;
	let barren = 0;
	for (let next: string | undefined; ;) {
		const page = await read(next);
		visited.add(page.response.url);
		length += page.response.text.length;
		const before = entries.size;
		// What moved from one page to the next while they were read comes twice.
		for (const entry of page.entries) if (!entries.has(entry.id)) entries.set(entry.id, entry);
		barren = entries.size === before ? barren + 1 : 0;

		const marks = [...page.envelopes].flatMap((envelope) => marksIn(envelope));
		const address = nextAddress(page.response, marks);
		if (address === undefined) {
			const mark = unfinishedBy(page.response, marks, entries.size);
			if (mark === undefined) return [...entries.values()];
			throw fail(
				`It says that there is more (${mark}), but not at which address. So far it sent ${entries.size}.`,
			);
		}
		if (address.origin !== origin) throw fail(`It goes on at another address, ${address.origin}.`);
		if (barren === MAX_BARREN_PAGES || visited.has(address.href)) {
			throw fail('Its pages lead round in a circle.');
		}
		if (entries.size > MAX_ENTRIES || length > MAX_LIST_LENGTH || visited.size === MAX_PAGES) {
			throw fail(`It is too long. So far it sent ${entries.size} in ${visited.size} pages.`);
		}
		next = address.href;
	}
}

/** Something beside a list that says how long it is or where it goes on. */
interface Mark {
	/** As `plainName` writes it. */
	plain: string;
	name: string;
	value: unknown;
}

const NEXT = /^next(?:page|url|uri|href|link|cursor|token|offset)*$/;
const HAS_MORE = /^has(?:more|next|nextpage)$/;
const TOTAL = /^total(?:count)?$/;

/** Where marks may stand, beside the list itself. */
const CONTAINER = /^(?:meta|metadata|pagination|paging|pageinfo|links)$/;
const MAX_CONTAINERS = 2;

function marksIn(envelope: Entry, depth = MAX_CONTAINERS): Mark[] {
	return Object.entries(envelope).flatMap(([name, value]): Mark[] => {
		const plain = plainName(name);
		if (!CONTAINER.test(plain) || !isObject(value)) return [{ plain, name, value }];
		return depth > 0 ? marksIn(value, depth - 1) : [];
	});
}

function nextAddress({ headers, url }: ApiResponse, marks: readonly Mark[]): URL | undefined {
	const link = readNextLink(headers.link, url);
	if (link) return link;
	return marks
		.filter(({ plain }) => NEXT.test(plain))
		.map(({ value }) => toAddress(value, url))
		.find((address) => address !== undefined);
}

/**
 * Finds the address of the next page in a `Link` header (RFC 8288, section 3).
 *
 * @param header all `Link` headers of the answer, joined by commas
 * @param base the address that answered, for relative links
 */
export function readNextLink(header: string | undefined, base: string): URL | undefined {
	for (const [, target = '', parameters = ''] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
		const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? [];
		const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
		if (relations.includes('next')) return parseUrl(target, base);
	}
	return undefined;
}

/** An address as text or as `{href}`; a cursor or a page number is none. */
function toAddress(value: unknown, base: string): URL | undefined {
	const text = isObject(value) ? value.href : value;
	if (typeof text !== 'string' || !/^(?:https?:\/\/|[/?])|\?/i.test(text)) return undefined;
	return parseUrl(text, base);
}

/** @returns what says that there is more, as it was written; undefined when nothing does */
function unfinishedBy(
	{ status }: ApiResponse,
	marks: readonly Mark[],
	count: number,
): string | undefined {
	if (status === 206) return 'status 206';
	return marks.find(
		({ plain, value }) =>
			(NEXT.test(plain) && isFilled(value)) ||
			(HAS_MORE.test(plain) && value === true) ||
			(TOTAL.test(plain) && Number(value) > count),
	)?.name;
}
