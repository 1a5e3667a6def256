import { withFullStop } from '../shared/trimming';
import { isObject, parseJson } from './json';
import type { Entry } from './types';

const LONGEST_REPORT = 600;

/** Where services put what they have to say, from the most to the least specific (wire notes: `data.error`). */
const REPORT_PATHS = [['data', 'error'], ['error'], ['data'], []];

const ISSUE_KEYS = ['issues', 'errors', 'details'];

/**
 * Reads the service's own explanation out of an error body: its message and its issues, field by field.
 *
 * @param text the body
 * @param secret is cut out wherever it occurs
 * @returns undefined when there is nothing to tell
 */
export function readReport(text: string, secret: string): string | undefined {
	const body = parseJson(text)?.value;
	const candidates = REPORT_PATHS.map((path) => follow(body, path)).filter(isObject);
	const issues = candidates.map(readIssues).find((list) => list.length > 0) ?? [];
	const message =
		candidates.map(({ message: said }) => said).find(isText) ?? follow(body, ['error']);
	const lines = issues.length > 0 ? issues : [message].filter(isText);
	if (lines.length === 0) return undefined;
	const report = lines.map(withFullStop).join(' ');
	return shorten(redact(report, secret));
}

function readIssues(report: Entry): string[] {
	const list = ISSUE_KEYS.map((key) => report[key]).find(Array.isArray) ?? [];
	return list.filter(isObject).flatMap((issue) => {
		const { path, field, message } = issue;
		if (!isText(message)) return [];
		const where = [path, field].find((name) => isText(name) || Array.isArray(name));
		return [where === undefined ? message : `${[where].flat().join('.')}: ${message}`];
	});
}

function follow(body: unknown, path: readonly string[]): unknown {
	return path.reduce((value, key) => (isObject(value) ? value[key] : undefined), body);
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

function redact(report: string, secret: string): string {
	return secret === '' ? report : report.replaceAll(secret, '…');
}

function shorten(report: string): string {
	return report.length <= LONGEST_REPORT ? report : `${report.slice(0, LONGEST_REPORT)}…`;
}
