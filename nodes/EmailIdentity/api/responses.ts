import { parseUrl } from '../lib/hosts';
import { withFullStop } from '../lib/text';
import { isObject, parseJson } from './json';
import { hasRawEmailBeside } from './messages';
import { maskSecrets } from './redaction';
import { isId, readField } from './resources';
import type { ApiRequest, ApiResponse, Entry, Subject } from './types';

/** `isFailure`: the body reports a failure, regardless of the status. */
export interface Unusable {
	/** A sentence without content from the response. */
	problem: string;
	isFailure: boolean;
}

/** One page of a list, with the envelopes around it, outermost first. */
export interface Page {
	entries: Entry[];
	envelopes: Entry[];
	response: ApiResponse;
}

const FAILURE = Symbol('failure');

/** Finds the resource in a response: bare, in `{data}` or `{success, data}`, or under its own name. */
export function readResource(
	{ status, text }: Pick<ApiResponse, 'status' | 'text'>,
	subject: Subject,
): { value: Entry } | Unusable {
	if (status === 206) return { problem: 'The response is incomplete.', isFailure: false };
	const found = findObject(parseJson(text)?.value, subject);
	return isObject(found) ? { value: found } : unusable(text, found === FAILURE);
}

/** Finds the list in a response: bare, in an envelope, or under its own name. A missing list is never an empty one. */
export function readPage(response: ApiResponse, subject: Subject): Page | Unusable {
	const envelopes: Entry[] = [];
	const found = findList(parseJson(response.text)?.value, subject, envelopes);
	return Array.isArray(found) && found.every((entry) => isObject(entry) && isId(entry.id))
		? { entries: found as Entry[], envelopes, response }
		: unusable(response.text, found === FAILURE);
}

function findObject(body: unknown, subject: Subject): Entry | typeof FAILURE | undefined {
	if (!isObject(body)) return undefined;
	if (reportsFailure(body, subject)) return FAILURE;
	const found = findObject(body.data, subject) ?? findObject(body[subject], subject);
	if (found === undefined) return isIdentified(body, subject) ? body : undefined;
	const isDelivery = subject === 'message' && found !== FAILURE && hasRawEmailBeside(body);
	return isDelivery ? body : found;
}

function findList(
	body: unknown,
	subject: Subject,
	envelopes: Entry[],
): unknown[] | typeof FAILURE | undefined {
	if (Array.isArray(body)) return body;
	if (!isObject(body)) return undefined;
	if (reportsFailure(body, subject)) return FAILURE;
	envelopes.push(body);
	return findList(body.data, subject, envelopes) ?? findList(body[subject], subject, envelopes);
}

function isIdentified(body: Entry, subject: Subject): boolean {
	return isId(body.id) || (subject === 'user' && isId(readField(body, 'userId')));
}

/** Some services report a failure with status 200. A resource may have errors of its own, such as those of a delivery. */
function reportsFailure(body: Entry, subject: Subject): boolean {
	const { success, ok, error, errors } = body;
	if (success === false || ok === false || error === true) return true;
	return !isIdentified(body, subject) && [error, errors].some(isFilled);
}

function isFilled(value: unknown): boolean {
	if (isObject(value)) return Object.values(value).some(isFilled);
	return Array.isArray(value) ? value.length > 0 : !!value;
}

/** Describes only the shape because the content may be private. */
function unusable(text: string, isFailure: boolean): Unusable {
	const expected = 'Expected JSON with the {subject} and an ID, but the response';
	if (isFailure) return { problem: `${expected} reported a failure.`, isFailure };
	if (text.trim() === '') return { problem: `${expected} was empty.`, isFailure };
	if (/^\s*</.test(text)) return { problem: `${expected} was a web page.`, isFailure };
	const shape = parseJson(text) ? 'had none' : 'was something else or incomplete';
	return { problem: `${expected} ${shape}.`, isFailure };
}

export const MAX_PAGES = 1000;
/** An account has some hundred identities; the largest known list has ten thousand. */
export const MAX_ENTRIES = 200_000;
/** Characters of all pages together. */
export const MAX_LIST_LENGTH = 128 * 1024 * 1024;

/**
 * @param read fetches the page at a URL, or the first page
 * @param origin further pages must have it
 * @param fail creates the error for an incomplete list from a sentence that gives the reason
 */
export async function readPages(
	read: (address?: string) => Promise<Page>,
	origin: string,
	fail: (problem: string) => Error,
): Promise<Entry[]> {
	const entries = new Map<unknown, Entry>();
	let length = 0;
	let next: string | undefined;
	for (let pages = 1; ; pages++) {
		const page = await read(next);
		length += page.response.text.length;
		const before = entries.size;
		// An entry may move to the next page between two requests and appear twice.
		for (const entry of page.entries) if (!entries.has(entry.id)) entries.set(entry.id, entry);
		const marks = page.envelopes.flatMap(marksIn);
		const address = nextAddress(page.response, marks);
		if (address === undefined) {
			const mark = unfinishedBy(page.response, marks, entries.size);
			if (mark === undefined) return [...entries.values()];
			throw fail(
				`The response says that there are more entries (${mark}), but not at which URL. Entries received: ${entries.size}.`,
			);
		}
		if (address.origin !== origin)
			throw fail(`The next page is at a different address, ${address.origin}.`);
		if (entries.size === before) throw fail('The pages of the list repeat.');
		if (entries.size > MAX_ENTRIES || length > MAX_LIST_LENGTH || pages === MAX_PAGES) {
			throw fail(`The list is too long. Entries received: ${entries.size} in ${pages} pages.`);
		}
		next = address.href;
	}
}

/** A field beside a list with its length or the next page. */
type Mark = [name: string, value: unknown];

const NEXT = /^next(?:_?(?:page|url|uri|link|cursor|token|offset))*$/i;
const HAS_MORE = /^has_?(?:more|next|next_?page)$/i;
const TOTAL = /^total(?:_?count)?$/i;

/** Objects that may contain marks, besides the envelope itself. */
const CONTAINER = /^_?(?:meta|pagination|paging|page_?info|links)$/i;

function marksIn(envelope: Entry): Mark[] {
	return Object.entries(envelope).flatMap(([name, value]): Mark[] =>
		CONTAINER.test(name) && isObject(value) ? Object.entries(value) : [[name, value]],
	);
}

function nextAddress({ headers, url }: ApiResponse, marks: readonly Mark[]): URL | undefined {
	const named = marks.filter(([name]) => NEXT.test(name)).map(([, value]) => toAddress(value, url));
	return readNextLink(headers.link, url) ?? named.find((address) => address !== undefined);
}

/** @param header all `Link` headers (RFC 8288, section 3) of the response, joined by commas */
function readNextLink(header = '', base: string): URL | undefined {
	for (const [, target = '', parameters = ''] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
		const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? [];
		const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
		if (relations.includes('next')) return parseUrl(target, base);
	}
	return undefined;
}

/** Reads a URL from text or `{href}`; cursors and page numbers are not URLs. */
function toAddress(value: unknown, base: string): URL | undefined {
	const text = isObject(value) ? value.href : value;
	const isAddress = typeof text === 'string' && /^(?:https?:\/\/|[/?])/i.test(text);
	return isAddress ? parseUrl(text, base) : undefined;
}

/** The name of a mark that says that there are more entries. */
function unfinishedBy(
	{ status }: ApiResponse,
	marks: readonly Mark[],
	count: number,
): string | undefined {
	if (status === 206) return 'status 206';
	const [name] =
		marks.find(
			([mark, value]) =>
				(NEXT.test(mark) && isFilled(value)) ||
				(HAS_MORE.test(mark) && value === true) ||
				(TOTAL.test(mark) && Number(value) > count),
		) ?? [];
	return name;
}

/** A longer body is not an explanation, and would take long to parse. */
export const MAX_BODY_READ = 200_000;
const MAX_REPORT = 600;

/** Kurrier 3.5.0 explains in `data.error` and in the body; a failure with status 200 in `error`. */
export function reportsIn(text: string): Entry[] {
	const body = text.length <= MAX_BODY_READ ? parseJson(text)?.value : undefined;
	if (!isObject(body)) return [];
	return [isObject(body.data) ? body.data.error : undefined, body.error, body].filter(isObject);
}

/** Their codes and messages, one a line. */
export function wordsOf(reports: readonly Entry[]): string {
	return reports
		.flatMap(({ code, message }) => [code, message])
		.filter(isText)
		.join('\n');
}

/**
 * The service's explanation: its issues by field, or its message. Explanations about an email are left out because they
 * may quote it.
 *
 * @param secrets values to mask, in addition to secrets in URLs
 */
export function readReport(
	{ subject }: Pick<ApiRequest, 'subject'>,
	text: string,
	secrets: readonly string[],
): string | undefined {
	if (subject === 'message') return undefined;
	const reports = reportsIn(text);
	const message = reports.map((report) => report.message).find(isText);
	const lines = reports.map(readIssues).find((issues) => issues.length > 0) ?? [message ?? ''];
	if (lines[0] === '') return undefined;
	const masked = maskSecrets([...new Set(lines)].map(withFullStop).join(' '), secrets);
	return masked.length <= MAX_REPORT ? masked : `${masked.slice(0, MAX_REPORT)}…`;
}

function readIssues({ issues }: Entry): string[] {
	if (!Array.isArray(issues)) return [];
	return issues
		.filter(isObject)
		.filter(({ message }) => isText(message))
		.map(({ path, message }) => (isText(path) ? `${path}: ${message}` : String(message)));
}

/** Only text that looks like a scope is shown. */
const SCOPE = /^[\w:.*/-]{1,64}$/;

/** The permissions that a key lacks, as a fork of Kurrier names them in `requiredScopes`. */
export function requiredScopes(reports: readonly Entry[]): string {
	const scopes = reports.flatMap(({ requiredScopes: given }) => given).filter(isText);
	const shown = [...new Set(scopes)].filter((scope) => SCOPE.test(scope)).join(', ');
	return shown === '' ? '' : `It needs ${shown.slice(0, MAX_REPORT)}.`;
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
