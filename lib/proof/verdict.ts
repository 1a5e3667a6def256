import type { Alignment } from '../dns';
import { mayBeValid, REASONS, SIGNATURE_REASONS, type SignatureReason } from './reasons';

/** A signature, or what a trusted server reported as passed. */
export interface Proof {
	/** Null if it passed. */
	reason: SignatureReason | null;
	/** Whether its domain may sign for that of From. */
	alignment: Alignment;
}

export interface Verdict {
	result: 'fail' | 'none' | 'pass' | 'unknown';
	/** In a sentence; null if it passed. */
	reason: string | null;
	/** Whether the result is `unknown` because the DNS did not answer, so another attempt may succeed. */
	retryable: boolean;
}

/**
 * Whether one of these proves the sender.
 *
 * @param sender the domain of From; null if there is not exactly one
 */
export function judge(sender: string | null, proofs: readonly Proof[]): Verdict {
	if (proofs.length === 0) return negative('none', REASONS.notSigned);
	if (sender === null) return negative('fail', REASONS.noSender);
	const reasons = proofs
		.filter(({ alignment }) => alignment === 'aligned')
		.map(({ reason }) => reason);
	if (reasons.includes(null)) return { result: 'pass', reason: null, retryable: false };

	if (reasons.includes('dnsFailed')) return notVerified('dnsFailed', true);
	if (reasons.includes('charactersLost')) return notVerified('charactersLost', false);
	if (proofs.some(mayBeAligned)) {
		return { result: 'unknown', reason: REASONS.alignmentUnknown, retryable: true };
	}
	const failed = reasons.find((reason) => reason !== null);
	if (failed === undefined || failed === null) return negative('fail', REASONS.notAligned);
	const why = SIGNATURE_REASONS[failed];
	return negative('fail', `The signature does not prove the sender: ${why}.`);
}

function negative(result: 'fail' | 'none', reason: string): Verdict {
	return { result, reason, retryable: false };
}

function notVerified(because: SignatureReason, retryable: boolean): Verdict {
	const reason = `The signature could not be checked: ${SIGNATURE_REASONS[because]}.`;
	return { result: 'unknown', reason, retryable };
}

/** Whether it would prove the sender if the DNS said that its domain is aligned. */
function mayBeAligned({ alignment, reason }: Proof): boolean {
	return alignment === 'unknown' && (reason === null || mayBeValid(reason));
}
