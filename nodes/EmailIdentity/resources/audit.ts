import { NodeOperationError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import type { RecordDetail } from '../dns/audit/required';
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

export interface AuditRule<Subject> extends Pick<Finding, 'code' | 'severity'> {
	applies(subject: Subject): boolean;
	message(subject: Subject): string;
}

export const findingsOf = <Subject>(
	rules: ReadonlyArray<AuditRule<Subject>>,
	subject: Subject,
): Finding[] =>
	rules
		.filter((rule) => rule.applies(subject))
		.map(({ code, severity, message }) => ({ code, severity, message: message(subject) }));

const DEFAULT_SEVERITY: Severity = 'warning';

/** @param results such as `identities` */
export const reportFields = (results: string): INodeProperties[] => [
	{
		displayName: 'Minimum Severity',
		name: 'minimumSeverity',
		type: 'options',
		options: [
			{ name: 'Error', value: 'error', description: 'Only errors' },
			{ name: 'Info', value: 'info', description: 'Errors, warnings and notes' },
			{ name: 'Warning', value: 'warning', description: 'Errors and possible problems' },
		],
		default: DEFAULT_SEVERITY,
		description: 'The least severe findings to report',
	},
	{
		displayName: 'Only With Findings',
		name: 'onlyWithFindings',
		type: 'boolean',
		default: true,
		description: `Whether to return only ${results} with findings`,
	},
];

export interface ReportOptions {
	minimumSeverity: Severity;
	onlyWithFindings: boolean;
}

export function readReportOptions(context: IExecuteFunctions, itemIndex: number): ReportOptions {
	const { minimumSeverity = DEFAULT_SEVERITY, onlyWithFindings = false } = context.getNodeParameter(
		'auditOptions',
		itemIndex,
		{},
	) as Partial<ReportOptions>;
	if (!SEVERITIES.includes(minimumSeverity)) {
		const problem = 'Unknown value for Minimum Severity';
		throw new NodeOperationError(context.getNode(), problem, { itemIndex });
	}
	const node = context.getNode();
	return {
		minimumSeverity,
		onlyWithFindings: readSwitch(node, 'Only With Findings', onlyWithFindings, itemIndex),
	};
}

export interface Verdict {
	/** False if there is a warning or an error, even one below Minimum Severity. */
	healthy: boolean;
	/** One line, ready for a message. */
	summary: string;
	/** The most severe first. */
	findings: Finding[];
}

interface Examined<Subject> {
	subject: Subject;
	name: string;
	/** Among equally severe findings, the summary shows the first. */
	found: Finding[];
	/** Follows "no problem found" in the summary. */
	restriction?: string;
}

/** @returns one result for each subject, the worst first */
export function report<Subject, Result>(
	examined: ReadonlyArray<Examined<Subject>>,
	toResult: (subject: Subject, verdict: Verdict) => Result,
	{ minimumSeverity, onlyWithFindings }: ReportOptions,
): Result[] {
	return examined
		.map((one) => ({ ...one, found: one.found.toSorted((a, b) => rankOf(b) - rankOf(a)) }))
		.sort(({ found: [a] }, { found: [b] }) => rankOf(b) - rankOf(a))
		.map(({ subject, name, found, restriction = '' }) => {
			const problems = found.filter(({ severity }) => severity !== 'info');
			const [worst, ...others] = problems;
			const text = worst?.message ?? `no problem found${restriction}`;
			const more = others.length === 0 ? '' : ` (${others.length} more)`;
			return {
				subject,
				healthy: worst === undefined,
				summary: `${inSentence(name)}: ${text}${more}`,
				findings: found.filter((one) => rankOf(one) >= SEVERITIES.indexOf(minimumSeverity)),
			};
		})
		.filter(({ findings }) => !onlyWithFindings || findings.length > 0)
		.map(({ subject, ...verdict }) => toResult(subject, verdict));
}

/** -1 without a finding. */
const rankOf = (finding: Finding | undefined): number =>
	finding === undefined ? -1 : SEVERITIES.indexOf(finding.severity);

/** A DKIM key of 4096 bits, which users copy, still fits. */
const MAX_LENGTH = 1100;

/** Text from the service or the DNS, on one line and of a bounded length. */
export function inSentence(text: string | null | undefined): string {
	return (text ?? '').slice(0, MAX_LENGTH).replace(/[\s\p{Cc}]+/gu, ' ');
}
