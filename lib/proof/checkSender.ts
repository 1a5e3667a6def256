import type { ContentHeader, EmailText } from '../email';
import { asSigned, readAsSigned } from './asSigned';
import type { Pause } from '../basics';
import {
	Dmarc,
	type DmarcPolicy,
	type DnsResolver,
	isSameOrganization,
	loadPublicSuffixes,
} from '../dns';
import { PROOF_LIMITS, type ProofLimits } from './limits';
import { flawOf, readSenderDomain } from './senderDomain';
import { readReportedResults, type ReportedAuthentication } from './reportedResults';
import {
	chooseSignatures,
	SIGNATURE_REASONS,
	withKeys,
	type Signature,
	type SignatureReason,
} from './dkimSignatures';
import { checkSignatures } from './verifyDkim';

interface SignatureCheck {
	/** d=, in ASCII. */
	domain: string;
	selector: string;
	result: 'fail' | 'pass' | 'unknown';
	/** In a few words; null if it passed. */
	reason: string | null;
	aligned: boolean;
}

/** Whether the email comes from the domain in its From: `delivery.authentication`. */
export interface Authentication {
	/**
	 * `pass`: a valid signature is aligned with the domain of From; `fail`: there are signatures, but none passes and is
	 * aligned; `none`: the email is not signed; `unknown`: it could not be checked.
	 */
	result: 'fail' | 'none' | 'pass' | 'unknown';
	reason: string | null;
	/** The domain of From, in ASCII; null if there is not exactly one. */
	domain: string | null;
	signatures: SignatureCheck[];
	/** Null for no policy, `unknown` if the DNS did not answer. */
	policy: DmarcPolicy | 'unknown' | null;
	reported: ReportedAuthentication | null;
}

export interface SenderCheck {
	authentication: Authentication;
	/** Whether the result is `unknown` because the DNS did not answer, so another attempt may succeed. */
	retryable: boolean;
	/** By a signature that proves the sender. */
	coversReplyTo?: true;
	/** If the sender is proved: how the body is read, if no signature covers all content fields of the header. */
	content?: ContentHeader;
	/** The reason if `retryable`. Contains hosts of resolvers, but nothing from an email. */
	because?: string;
}

export interface SenderCheckOptions {
	resolver: DnsResolver;
	/**
	 * Names of servers (authserv-id, RFC 8601) whose Authentication-Results also prove a sender. They must remove fields that
	 * others add in their name (RFC 8601, 5), and must be the last servers that all mail passes.
	 */
	trustedServers: readonly string[];
	pause: Pause;
	/** Skips DNS lookups that cannot prove the sender. */
	onlyForProof?: boolean;
	now?: Date;
	limits?: Partial<ProofLimits>;
}

const REASONS = {
	alignmentUnknown:
		'The DNS did not answer whether a related domain may sign for the domain in From. Try again later.',
	ambiguousHeader: 'The header is malformed, so it is not certain what was signed.',
	fault: 'The check failed because of a fault in this node, not in the email. Please report it.',
	longHeader: 'The header of the email is too long to check.',
	longLine: 'The email has a line that is too long to check.',
	missing: 'The raw email is missing, so there is nothing to check.',
	noSender: 'From does not contain exactly one plainly written address.',
	notAligned: 'The email is signed, but not by the domain in From.',
	notSigned: 'The email is not signed, so anyone could have sent it.',
	contentNotSigned:
		'The signature does not cover how the content is read (Content-Type, Content-Transfer-Encoding and Content-Disposition), and the content alone does not show the same.',
	readTwoWays: 'The meaning of the email depends on whitespace that the signature does not cover.',
} satisfies Record<string, string>;

type Reason = keyof typeof REASONS;

type Verdict = Pick<Authentication, 'reason' | 'result'> & Pick<SenderCheck, 'retryable'>;

const because = (
	reason: Reason,
	result: 'fail' | 'none' | 'unknown',
	retryable = false,
): Verdict => ({ result, reason: REASONS[reason], retryable });

/** @param email what the reader of the email gets, too */
export async function checkSender(
	email: EmailText,
	options: SenderCheckOptions,
): Promise<SenderCheck> {
	return await check(email, options).catch(() => notChecked('fault'));
}

function notChecked(reason: Reason): SenderCheck {
	const result = reason === 'ambiguousHeader' ? 'fail' : 'unknown';
	const nothing = { domain: null, signatures: [], policy: 'unknown' as const, reported: null };
	return { authentication: { result, reason: REASONS[reason], ...nothing }, retryable: false };
}

interface Proof {
	/** Null if it passed. */
	reason: SignatureReason | null;
	/** Undefined if the DNS did not answer. */
	aligned: boolean | undefined;
}

async function check(
	email: EmailText,
	{ resolver, trustedServers, onlyForProof, now = new Date(), ...given }: SenderCheckOptions,
): Promise<SenderCheck> {
	const limits = { ...PROOF_LIMITS, ...given.limits };
	const bounds = { limits, pause: given.pause };
	await loadPublicSuffixes();
	const flaw = flawOf(email, limits);
	if (flaw !== undefined) return notChecked(flaw);
	const signed = asSigned(email);
	const domain = readSenderDomain(signed.fields, limits);
	const chosen = await chooseSignatures(signed.fields, domain, limits);
	const report = await readReportedResults(signed.fields, trustedServers, domain, limits);
	const { reported, proved } = report;
	const signers = chosen.map((signature) => signature.domain);

	const isAsked =
		!onlyForProof || [...signers, ...proved].some((signer) => isSameOrganization(signer, domain));
	const dmarc = isAsked && domain !== null ? new Dmarc(domain, resolver) : undefined;
	const isAligned = async (signer: string) =>
		dmarc !== undefined && (await dmarc.isAligned(signer));
	const [policy = 'unknown', signatures, aligned, alignedReports] = await Promise.all([
		dmarc?.policy(),
		isAsked ? withKeys(chosen, resolver, limits) : chosen,
		Promise.all(signers.map(isAligned)),
		Promise.all(proved.map(isAligned)),
	]);

	const reasons = await checkSignatures(email, signatures, now, bounds);
	const checked = signatures.map((signature, index) => ({
		signature,
		reason: reasons[index] ?? null,
		aligned: aligned[index],
	}));
	const reports = alignedReports.map((one) => ({ reason: null, aligned: one }));
	const proofs = [...checked, ...reports.filter((report) => report.aligned !== false)];
	const judged = judge(domain, proofs);
	const outputs = checked.map((one) => toOutput(one.signature, one));
	const checkWith = ({ retryable, ...verdict }: Verdict): SenderCheck => ({
		authentication: { ...verdict, domain, signatures: outputs, policy, reported },
		retryable,
	});
	if (judged.result !== 'pass') return checkWith(judged);
	const passed = checked.filter(({ reason, aligned }) => reason === null && aligned === true);
	const covered = passed.map(({ signature }) => signature.covered);
	const read = await readAsSigned(signed, covered, bounds);
	if (typeof read === 'string') return checkWith(because(read, 'fail'));
	const coversReplyTo = covered.some((names) => names.includes('reply-to'));
	return { ...checkWith(judged), ...read, ...(coversReplyTo && { coversReplyTo }) };
}

/** @param proofs signatures, and those that a trusted server reported as passed */
function judge(sender: string | null, proofs: readonly Proof[]): Verdict {
	if (proofs.length === 0) return because('notSigned', 'none');
	if (sender === null) return because('noSender', 'fail');
	const reasons = proofs.filter(({ aligned }) => aligned === true).map(({ reason }) => reason);
	if (reasons.includes(null)) return { result: 'pass', reason: null, retryable: false };
	const open = reasons.filter(isOpen);
	const unchecked = open.find((reason) => reason === 'dnsFailed') ?? open[0];
	if (unchecked) {
		const reason = `The signature could not be checked: ${SIGNATURE_REASONS[unchecked]}.`;
		return { result: 'unknown', reason, retryable: unchecked === 'dnsFailed' };
	}
	const mayCount = ({ aligned, reason }: Proof) =>
		aligned === undefined && (reason === null || isOpen(reason));
	if (proofs.some(mayCount)) return because('alignmentUnknown', 'unknown', true);
	const [failed] = reasons;
	if (!failed) return because('notAligned', 'fail');
	const reason = `The signature does not prove the sender: ${SIGNATURE_REASONS[failed]}.`;
	return { result: 'fail', reason, retryable: false };
}

const isOpen = (reason: SignatureReason | null) =>
	reason === 'charactersLost' || reason === 'dnsFailed';

function toOutput({ domain, selector }: Signature, { reason, aligned = false }: Proof) {
	if (reason === null) return { domain, selector, result: 'pass' as const, reason, aligned };
	const result = isOpen(reason) ? ('unknown' as const) : ('fail' as const);
	return { domain, selector, result, reason: SIGNATURE_REASONS[reason], aligned };
}
