import { withFullStop } from '../shared/trimming';
import { isObject, parseJson } from './json';
import { maskSecrets } from './redaction';
import type { Entry } from './types';

const LONGEST_REPORT = 600;

/** So much is searched for secrets: what is behind could be shown only after two hundred masked ones. */
const LONGEST_SEARCHED = 100_000;

/** Where services put what they have to say, from the most to the least specific (wire notes: `data.error`). */
const REPORT_PATHS = [['data', 'error'], ['error'], ['data'], []];

const ISSUE_KEYS = ['issues', 'errors', 'details'];

/**
 * Reads the service's own explanation out of an error body: its message and its issues, field by field.
 *
 * @param text the body
 * @param secrets are masked wherever they occur, as are those in URLs
 * @returns undefined when there is nothing to tell
 */
export function readReport(text: string, secrets: readonly string[]): string | undefined {
	const body = parseJson(text)?.value;
	const candidates = REPORT_PATHS.map((path) => follow(body, path)).filter(isObject);
	const issues = candidates.map(readIssues).find((list) => list.length > 0) ?? [];
	const message =
		candidates.map(({ message: said }) => said).find(isText) ?? follow(body, ['error']);
	const lines = issues.length > 0 ? issues : [message].filter(isText);
	if (lines.length === 0) return undefined;
	const report = lines.map(withFullStop).join(' ').slice(0, LONGEST_SEARCHED);
	return shorten(maskSecrets(report, secrets));
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

function shorten(report: string): string {
	return report.length <= LONGEST_REPORT ? report : `${report.slice(0, LONGEST_REPORT)}…`;
}
