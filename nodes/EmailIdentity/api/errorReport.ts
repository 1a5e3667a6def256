import { withFullStop } from '../lib/text';
import { isObject, parseJson, plainName } from './json';
import { maskSecrets } from './redaction';
import type { Entry } from './types';

const LONGEST_REPORT = 600;

/** So much is searched for secrets: what is behind could be shown only after two hundred masked ones. */
const LONGEST_SEARCHED = 100_000;

/** A longer body is a page or a dump, not an explanation, and would take long to parse. */
export const LONGEST_BODY_READ = 200_000;

/** A report of 600 characters has no room for more. */
const MOST_ISSUES = 50;

/** Where services put what they have to say, from the most to the least specific (Kurrier 3.5.0: `data.error`). */
const REPORT_PATHS = [['data', 'error'], ['error'], ['data'], ['problem'], []];

/**
 * The names that services use, from the most to the least telling, as {@link plainName} writes them: RFC 9457 (`detail`,
 * `title`, `invalid-params`), OAuth (`error_description`), JSON:API, Zod, FastAPI (`loc`, `msg`), ASP.NET (PascalCase).
 */
const NAMES = {
	message: ['message', 'detail', 'errordescription', 'errormessage', 'msg', 'reason', 'title'],
	code: ['code', 'error', 'type'],
	/** Lists, each entry one thing that is wrong. */
	issues: [
		'issues',
		'errors',
		'validationerrors',
		'details',
		'detail',
		'invalidparams',
		'violations',
	],
	/** Of these, the ones that may also be a map from a field to what is wrong with it, or a text. */
	fieldMaps: ['issues', 'errors', 'validationerrors'],
	field: [
		'path',
		'field',
		'loc',
		'param',
		'property',
		'propertyname',
		'pointer',
		'parameter',
		'name',
	],
	source: ['source'],
	scopes: ['requiredscopes', 'requiredscope'],
} as const;

/** A scope is shown when it looks like one: anything else could be anything. */
const SCOPE = /^[\w:.*/-]{1,64}$/;

const MOST_SCOPES = 10;

/** An object of the body with its names in plain form. */
type Fields = ReadonlyMap<string, unknown>;

/**
 * Reads the service's own explanation out of an error body: its message and its issues, field by field.
 *
 * @param text the body
 * @param secrets are masked wherever they occur, as are those in URLs
 * @returns undefined when there is nothing to tell
 */
export function readReport(text: string, secrets: readonly string[]): string | undefined {
	const body = parseBody(text);
	const reports = reportsIn(body);
	const issues = reports.map(readIssues).find((list) => list.length > 0);
	const lines = issues ?? messagesIn(body, reports).slice(0, 1);
	if (lines.length === 0) return undefined;
	const report = [...new Set(lines)].map(withFullStop).join(' ').slice(0, LONGEST_SEARCHED);
	return shorten(maskSecrets(report, secrets));
}

/** Everything that an error body says in words, the most specific first, unmasked: not for showing. */
export function readMessages(text: string): string[] {
	const body = parseBody(text);
	return messagesIn(body, reportsIn(body));
}

function messagesIn(body: unknown, reports: Fields[]): string[] {
	const bare = isObject(body) ? fieldsOf(body).get('error') : undefined;
	return [...reports.flatMap((report) => valuesOf(report, NAMES.message)), bare].filter(isText);
}

/**
 * The rights that a key lacks (a fork of Kurrier: 403 `INSUFFICIENT_SCOPE` with `requiredScopes`).
 *
 * @returns undefined when the body says nothing of rights
 */
export function readRequiredScopes(text: string): string[] | undefined {
	const reports = reportsIn(parseBody(text));
	const listed = reports.flatMap((report) => valuesOf(report, NAMES.scopes)).flat();
	const codes = reports.flatMap((report) => valuesOf(report, NAMES.code)).filter(isText);
	const isNamed = codes.some((code) => plainName(code) === 'insufficientscope');
	if (listed.length === 0 && !isNamed) return undefined;
	return listed
		.filter((scope) => isText(scope) && SCOPE.test(scope))
		.slice(0, MOST_SCOPES) as string[];
}

function parseBody(text: string): unknown {
	return text.length <= LONGEST_BODY_READ ? parseJson(text)?.value : undefined;
}

function reportsIn(body: unknown): Fields[] {
	const found = REPORT_PATHS.map((path) => follow(body, path)).filter(isObject);
	return found.map(fieldsOf);
}

function readIssues(report: Fields): string[] {
	for (const name of NAMES.issues) {
		const value = report.get(name);
		const mayBeMap = (NAMES.fieldMaps as readonly string[]).includes(name);
		const issues = Array.isArray(value)
			? value.slice(0, MOST_ISSUES).flatMap((issue) => describeIssue(issue))
			: mayBeMap
				? readFieldMap(value)
				: [];
		if (issues.length > 0) return issues;
	}
	return [];
}

/** `{url: ['is invalid']}`, or all in one text. */
function readFieldMap(value: unknown): string[] {
	if (isText(value)) return [value];
	if (!isObject(value)) return [];
	return Object.entries(value)
		.slice(0, MOST_ISSUES)
		.flatMap(([field, issues]) => [issues].flat().flatMap((issue) => describeIssue(issue, field)));
}

function describeIssue(issue: unknown, field?: string): string[] {
	if (isText(issue)) return [withField(issue, field)];
	if (!isObject(issue)) return [];
	const fields = fieldsOf(issue);
	const message = valuesOf(fields, NAMES.message).find(isText);
	if (message === undefined) return [];
	const source = valuesOf(fields, NAMES.source).filter(isObject).map(fieldsOf);
	const where = [fields, ...source].flatMap((part) => valuesOf(part, NAMES.field)).map(pathText);
	return [withField(message, where.find(isText) ?? field)];
}

function withField(message: string, field: string | undefined): string {
	return field === undefined ? message : `${field}: ${message}`;
}

/** `events.0`, `['events', 0]`, and FastAPI's `['body', 'events', 0]`. */
function pathText(path: unknown): unknown {
	if (!Array.isArray(path)) return path;
	return path.filter((piece, index) => index > 0 || piece !== 'body').join('.');
}

function follow(body: unknown, path: readonly string[]): unknown {
	return path.reduce(
		(value, name) => (isObject(value) ? fieldsOf(value).get(name) : undefined),
		body,
	);
}

function fieldsOf(object: Entry): Fields {
	// Backwards, so that of two names for the same thing the first one stays.
	return new Map(
		Object.entries(object)
			.reverse()
			.map(([name, value]) => [plainName(name), value]),
	);
}

function valuesOf(fields: Fields, names: readonly string[]): unknown[] {
	return names.filter((name) => fields.has(name)).map((name) => fields.get(name));
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

function shorten(report: string): string {
	return report.length <= LONGEST_REPORT ? report : `${report.slice(0, LONGEST_REPORT)}…`;
}
