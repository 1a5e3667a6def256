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

export function findingsOf<Subject>(rules: AuditRules<Subject>, subject: Subject): Finding[] {
	const findings: Finding[] = [];
	for (const severity of SEVERITIES) {
		for (const [code, rule] of Object.entries(rules[severity])) {
			const message = rule(subject);
			if (message) findings.push({ code, severity, message });
		}
	}
	return findings;
}

/**
 * The field Options of an audit.
 *
 * @param results such as `identities`
 * @param defaultSeverity the default of Minimum Severity
 * @param others options of this audit alone
 */
export function auditOptionsField(
	results: string,
	defaultSeverity: Severity,
	others: INodeProperties[] = [],
): INodeProperties {
	const minimumSeverity: INodeProperties = {
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
	};
	const onlyWithFindings: INodeProperties = {
		displayName: 'Only With Findings',
		name: 'onlyWithFindings',
		type: 'boolean',
		default: true,
		description: `Whether to return only ${results} with findings`,
		hint: 'For scheduled audits: without findings, the workflow ends here',
	};
	const options = [...others, minimumSeverity, onlyWithFindings];
	return {
		displayName: 'Options',
		name: 'auditOptions',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		// Without ICU, which takes milliseconds to load at each start of n8n.
		options: options.toSorted((a, b) => (a.displayName < b.displayName ? -1 : 1)),
	};
}

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

/** A subject with its findings, before they are filtered. */
export interface Examined<Result> {
	/** Names the subject in the summary. */
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
	const isReported = (one: Finding) => rankOf(one) >= SEVERITIES.indexOf(minimumSeverity);
	const isTold = (one: Finding) => one.severity !== 'info' || isReported(one);
	const results: Result[] = [];
	for (const { name, found, restriction = '', toResult } of worstFirst(examined)) {
		const findings = found.filter(isReported);
		if (onlyWithFindings && findings.length === 0) continue;
		const healthy = found.every(({ severity }) => severity === 'info');
		const sentences = found.filter(isTold).map(({ message }) => message);
		if (healthy) sentences.unshift(`No problem found${restriction}.`);
		const summary = `${inSentence(name)}: ${sentences.join(' ')}`;
		results.push(toResult({ healthy, summary, findings }));
	}
	return results;
}

/** Sorts the findings of each subject, then the subjects by their worst finding. */
function worstFirst<Result>(examined: ReadonlyArray<Examined<Result>>): Array<Examined<Result>> {
	const sorted = examined.map((one) => ({
		...one,
		found: one.found.toSorted((a, b) => rankOf(b) - rankOf(a)),
	}));
	return sorted.sort((a, b) => rankOf(b.found[0]) - rankOf(a.found[0]));
}

/** -1 without a finding. */
function rankOf(finding: Finding | undefined): number {
	return finding === undefined ? -1 : SEVERITIES.indexOf(finding.severity);
}

/** A DKIM key of 4096 bits, which users copy, still fits. */
const MAX_QUOTED = 1100;

/** Text from the service or the DNS, on one line and of a bounded length. */
export function inSentence(text: string | null | undefined): string {
	return (text ?? '').slice(0, MAX_QUOTED).replace(/[\s\p{Cc}]+/gu, ' ');
}
