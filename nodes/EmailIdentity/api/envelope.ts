import { ID_NAMES, USER_ID_NAMES } from './resourceShapes';
import { isObject } from './json';
import { hasRawEmailBeside } from './message';
import type { Entry, Subject } from './types';

/**
 * What was found in a body: the thing itself, or a sentence saying what was expected instead. `isFailure` tells that the
 * body reports a failure, whatever the status says.
 */
export type Unwrapped<T> = T | { problem: string; isFailure: boolean };

interface Expectation {
	/** The keys that a list or an object may stand under. */
	keys: readonly string[];
	/** One of these is in every entry of the kind. */
	identifiedBy: readonly string[];
	/** One of these tells the resource from an envelope that has an ID of its own. */
	knownBy: readonly string[];
	/** For the sentence. */
	name: string;
	/** Whether what looks like an envelope holds something of the resource itself beside it. */
	isMore?: (envelope: Entry) => boolean;
}

const listKeys = (own: string) => ['data', 'items', 'results', own];

const EXPECTED: Record<Subject, Expectation> = {
	user: {
		keys: ['data', 'user'],
		identifiedBy: USER_ID_NAMES,
		knownBy: ['userId', 'user_id', 'email'],
		name: 'a user ID',
	},
	identity: {
		keys: ['data', 'identity'],
		identifiedBy: ID_NAMES,
		knownBy: ['value', 'kind', 'ownerId', 'owner_id', 'publicId', 'public_id'],
		name: 'an identity with an ID',
	},
	message: {
		keys: ['data', 'message'],
		identifiedBy: ID_NAMES,
		knownBy: [
			'subject',
			'from',
			'to',
			'headers',
			'rawEmail',
			'raw_email',
			'messageId',
			'message_id',
		],
		name: 'a message with an ID',
		isMore: hasRawEmailBeside,
	},
	webhook: {
		keys: ['data', 'webhook'],
		identifiedBy: ID_NAMES,
		knownBy: ['url', 'events'],
		name: 'a webhook with an ID',
	},
	identities: {
		keys: /* @__PURE__ */ listKeys('identities'),
		identifiedBy: ID_NAMES,
		knownBy: [],
		name: 'a list of identities, each with an ID',
	},
	webhooks: {
		keys: /* @__PURE__ */ listKeys('webhooks'),
		identifiedBy: ID_NAMES,
		knownBy: [],
		name: 'a list of webhooks, each with an ID',
	},
};

/** An envelope in an envelope is as deep as any deployment was seen to go. */
const DEEPEST_ENVELOPE = 2;

/** A body that reports a failure. */
const FAILURE = Symbol('failure');

/**
 * Finds the one resource in a body: bare, or in an envelope such as `{data}` or `{success, data}`.
 *
 * @param body the parsed JSON
 * @param subject which resource it should be
 */
export function unwrapObject(body: unknown, subject: Subject): Unwrapped<{ value: Entry }> {
	const expectation = EXPECTED[subject];
	const found = findObject(body, expectation, DEEPEST_ENVELOPE);
	return isObject(found) ? { value: found } : toProblem(expectation, body, found);
}

/**
 * Finds the list in a body: bare, in an envelope, or under one well-known key.
 *
 * @param body the parsed JSON
 * @param subject which list it should be
 * @returns the list and the envelopes around it, from the outside in
 */
export function unwrapList(
	body: unknown,
	subject: Subject,
): Unwrapped<{ value: Entry[]; envelopes: Entry[] }> {
	const expectation = EXPECTED[subject];
	const envelopes: Entry[] = [];
	const found = findList(body, expectation, DEEPEST_ENVELOPE, envelopes);
	return Array.isArray(found) && found.every((entry) => isIdentified(entry, expectation))
		? { value: found as Entry[], envelopes }
		: toProblem(expectation, body, found);
}

/** Whether an entry shows something of its resource, and not only which one it is. */
export function showsMoreThanId(entry: Entry, subject: Subject): boolean {
	return isKnown(entry, EXPECTED[subject]);
}

/** Whether a body says in so many words that the request failed: some services do so with status 200. */
function reportsFailure(body: unknown): boolean {
	return isObject(body) && (saysItFailed(body) || hasErrors(body));
}

function findObject(
	body: unknown,
	expectation: Expectation,
	depth: number,
): Entry | typeof FAILURE | undefined {
	if (!isObject(body)) return undefined;
	const isResource = isIdentified(body, expectation) && isKnown(body, expectation);
	// A resource may have a status and errors of its own, such as those of its last delivery.
	if (isResource ? saysItFailed(body) : reportsFailure(body)) return FAILURE;
	if (isResource) return body;
	const inner = expectation.keys.map((key) => body[key]).filter(isObject);
	const found =
		inner.length === 1 && depth > 0 ? findObject(inner[0], expectation, depth - 1) : undefined;
	if (found === undefined) return isIdentified(body, expectation) ? body : undefined;
	return found !== FAILURE && expectation.isMore?.(body) ? body : found;
}

function findList(
	body: unknown,
	expectation: Expectation,
	depth: number,
	envelopes: Entry[],
): unknown[] | typeof FAILURE | undefined {
	if (Array.isArray(body)) return body;
	if (!isObject(body)) return undefined;
	if (reportsFailure(body)) return FAILURE;
	if (depth === 0) return undefined;
	envelopes.push(body);
	const values = expectation.keys.map((key) => body[key]);
	const lists = values.filter(Array.isArray);
	if (lists.length === 1) return lists[0];
	const objects = values.filter(isObject);
	if (lists.length > 1 || objects.length !== 1) return undefined;
	return findList(objects[0], expectation, depth - 1, envelopes);
}

function isIdentified(value: unknown, { identifiedBy }: Expectation): boolean {
	return isObject(value) && identifiedBy.some((name) => isId(value[name]));
}

function isId(value: unknown): boolean {
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function isKnown(body: Entry, { knownBy }: Expectation): boolean {
	return knownBy.some((name) => body[name] !== undefined);
}

function saysItFailed({ success, ok, error }: Entry): boolean {
	return isWord(success, 'false') || isWord(ok, 'false') || isWord(error, 'true');
}

function hasErrors({ status, statusCode, error, errors }: Entry): boolean {
	return (
		isWord(status, 'error', 'fail', 'failed', 'failure') ||
		[status, statusCode].some((code) => typeof code === 'number' && code >= 400 && code < 600) ||
		[error, errors].some(isFilled)
	);
}

/** Compared as text: some services write their flags so. */
function isWord(value: unknown, ...words: string[]): boolean {
	return words.includes(String(value).trim().toLowerCase());
}

function isFilled(value: unknown): boolean {
	if (Array.isArray(value)) return value.length > 0;
	return isObject(value)
		? Object.keys(value).length > 0
		: typeof value === 'string' && value !== '';
}

function toProblem({ name }: Expectation, body: unknown, found: unknown) {
	const isFailure = found === FAILURE;
	const shape = isFailure ? 'a report of failure' : describeShape(body);
	return { problem: `Expected ${name}, but the answer was ${shape}.`, isFailure };
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
