import { withFullStop } from '../../../../lib/basics';
import { isObject, parseJson, SERVICE_LIMITS, type Entry } from '../data/json';

/** A service's own words about a failure; each is empty if it says nothing. */
export interface FailureReport {
	/** Codes and messages, one a line. */
	words: string;
	/** The issues by field, or the message. */
	explanation: string;
	/** The fields that it refuses; empty if it names none. */
	issues: Issue[];
	/** The permissions of which a key lacks each, as a fork of Kurrier names them: any one is enough. */
	scopes: string;
}

export interface Issue {
	/** The name of the field, with those around it: `attachments.0.content`; empty if it has none. */
	path: string;
	message: string;
}

/** Only text that looks like a scope is shown. */
const SCOPE_NAME = /^[\w:.*/-]{1,64}$/;

/** Reads the body of a failed request. A body that is too long or not JSON says nothing. */
export function readReport(text: string): FailureReport {
	const codes: string[] = [];
	const messages: string[] = [];
	const scopes = new Set<string>();
	let issues: Issue[] = [];
	for (const report of reportsIn(text)) {
		const { code, message, requiredScopes } = report;
		if (isText(code)) codes.push(code);
		if (isText(message)) messages.push(message);
		for (const scope of [requiredScopes].flat()) {
			if (isScope(scope)) scopes.add(scope);
		}
		if (issues.length === 0) issues = readIssues(report);
	}
	let sentences = messages.slice(0, 1);
	if (issues.length > 0) sentences = issues.map(toSentence);
	return {
		words: [...codes, ...messages].join('\n'),
		explanation: [...new Set(sentences)].map(withFullStop).join(' '),
		issues,
		scopes: [...scopes].join(' or '),
	};
}

/**
 * The objects that describe a failure: Kurrier 3.5.0 has them in `data.error` and in the body, its routes for sending in
 * `data`; other services have them in `error`.
 */
function reportsIn(text: string): Entry[] {
	if (text.length > SERVICE_LIMITS.explanation) return [];
	const body = parseJson(text)?.value;
	if (!isObject(body)) return [];
	const { data, error } = body;
	const nested = isObject(data) ? data.error : undefined;
	return [nested, data, error, body].filter(isObject);
}

function toSentence({ path, message }: Issue): string {
	return path === '' ? message : `${path}: ${message}`;
}

function readIssues({ issues }: Entry): Issue[] {
	if (!Array.isArray(issues)) return [];
	const found: Issue[] = [];
	for (const issue of issues) {
		if (!isObject(issue)) continue;
		const { path, message } = issue;
		if (!isText(message)) continue;
		found.push({ path: isText(path) ? path : '', message });
	}
	return found;
}

function isScope(value: unknown): value is string {
	return typeof value === 'string' && SCOPE_NAME.test(value);
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
