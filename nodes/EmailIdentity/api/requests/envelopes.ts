import { UNREADABLE_RESPONSE, type Advice } from '../failures/errors';
import { isObject, parseJson, type Entry } from '../data/json';
import type { ApiResponse, ResourceKind } from '../request';
import { isId, readField } from '../data/resources';

/** For a success status with a body that reports a failure. */
export const REPORTED_FAILURE: Advice = {
	message: 'The service reported that the request failed',
	description: 'Check the values that you entered, or contact the operator of the service.',
};

export const INCOMPLETE: Advice = {
	message: 'The service sent only part of the {resource}',
	description:
		'Incomplete responses are not used. Ask the operator of the service to return everything in one response.',
};

/** Something that cannot be used, such as a response. */
export interface Unusable {
	problem: Advice;
}

/** The content of a response, or why there is none. */
export type Content<Value> = { value: Value } | Unusable;

/** Reads one resource, with the raw email of a message if it is beside it. */
export function readResource(
	{ status, text }: Pick<ApiResponse, 'status' | 'text'>,
	resource: ResourceKind,
): Content<Entry> {
	if (status === 206) return { problem: INCOMPLETE };
	const layers = openEnvelopes(text, resource);
	if ('problem' in layers) return layers;

	const place = layers.findLastIndex((layer) => isIdentified(layer, resource));
	const found = layers[place];
	if (!isObject(found)) return unreadable(text);

	const around = layers[place - 1];
	if (resource === 'message' && isMessageWithEmail(around)) return { value: around };
	return { value: found };
}

/** The name of the ID of resources that may have no `id`. */
const OTHER_IDS: Partial<Record<ResourceKind, string>> = { user: 'userId', email: 'messageId' };

/** Whether a layer has a message and its raw email beside it, as a delivery does. */
function isMessageWithEmail(layer: unknown): layer is Entry {
	if (!isObject(layer) || !isObject(layer.message)) return false;
	return typeof readField(layer, 'rawEmail') === 'string';
}

/** The whole list: one that is missing is never an empty one, and a part of it is an error. */
export function readEntries(
	response: Pick<ApiResponse, 'status' | 'headers' | 'text'>,
	resource: ResourceKind,
): Content<Entry[]> {
	const layers = openEnvelopes(response.text, resource);
	if ('problem' in layers) return layers;

	const list = layers.at(-1);
	const isList = Array.isArray(list) && list.every((entry) => isObject(entry) && isId(entry.id));
	if (!isList) return unreadable(response.text);

	const envelopes = layers.filter(isObject);
	const sign = signOfMore(response, envelopes, list.length);
	if (sign === undefined) return { value: list };
	const detail = `It contains ${list.length} entries and says that there are more (${sign}).`;
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

function* fieldsBesideList(envelope: Entry): Generator<[name: string, value: unknown]> {
	for (const [name, value] of Object.entries<unknown>(envelope)) {
		const isContainer = CONTAINER.test(name) && isObject(value);
		if (isContainer) yield* Object.entries<unknown>(value);
		else yield [name, value];
	}
}

/** The body of a response and what is in its envelopes, outermost first: bare, in `{data}`, or under its own name. */
function openEnvelopes(text: string, resource: ResourceKind): unknown[] | Unusable {
	const layers: unknown[] = [];
	let layer = parseJson(text)?.value;
	while (layer !== undefined) {
		layers.push(layer);
		if (!isObject(layer)) break;
		layer = layer.data ?? layer[resource];
	}
	const isFailure = layers.some((one) => reportsFailure(one, resource));
	if (isFailure) return { problem: REPORTED_FAILURE };
	return layers;
}

function isIdentified(layer: unknown, resource: ResourceKind): layer is Entry {
	if (!isObject(layer)) return false;
	if (isId(layer.id)) return true;
	const otherName = OTHER_IDS[resource];
	return otherName !== undefined && isId(readField(layer, otherName));
}

/** Some services report a failure with status 200. A resource may have errors of its own, such as those of a delivery. */
function reportsFailure(layer: unknown, resource: ResourceKind): boolean {
	if (!isObject(layer)) return false;
	const { success, ok, error, errors } = layer;
	if (success === false || ok === false || error === true) return true;
	if (isIdentified(layer, resource)) return false;
	return isFilled(error) || isFilled(errors);
}

function isFilled(value: unknown): boolean {
	if (isObject(value)) return Object.values(value).some(isFilled);
	if (Array.isArray(value)) return value.length > 0;
	return !!value;
}

/** Describes only the shape because the content may be private. */
function unreadable(text: string): Unusable {
	const detail = `Expected JSON with the {resource} and an ID, but the response ${shapeOf(text)}.`;
	return { problem: { ...UNREADABLE_RESPONSE, detail } };
}

function shapeOf(text: string): string {
	if (text.trim() === '') return 'was empty';
	if (/^\s*</.test(text)) return 'was a web page';
	if (parseJson(text)) return 'had none';
	return 'was something else or incomplete';
}
