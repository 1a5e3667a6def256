import type { RecordDetail } from '../../../lib/dns';

/** How bad a finding is. */
export type Severity = 'info' | 'warning' | 'error';

/** From harmless to broken. */
export const SEVERITIES: readonly Severity[] = ['info', 'warning', 'error'];

export interface Finding {
	/** Must not change after the release, because workflows compare it. */
	code: string;
	severity: Severity;
	/** The problem and its solution, for people who know neither DNS nor the API. */
	message: string;
	/** The DNS record to change. */
	record?: RecordDetail;
}

/** The sentences of a message: the problem, then its solution. Empty ones are left out. */
export type Sentences = readonly string[];

export function toMessage(sentences: Sentences): string {
	return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Looks for one problem. @returns undefined if what is audited does not have it */
export type AuditRule<Audited> = (audited: Audited) => Sentences | undefined;

/** Rules by severity and code. */
export type AuditRules<Audited> = Record<Severity, Record<string, AuditRule<Audited>>>;

export function findingsOf<Audited>(rules: AuditRules<Audited>, audited: Audited): Finding[] {
	const findings: Finding[] = [];
	for (const severity of SEVERITIES) {
		for (const [code, rule] of Object.entries(rules[severity])) {
			const sentences = rule(audited);
			if (sentences) findings.push({ code, severity, message: toMessage(sentences) });
		}
	}
	return findings;
}

/** A DKIM key of 4096 bits, which users copy, still fits. */
const MAX_QUOTED = 1100;

/** Text from the service or the DNS, on one line and of a bounded length. */
export function inSentence(text: string | null | undefined): string {
	return (text ?? '').slice(0, MAX_QUOTED).replace(/[\0-\x20\x7f-\x9f\s]+/g, ' ');
}
