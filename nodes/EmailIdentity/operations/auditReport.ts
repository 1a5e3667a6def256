import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { RecordDetail } from '../../../lib/dns';
import type { Item } from './runOperation';
import { readSwitch } from '../shared/fields';

/** From harmless to broken. */
export const SEVERITIES = ['info', 'warning', 'error'] as const;

export type Severity = (typeof SEVERITIES)[number];

export interface Finding {
	/** Must not change after the release, because workflows compare it. */
	code: string;
	severity: Severity;
	/** The problem and its solution, for people who know neither DNS nor the API. */
	message: string;
	/** The DNS record to change. */
	record?: RecordDetail;
}

/** By severity and code: the message, or nothing if there is no problem. */
export type AuditRules<Subject> = Record<
	Severity,
	Record<string, (subject: Subject) => string | false | undefined>
>;

export const findingsOf = <Subject>(rules: AuditRules<Subject>, subject: Subject): Finding[] =>
	SEVERITIES.flatMap((severity) =>
		Object.entries(rules[severity]).flatMap(([code, rule]) => {
			const message = rule(subject);
			return message ? [{ code, severity, message }] : [];
		}),
	);

/**
 * The field Options of an audit.
 *
 * @param results such as `identities`
 * @param defaultSeverity the default of Minimum Severity
 * @param others options of this audit alone
 */
export const auditOptionsField = (
	results: string,
	defaultSeverity: Severity,
	others: INodeProperties[] = [],
): INodeProperties => ({
	displayName: 'Options',
	name: 'auditOptions',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: others
		.concat(
			{
				displayName: 'Minimum Severity',
				name: 'minimumSeverity',
				type: 'options',
				options: [
					{ name: 'Error', value: 'error', description: 'Only errors' },
					{ name: 'Info', value: 'info', description: 'Errors, warnings and notes' },
					{ name: 'Warning', value: 'warning', description: 'Errors and possible problems' },
				],
				default: defaultSeverity,
				description: 'The least severe findings to report',
			},
			{
				displayName: 'Only With Findings',
				name: 'onlyWithFindings',
				type: 'boolean',
				default: true,
				description: `Whether to return only ${results} with findings`,
				hint: 'For scheduled audits: without findings, the workflow ends here',
			},
		)
		// Without ICU, which takes milliseconds to load at each start of n8n.
		.toSorted((a, b) => (a.displayName < b.displayName ? -1 : 1)),
});

export interface ReportOptions {
	/** Less severe findings are left out. */
	minimumSeverity: Severity;
	/** Whether results without findings are left out. */
	onlyWithFindings: boolean;
}

/** @throws NodeOperationError if Only With Findings is neither true nor false */
export function readReportOptions(item: Item, defaultSeverity: Severity): ReportOptions {
	const options = item.parameter('auditOptions', {}) as IDataObject;
	const { minimumSeverity = defaultSeverity, onlyWithFindings = false } = options;
	return {
		minimumSeverity: minimumSeverity as Severity,
		onlyWithFindings: readSwitch(item, 'Only With Findings', onlyWithFindings),
	};
}

export interface AuditVerdict {
	/** False if there is a warning or an error, even one below Minimum Severity. */
	healthy: boolean;
	/** All problems and reported notes in one line, ready for a message. */
	summary: string;
	/** The most severe first. */
	findings: Finding[];
}

interface Examined<Result> {
	name: string;
	found: Finding[];
	/** Follows "No problem found" in the summary. */
	restriction?: string;
	toResult(verdict: AuditVerdict): Result;
}

/** @returns the results, the worst first */
export function report<Result>(
	examined: ReadonlyArray<Examined<Result>>,
	{ minimumSeverity, onlyWithFindings }: ReportOptions,
): Result[] {
	return examined
		.map((one) => ({ ...one, found: one.found.toSorted((a, b) => rankOf(b) - rankOf(a)) }))
		.sort(({ found: [a] }, { found: [b] }) => rankOf(b) - rankOf(a))
		.flatMap(({ name, found, restriction = '', toResult }) => {
			const isReported = (one: Finding) => rankOf(one) >= SEVERITIES.indexOf(minimumSeverity);
			const findings = found.filter(isReported);
			if (onlyWithFindings && findings.length === 0) return [];
			const healthy = found.every(({ severity }) => severity === 'info');
			const told = found.filter((one) => one.severity !== 'info' || isReported(one));
			const sentences = told.map(({ message }) => message);
			if (healthy) sentences.unshift(`No problem found${restriction}.`);
			const summary = `${inSentence(name)}: ${sentences.join(' ')}`;
			return [toResult({ healthy, summary, findings })];
		});
}

/** -1 without a finding. */
const rankOf = (finding: Finding | undefined): number =>
	finding === undefined ? -1 : SEVERITIES.indexOf(finding.severity);

/** A DKIM key of 4096 bits, which users copy, still fits. */
const MAX_QUOTED = 1100;

/** Text from the service or the DNS, on one line and of a bounded length. */
export function inSentence(text: string | null | undefined): string {
	return (text ?? '').slice(0, MAX_QUOTED).replace(/[\s\p{Cc}]+/gu, ' ');
}
