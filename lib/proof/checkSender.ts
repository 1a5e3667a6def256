import { type EmailText, isAbsent, type OpenedEmail } from '../email';
import type { Pause } from '../basics';
import { type DnsResolver, loadPublicSuffixes } from '../dns';
import { asSigned } from './asSigned';
import { type Authentication, notCheckedBecause, type SignatureCheck } from './authentication';
import { CanonicalBody } from './canonicalBody';
import { type Claims, readClaims } from './claims';
import { bestCoverage, countFields, coveredByAll, signedNames, type Covers } from './coverage';
import { findDnsFacts, type DnsFacts } from './dnsFacts';
import { judgeContent } from './content';
import { mayBeValid, REASONS, SIGNATURE_REASONS } from './reasons';
import { shownDomain } from './senderDomain';
import { judge, type Proof, type Verdict } from './verdict';
import { checkSignatures, type CheckedSignature } from './verifyDkim';

/** The sender is proved: the email as it was signed. It must be read from this value alone. */
export interface Proved {
	authentication: Authentication;
	retryable: false;
	email: OpenedEmail;
}

export interface NotProved {
	authentication: Authentication;
	/** Whether the result is `unknown` because the DNS did not answer, so another attempt may succeed. */
	retryable: boolean;
	email?: undefined;
}

export type SenderCheck = Proved | NotProved;

export interface SenderCheckOptions {
	resolver: DnsResolver;
	/**
	 * Names of servers (authserv-id, RFC 8601) whose Authentication-Results also prove a sender. They must remove fields that
	 * others add in their name (RFC 8601, 5), and must be the last servers that all mail passes.
	 */
	trustedServers: readonly string[];
	pause: Pause;
	/** Opens the email if its sender is proved. */
	open(email: EmailText): Promise<OpenedEmail>;
	/** Skips DNS lookups that cannot prove the sender. Default: false. */
	onlyForProof?: boolean;
	/** Default: the time of the computer. */
	now?: Date;
}

/**
 * Checks whether an email comes from the domain in its From (RFC 6376, RFC 9989, RFC 8601). Never fails.
 *
 * @param email as it arrived: a passing email must be read from what this returns
 */
export async function checkSender(
	email: EmailText,
	options: SenderCheckOptions,
): Promise<SenderCheck> {
	if (email.flaw === 'ambiguousHeader') return notChecked(REASONS.ambiguousHeader, 'fail');
	if (email.flaw === 'longHeader') return notChecked(REASONS.longHeader);
	if (isAbsent(email)) return notChecked(REASONS.missing);
	try {
		return await check(email, options);
	} catch {
		return notChecked(REASONS.fault);
	}
}

function notChecked(reason: string, result: 'fail' | 'unknown' = 'unknown'): NotProved {
	return { authentication: notCheckedBecause(reason, result), retryable: false };
}

/** In four steps: what the email claims, what the DNS says, whether that proves the sender, and the email as it was signed. */
async function check(written: EmailText, options: SenderCheckOptions): Promise<SenderCheck> {
	const { resolver, trustedServers, pause, open, onlyForProof = false } = options;
	const suffixes = await loadPublicSuffixes();
	const claims = readClaims(written, trustedServers, suffixes);
	if (onlyForProof && !claims.mayProveSender) return notAsked(claims);

	const facts = await findDnsFacts(claims, resolver, suffixes);

	const { email, domain } = claims;
	const body = new CanonicalBody(email.body, pause);
	const now = options.now ?? new Date();
	const signatures = await checkSignatures({ email, body }, facts.signatures, now, pause);
	const verdict = judge(domain, [...signatures, ...reportsThatCount(facts)]);
	const details = detailsOf(claims, facts, signatures);
	if (verdict.result !== 'pass') return notProved(verdict, domain, details);

	const covers = coverageOfProof(claims, signatures);
	const opened = await open(await asSigned(email, body, covers));
	const content = await judgeContent(opened, covers, claims.ownSignatures.length > 0);
	if (content.verdict !== undefined) return notProved(content.verdict, domain, details);
	// In its charset, From may show another address than before.
	if (shownDomain(opened.from) !== domain) return notProved(noSender, domain, details);
	const signed = signedNames(covers, countFields(email.fields));
	const authentication: Authentication = {
		result: verdict.result,
		reason: null,
		domain,
		signed,
		contentSigned: content.isSigned,
		...details,
	};
	return { authentication, retryable: false, email: opened };
}

const noSender: Verdict = { result: 'fail', reason: REASONS.noSender, retryable: false };

/** What a server reported about other domains says nothing about the sender. */
function reportsThatCount({ reports }: DnsFacts): Proof[] {
	const related = reports.filter((alignment) => alignment !== 'notAligned');
	return related.map((alignment) => ({ reason: null, alignment }));
}

type Details = Pick<Authentication, 'policy' | 'reported' | 'signatures'>;

function detailsOf(
	{ reported }: Claims,
	{ policy }: DnsFacts,
	signatures: readonly CheckedSignature[],
): Details {
	return { signatures: signatures.map(toOutput), policy, reported };
}

/** No signature or report could prove the sender, so neither the DNS nor the signatures matter. */
function notAsked({ domain, reported, signatures }: Claims): NotProved {
	const proofs = signatures.map((): Proof => ({ reason: null, alignment: 'notAligned' }));
	const verdict = judge(domain, proofs);
	return notProved(verdict, domain, { signatures: [], policy: 'unknown', reported });
}

function notProved(verdict: Verdict, domain: string | null, details: Details): NotProved {
	const { result, reason, retryable } = verdict;
	return { authentication: { result, reason, domain, signed: [], ...details }, retryable };
}

/** What the signature that proves the sender covers; if only a server's result does, what each of the organization covers. */
function coverageOfProof(
	{ email, ownSignatures }: Claims,
	signatures: readonly CheckedSignature[],
): Covers {
	const proving: Covers[] = [];
	for (const { signature, reason, alignment } of signatures) {
		if (reason === null && alignment === 'aligned') proving.push(signature.covers);
	}
	const best = bestCoverage(proving, countFields(email.fields));
	return best ?? coveredByAll(ownSignatures.map(({ covers }) => covers));
}

function toOutput({ signature, reason, alignment }: CheckedSignature): SignatureCheck {
	const { domain, selector } = signature;
	const aligned = alignment === 'aligned';
	if (reason === null) return { domain, selector, result: 'pass', reason, aligned };
	const result = mayBeValid(reason) ? 'unknown' : 'fail';
	return { domain, selector, result, reason: SIGNATURE_REASONS[reason], aligned };
}
