import { withFullStop } from '../../../lib/basics';
import { isObject, parseJson, SERVICE_LIMITS, type Entry } from './json';
import type { Advice, ApiResponse, Subject } from './request';
import { isId, readField } from './resources';

export const CHECK_BASE_URL =
	'Check the base URL{inCredential}. It ends in the path of the API, such as /api/kurrier.';

export const UNREADABLE_RESPONSE: Advice = {
	message: 'The service sent a response that cannot be read',
	description: CHECK_BASE_URL,
};

/** For a success status with a body that reports a failure. */
export const REPORTED_FAILURE: Advice = {
	message: 'The service reported that the request failed',
	description: 'Check the values that you entered, or contact the operator of the service.',
};

export const INCOMPLETE: Advice = {
	message: 'The service sent only part of the {subject}',
	description:
		'Incomplete responses are not used. Ask the operator of the service to return everything in one response.',
};

export interface Unusable {
	problem: Advice;
}

export function readResource(
	{ status, text }: Pick<ApiResponse, 'status' | 'text'>,
	subject: Subject,
): { value: Entry } | Unusable {
	if (status === 206) return { problem: INCOMPLETE };
	const layers = openEnvelopes(text, subject);
	if ('problem' in layers) return layers;
	const place = layers.findLastIndex((layer) => isIdentified(layer, subject));
	const found = layers[place];
	if (!isObject(found)) return unreadable(text);
	// A message may have its raw email beside it, as in a delivery.
	const around = layers[place - 1];
	if (subject === 'message' && isObject(around) && isObject(around.message)) {
		const hasRawEmail = typeof readField(around, 'rawEmail') === 'string';
		if (hasRawEmail) return { value: around };
	}
	return { value: found };
}

/** The whole list: one that is missing is never an empty one, and a part of it is an error. */
export function readEntries(
	response: Pick<ApiResponse, 'status' | 'headers' | 'text'>,
	subject: Subject,
): { value: Entry[] } | Unusable {
	const layers = openEnvelopes(response.text, subject);
	if ('problem' in layers) return layers;
	const value = layers.at(-1);
	const isList = Array.isArray(value) && value.every((entry) => isObject(entry) && isId(entry.id));
	if (!isList) return unreadable(response.text);
	const sign = signOfMore(response, layers.filter(isObject), value.length);
	if (sign === undefined) return { value };
	const detail = `It contains ${value.length} entries and says that there are more (${sign}).`;
	return { problem: { ...INCOMPLETE, detail } };
}

/** Names of fields beside a list, or in one of these objects beside it. */
const CONTAINER = /^_?(?:meta|pagination|paging|page_?info|links)$/i;
const NEXT = /^next(?:_?(?:page|url|uri|link|cursor|token|offset))*$/i;
const HAS_MORE = /^has_?(?:more|next|next_?page)$/i;
const TOTAL = /^total(?:_?count)?$/i;

/** A link of the `Link` header to the next page (RFC 8288, section 3). */
const LINK_TO_NEXT = /;\s*rel\s*=[^;,]*\bnext(?![\w-])/i;

/** Finds the field that tells that a list goes on elsewhere. No such service is known; undefined for a whole list. */
function signOfMore(
	{ status, headers }: Pick<ApiResponse, 'status' | 'headers'>,
	envelopes: readonly Entry[],
	count: number,
): string | undefined {
	if (status === 206) return 'status 206';
	if (LINK_TO_NEXT.test(headers.link ?? '')) return 'Link';
	for (const envelope of envelopes) {
		for (const [name, value] of fieldsBesideList(envelope)) {
			if (NEXT.test(name) && isFilled(value)) return name;
			if (HAS_MORE.test(name) && value === true) return name;
			if (TOTAL.test(name) && Number(value) > count) return name;
		}
	}
	return undefined;
}

function fieldsBesideList(envelope: Entry): Array<[name: string, value: unknown]> {
	return Object.entries<unknown>(envelope).flatMap(([name, value]) => {
		const isContainer = CONTAINER.test(name) && isObject(value);
		return isContainer ? Object.entries<unknown>(value) : [[name, value]];
	});
}

/** The body of a response and what is in its envelopes, outermost first: bare, in `{data}`, or under its own name. */
function openEnvelopes(text: string, subject: Subject): unknown[] | Unusable {
	const layers: unknown[] = [];
	let layer = parseJson(text)?.value;
	while (layer !== undefined) {
		layers.push(layer);
		layer = isObject(layer) ? (layer.data ?? layer[subject]) : undefined;
	}
	const isFailure = layers.some((one) => reportsFailure(one, subject));
	return isFailure ? { problem: REPORTED_FAILURE } : layers;
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
	const detail = `Expected JSON with the {subject} and an ID, but the response ${shapeOf(text)}.`;
	return { problem: { ...UNREADABLE_RESPONSE, detail } };
}

function shapeOf(text: string): string {
	if (text.trim() === '') return 'was empty';
	if (/^\s*</.test(text)) return 'was a web page';
	if (parseJson(text)) return 'had none';
	return 'was something else or incomplete';
}

/** Only text that looks like a scope is shown. */
const SCOPE_NAME = /^[\w:.*/-]{1,64}$/;

/** A service's own words about a failure; each is empty if it says nothing. */
export interface FailureReport {
	/** Codes and messages, one a line. */
	words: string;
	/** The issues by field, or the message. */
	explanation: string;
	/** The permissions of which a key lacks each, as a fork of Kurrier names them: any one is enough. */
	scopes: string;
}

/** Reads what Kurrier 3.5.0 says in `data.error` and in the body, other services in `error`. */
export function readReport(text: string): FailureReport {
	const body = text.length <= SERVICE_LIMITS.explanation ? parseJson(text)?.value : undefined;
	const { data, error } = isObject(body) ? body : {};
	const reports = [isObject(data) ? data.error : undefined, error, body].filter(isObject);
	const messages = reports.map(({ message }) => message).filter(isText);
	const issues = reports.map(readIssues).find((found) => found.length > 0);
	const scopes = reports.flatMap(({ requiredScopes }) => requiredScopes).filter(isText);
	return {
		words: [...reports.map(({ code }) => code).filter(isText), ...messages].join('\n'),
		explanation: [...new Set(issues ?? messages.slice(0, 1))].map(withFullStop).join(' '),
		scopes: [...new Set(scopes)].filter((scope) => SCOPE_NAME.test(scope)).join(' or '),
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
