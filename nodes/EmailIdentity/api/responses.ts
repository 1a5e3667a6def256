import { parseUrl, toUrl, withFullStop } from '../../../lib/basics';
import { isObject, parseJson, SERVICE_LIMITS, type Entry } from './json';
import type { Advice, ApiResponse, Subject } from './request';
import { isId, readField } from './resources';
import { hasRawEmailBeside } from './messages';

export const CHECK_BASE_URL =
	'Check the base URL in the Email Identity API credential. It ends in the path of the API, such as /api/kurrier.';

export const UNREADABLE_RESPONSE: Advice = {
	message: 'The service sent a response that cannot be read',
	description: CHECK_BASE_URL,
};

/** For a success status with a body that reports a failure. */
export const REPORTED_FAILURE: Advice = {
	message: 'The service reported that the request failed',
	description: 'Check the values that you entered, or contact the operator of the service.',
};

const INCOMPLETE: Advice = {
	message: 'The service sent only part of the {subject}',
	description: 'Incomplete responses are not used. Contact the operator of the service.',
};

export interface Unusable {
	problem: Advice;
}

export interface Page {
	entries: Entry[];
	marks: Mark[];
	response: ApiResponse;
}

export function readResource(
	{ status, text }: Pick<ApiResponse, 'status' | 'text'>,
	subject: Subject,
): { value: Entry } | Unusable {
	if (status === 206) return { problem: INCOMPLETE };
	const layers = readLayers(text, subject);
	if (layers.some((layer) => reportsFailure(layer, subject))) return { problem: REPORTED_FAILURE };
	const place = layers.findLastIndex((layer) => isIdentified(layer, subject));
	const [around, found] = [layers[place - 1], layers[place]];
	if (!isObject(found)) return unreadable(text);
	const isDelivery = subject === 'message' && isObject(around) && hasRawEmailBeside(around);
	return { value: isDelivery ? around : found };
}

/** A missing list is never an empty one. */
export function readPage(response: ApiResponse, subject: Subject): Page | Unusable {
	const layers = readLayers(response.text, subject);
	if (layers.some((layer) => reportsFailure(layer, subject))) return { problem: REPORTED_FAILURE };
	const entries = layers.at(-1);
	return Array.isArray(entries) && entries.every((entry) => isObject(entry) && isId(entry.id))
		? { entries, marks: layers.filter(isObject).flatMap(marksIn), response }
		: unreadable(response.text);
}

/** The body of a response and what is in its envelopes, outermost first: bare, in `{data}`, or under its own name. */
function readLayers(text: string, subject: Subject): unknown[] {
	const layers: unknown[] = [];
	let layer = parseJson(text)?.value;
	while (layer !== undefined) {
		layers.push(layer);
		layer = isObject(layer) ? (layer.data ?? layer[subject]) : undefined;
	}
	return layers;
}

function isIdentified(layer: unknown, subject: Subject): layer is Entry {
	if (!isObject(layer)) return false;
	return isId(layer.id) || (subject === 'user' && isId(readField(layer, 'userId')));
}

/** Some services report a failure with status 200. A resource may have errors of its own, such as those of a delivery. */
function reportsFailure(layer: unknown, subject: Subject): boolean {
	if (!isObject(layer)) return false;
	const { success, ok, error, errors } = layer;
	if (success === false || ok === false || error === true) return true;
	return !isIdentified(layer, subject) && [error, errors].some(isFilled);
}

function isFilled(value: unknown): boolean {
	if (isObject(value)) return Object.values(value).some(isFilled);
	return Array.isArray(value) ? value.length > 0 : !!value;
}

/** Describes only the shape because the content may be private. */
function unreadable(text: string): Unusable {
	const shape = parseJson(text) ? 'had none' : 'was something else or incomplete';
	const seen = text.trim() === '' ? 'was empty' : /^\s*</.test(text) ? 'was a web page' : shape;
	const detail = `Expected JSON with the {subject} and an ID, but the response ${seen}.`;
	return { problem: { ...UNREADABLE_RESPONSE, detail } };
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

/** Only text that looks like a scope is shown. */
const SCOPE = /^[\w:.*/-]{1,64}$/;

/** What a service says about a failure: Kurrier 3.5.0 in `data.error` and in the body, other services in `error`. */
export function readReport(text: string) {
	const body = text.length <= SERVICE_LIMITS.explanation ? parseJson(text)?.value : undefined;
	const { data, error } = isObject(body) ? body : {};
	const reports = [isObject(data) ? data.error : undefined, error, body].filter(isObject);
	const messages = reports.map(({ message }) => message).filter(isText);
	const issues = reports.map(readIssues).find((found) => found.length > 0);
	const scopes = reports.flatMap(({ requiredScopes }) => requiredScopes).filter(isText);
	return {
		/** Codes and messages, one a line. */
		words: [...reports.map(({ code }) => code).filter(isText), ...messages].join('\n'),
		/** The issues by field, or the message. */
		explanation: [...new Set(issues ?? messages.slice(0, 1))].map(withFullStop).join(' '),
		/** The permissions of which a key lacks each, as a fork of Kurrier names them: any one is enough. */
		scopes: [...new Set(scopes)].filter((scope) => SCOPE.test(scope)).join(' or '),
	};
}

function readIssues({ issues }: Entry): string[] {
	if (!Array.isArray(issues)) return [];
	return issues
		.filter(isObject)
		.filter(({ message }) => isText(message))
		.map(({ path, message }) => (isText(path) ? `${path}: ${message}` : String(message)));
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
