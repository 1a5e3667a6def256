import type { DomainCheck } from '../../dns/audit';
import type { RecordDetail } from '../../dns/audit/required';
import type { Identity } from '../../api/types';
import type { Setup } from './setups';

/** From harmless to broken. */
export const SEVERITIES = ['info', 'warning', 'error'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** What the rules may look at besides the identity itself. */
export interface AuditContext {
	setup: Setup;
	/** The domain identity that an address hangs on; undefined when the account can see none. */
	domainIdentity: Identity | undefined;
	/** Since when the identity is as it is; undefined when the service does not say. */
	age: Age | undefined;
	/** For how many days an identity may wait for its verification. */
	staleAfterDays: number;
	/** What the DNS says of it; undefined where it was not asked. */
	dns: DomainCheck | undefined;
}

/** A time that the service really sets, and how long ago it was. */
export interface Age {
	/** `changed` only where the service was seen to change its time of the last change. */
	since: 'added' | 'changed';
	days: number;
}

/** Something that a rule found. */
export interface Occurrence {
	/** What is wrong, and what to do about it, for people who know neither DNS nor the API. */
	message: string;
	/** The DNS record that has to be changed. */
	record?: RecordDetail;
}

/** What can be wrong with an identity. */
export interface AuditRule {
	/** Stays as it is once released: workflows compare it. */
	code: string;
	severity: Severity;
	/** In which it holds. In the others, what it looks for is no fault. */
	setups: readonly Setup[];
	find(identity: Identity, context: AuditContext): Occurrence[];
}

/** Longer than an address can be (RFC 5321, section 4.5.3.1). */
const LONGEST_WORD = 320;

/**
 * What a service or the DNS calls something, for a sentence: on one line, of a bounded length.
 *
 * @param longest how many characters of it are shown
 */
export function inSentence(word: string | null, longest = LONGEST_WORD): string {
	return (word ?? '').slice(0, longest).replace(/[\s\p{Cc}]+/gu, ' ');
}
