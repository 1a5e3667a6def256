import type { Subject } from './exchange';
import { isObject } from './json';
import { hasRawEmailBeside } from './message';
import type { Entry } from './types';

/** What was found in a body: the thing itself, or a sentence saying what was expected instead. */
export type Unwrapped<T> = { value: T } | { problem: string };

interface Expectation {
	/** The keys that a list or an object may stand under. */
	keys: readonly string[];
	/** One of these is in every entry of the kind. */
	identifiedBy: readonly string[];
	/** For the sentence. */
	name: string;
	/** Whether what looks like an envelope holds something of the resource itself beside it. */
	isMore?: (envelope: Entry) => boolean;
}

const GENERAL_LIST_KEYS = ['data', 'items', 'results'];

const EXPECTED: Record<Subject, Expectation> = {
	user: { keys: ['data', 'user'], identifiedBy: ['userId', 'user_id', 'id'], name: 'a user ID' },
	identity: { keys: ['data', 'identity'], identifiedBy: ['id'], name: 'an identity with an ID' },
	message: {
		keys: ['data', 'message'],
		identifiedBy: ['id'],
		name: 'a message with an ID',
		isMore: hasRawEmailBeside,
	},
	webhook: { keys: ['data', 'webhook'], identifiedBy: ['id'], name: 'a webhook with an ID' },
	identities: {
		keys: [...GENERAL_LIST_KEYS, 'identities'],
		identifiedBy: ['id'],
		name: 'a list of identities, each with an ID',
	},
	webhooks: {
		keys: [...GENERAL_LIST_KEYS, 'webhooks'],
		identifiedBy: ['id'],
		name: 'a list of webhooks, each with an ID',
	},
};

/** An envelope in an envelope is as deep as any deployment was seen to go. */
const DEEPEST_ENVELOPE = 2;

/**
 * Finds the one resource in a body: bare, or in an envelope such as `{data}` or `{success, data}`.
 *
 * @param body the parsed JSON
 * @param subject which resource it should be
 */
export function unwrapObject(body: unknown, subject: Subject): Unwrapped<Entry> {
	const expectation = EXPECTED[subject];
	const found = findObject(body, expectation, DEEPEST_ENVELOPE);
	return found ? { value: found } : { problem: describe(expectation, body) };
}

/**
 * Finds the list in a body: bare, in an envelope, or under one well-known key.
 *
 * @param body the parsed JSON
 * @param subject which list it should be
 */
export function unwrapList(body: unknown, subject: Subject): Unwrapped<Entry[]> {
	const expectation = EXPECTED[subject];
	const found = findList(body, expectation, DEEPEST_ENVELOPE);
	if (!found || !found.every((entry) => isIdentified(entry, expectation))) {
		return { problem: describe(expectation, body) };
	}
	return { value: found as Entry[] };
}

function findObject(body: unknown, expectation: Expectation, depth: number): Entry | undefined {
	if (!isObject(body) || saysItFailed(body)) return undefined;
	if (isIdentified(body, expectation)) return body;
	if (depth === 0) return undefined;
	const inner = expectation.keys.map((key) => body[key]).filter(isObject);
	if (inner.length !== 1) return undefined;
	const found = findObject(inner[0], expectation, depth - 1);
	return found && expectation.isMore?.(body) ? body : found;
}

function findList(body: unknown, expectation: Expectation, depth: number): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	if (!isObject(body) || saysItFailed(body) || depth === 0) return undefined;
	const values = expectation.keys.map((key) => body[key]);
	const lists = values.filter(Array.isArray);
	if (lists.length === 1) return lists[0];
	const objects = values.filter(isObject);
	if (lists.length > 1 || objects.length !== 1) return undefined;
	return findList(objects[0], expectation, depth - 1);
}

function isIdentified(value: unknown, { identifiedBy }: Expectation): boolean {
	return (
		isObject(value) &&
		identifiedBy.some((name) => typeof value[name] === 'string' && value[name] !== '')
	);
}

/** Some services answer a failure with status 200. */
function saysItFailed(body: Entry): boolean {
	return body.success === false || body.error === true;
}

function describe({ name }: Expectation, body: unknown): string {
	return `Expected ${name}, but the answer was ${describeShape(body)}.`;
}

/** Names the shape only: the content may be private. */
function describeShape(body: unknown): string {
	if (body === null) return 'null';
	if (Array.isArray(body)) return `a list of ${body.length}`;
	if (isObject(body)) {
		if (saysItFailed(body)) return 'a report of failure';
		return Object.keys(body).length === 0 ? 'an empty object' : 'an object without it';
	}
	return `a ${typeof body}`;
}
