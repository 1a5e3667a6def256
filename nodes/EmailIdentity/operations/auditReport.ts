import type { ReportOptions } from './auditOptions';
import { inSentence, SEVERITIES, type Finding } from './findings';

/** The part of an audit's output that is the same for webhooks and identities. */
export interface AuditVerdict {
	/** False if there is a warning or an error, even one below Minimum Severity. */
	healthy: boolean;
	/** All problems and reported notes in one line, ready for a message. */
	summary: string;
	/** The most severe first. */
	findings: Finding[];
}

/** What was audited, with its findings before they are filtered. */
export interface Examined<Result> {
	/** Begins the summary. */
	name: string;
	found: Finding[];
	/** Follows "No problem found" in the summary. */
	caveat?: string | undefined;
	toResult(verdict: AuditVerdict): Result;
}

/** @returns the results, the worst first */
export function report<Result>(
	examined: ReadonlyArray<Examined<Result>>,
	{ minimumSeverity, onlyWithFindings }: ReportOptions,
): Result[] {
	const minimumRank = SEVERITIES.indexOf(minimumSeverity);
	const isReported = (finding: Finding) => rankOf(finding) >= minimumRank;

	const results: Result[] = [];
	for (const { name, found, caveat = '', toResult } of worstFirst(examined)) {
		const findings = found.filter(isReported);
		if (onlyWithFindings && findings.length === 0) continue;

		const healthy = found.every(({ severity }) => severity === 'info');
		const sentences: string[] = [];
		if (healthy) sentences.push(`No problem found${caveat}.`);
		for (const finding of found) {
			const isNote = finding.severity === 'info';
			if (!isNote || isReported(finding)) sentences.push(finding.message);
		}
		const summary = `${inSentence(name)}: ${sentences.join(' ')}`;
		results.push(toResult({ healthy, summary, findings }));
	}
	return results;
}

/** Sorts the findings of each, then all by their worst finding. */
function worstFirst<Result>(examined: ReadonlyArray<Examined<Result>>): Array<Examined<Result>> {
	const sorted = examined.map((one) => {
		const found = one.found.toSorted((a, b) => rankOf(b) - rankOf(a));
		return { ...one, found };
	});
	return sorted.sort((a, b) => rankOf(b.found[0]) - rankOf(a.found[0]));
}

/** -1 without a finding. */
function rankOf(finding: Finding | undefined): number {
	if (finding === undefined) return -1;
	return SEVERITIES.indexOf(finding.severity);
}
