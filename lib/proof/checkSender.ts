import { type EmailText, isNoEmail, type OpenedEmail } from '../email';
import type { Pause } from '../basics';
import {
	Dmarc,
	type DmarcPolicy,
	type DnsResolver,
	isSameOrganization,
	loadPublicSuffixes,
} from '../dns';
import { asSigned, withSingleSpaces } from './asSigned';
import { CanonicalBody } from './canonicalBody';
import { bestCoverage, countFields, coveredByAll, signedNames, type Covers } from './coverage';
import { readSenderDomain } from './senderDomain';
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
	/** The names of the fields that a signature covers which proves the sender, each as often as it occurs. */
	signed: string[];
	/** Only with `pass`: whether the signature also covers how the content is read. */
	contentSigned?: boolean;
	signatures: SignatureCheck[];
	/** Null for no policy, `unknown` if the DNS did not answer. */
	policy: DmarcPolicy | 'unknown' | null;
	reported: ReportedAuthentication | null;
}

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
	/** Skips DNS lookups that cannot prove the sender. */
	onlyForProof?: boolean;
	now?: Date;
}

const REASONS = {
	alignmentUnknown:
		'The DNS did not answer whether a related domain may sign for the domain in From. Try again later.',
	ambiguousHeader: 'The header is malformed, so it is not certain what was signed.',
	fault: 'The check failed because of a fault in this node, not in the email. Please report it.',
	longHeader: 'The header of the email is too long to check.',
	missing: 'The raw email is missing, so there is nothing to check.',
	noSender: 'From does not contain exactly one plainly written address.',
	notAligned: 'The email is signed, but not by the domain in From.',
	notSigned: 'The email is not signed, so anyone could have sent it.',
	notParsed: 'The email could not be parsed completely, so its sender could not be checked.',
	outsideParts:
		'The signature does not cover Content-Type, and with it parts of the email would not be shown, so it may not be the Content-Type of the sender.',
} satisfies Record<string, string>;

type Reason = keyof typeof REASONS;

type Verdict = Pick<Authentication, 'reason' | 'result'> & Pick<SenderCheck, 'retryable'>;

const because = (
	reason: Reason,
	result: 'fail' | 'none' | 'unknown',
	retryable = false,
): Verdict => ({ result, reason: REASONS[reason], retryable });

/** @param email as it arrived: a passing email must be read from what this returns */
export async function checkSender(
	email: EmailText,
	options: SenderCheckOptions,
): Promise<SenderCheck> {
	return await check(email, options).catch(() => notChecked('fault'));
}

function notChecked(reason: Reason): NotProved {
	const result = reason === 'ambiguousHeader' ? 'fail' : 'unknown';
	return { authentication: notCheckedBecause(REASONS[reason], result), retryable: false };
}

/** Of an email that was not checked. */
export function notCheckedBecause(
	reason: string,
	result: 'fail' | 'unknown' = 'unknown',
): Authentication {
	const nothing = { signatures: [], policy: 'unknown' as const, reported: null };
	return { result, reason, domain: null, signed: [], ...nothing };
}

interface Proof {
	/** Null if it passed. */
	reason: SignatureReason | null;
	/** Undefined if the DNS did not answer. */
	aligned: boolean | undefined;
}

async function check(
	written: EmailText,
	{ resolver, trustedServers, pause, open, onlyForProof, now = new Date() }: SenderCheckOptions,
): Promise<SenderCheck> {
	await loadPublicSuffixes();
	if (written.flaw !== undefined) return notChecked(written.flaw);
	if (isNoEmail(written)) return notChecked('missing');
	const email = withSingleSpaces(written);
	const { fields } = email;
	const domain = readSenderDomain(fields);
	const { chosen, areAllKnown } = chooseSignatures(fields, domain);
	const report = readReportedResults(fields, trustedServers, domain);
	const { reported, proved } = report;
	const signers = chosen.map((signature) => signature.domain);

	const isAsked =
		!onlyForProof || [...signers, ...proved].some((signer) => isSameOrganization(signer, domain));
	const dmarc = isAsked && domain !== null ? new Dmarc(domain, resolver) : undefined;
	const isAligned = async (signer: string) =>
		dmarc !== undefined && (await dmarc.isAligned(signer));
	const [policy = 'unknown', signatures, aligned, alignedReports] = await Promise.all([
		dmarc?.policy(),
		isAsked ? withKeys(chosen, resolver) : chosen,
		Promise.all(signers.map(isAligned)),
		Promise.all(proved.map(isAligned)),
	]);

	const body = new CanonicalBody(email.body, pause);
	const reasons = await checkSignatures(email, body, signatures, now, pause);
	const checked = signatures.map((signature, index) => ({
		signature,
		reason: reasons[index] ?? null,
		aligned: aligned[index],
	}));
	// The server may have meant any signature of the organization, also one that is not aligned by our reading of DMARC, and
	// others can add any number of them: so each must be sound.
	const related = checked.filter(({ signature }) => isSameOrganization(signature.domain, domain));
	const isSound = areAllKnown && related.every(({ signature }) => signature.isSound);
	const reports = (isSound ? alignedReports : [])
		.filter((one) => one !== false)
		.map((one) => ({ reason: null, aligned: one }));
	const judged = judge(domain, [...checked, ...reports]);
	const outputs = checked.map((one) => toOutput(one.signature, one));
	const details = { signatures: outputs, policy, reported };
	const notProved = ({ retryable, ...verdict }: Verdict): NotProved => ({
		authentication: { ...verdict, domain, signed: [], ...details },
		retryable,
	});
	if (judged.result !== 'pass') return notProved(judged);

	const counts = countFields(fields);
	const passed = checked.filter(({ reason, aligned }) => reason === null && aligned === true);
	const best = bestCoverage(
		passed.map(({ signature }) => signature.covers),
		counts,
	);
	const covers = best ?? coveredByAll(related.map(({ signature }) => signature.covers));
	const opened = await open(await asSigned(email, body, covers));
	const isSigned = related.length > 0;
	const content = judgeContent(opened, covers, isSigned);
	if (typeof content !== 'boolean') return notProved(content);
	const signed = signedNames(covers, counts);
	return {
		authentication: {
			result: 'pass',
			reason: null,
			domain,
			signed,
			contentSigned: content,
			...details,
		},
		retryable: false,
		email: opened,
	};
}

/**
 * Whether nobody else can have chosen how the content is read. Without a signed Content-Type, an email can be sent again with
 * another one: so everything in the body must be shown, and its characters must mean the same.
 */
function judgeContent(
	{ shape }: OpenedEmail,
	covers: Covers,
	isSigned: boolean,
): Verdict | boolean {
	if (shape === undefined) return because('notParsed', 'unknown');
	const { isMultipart, isRepaired, hasMoreThanParts, isAsciiKept } = shape;
	if (covers('content-type'))
		return covers('content-transfer-encoding') || (isMultipart && !isRepaired);
	const isWhole = isAsciiKept && !(isMultipart && hasMoreThanParts);
	return isSigned && !isWhole ? because('outsideParts', 'fail') : false;
}

/** @param proofs signatures, and those that a trusted server reported as passed */
function judge(sender: string | null, proofs: readonly Proof[]): Verdict {
	if (proofs.length === 0) return because('notSigned', 'none');
	if (sender === null) return because('noSender', 'fail');
	const reasons = proofs.filter(({ aligned }) => aligned === true).map(({ reason }) => reason);
	if (reasons.includes(null)) return { result: 'pass', reason: null, retryable: false };
	const open = reasons.filter(isUnverified);
	const unverified = open.find((reason) => reason === 'dnsFailed') ?? open[0];
	if (unverified) {
		const reason = `The signature could not be checked: ${SIGNATURE_REASONS[unverified]}.`;
		return { result: 'unknown', reason, retryable: unverified === 'dnsFailed' };
	}
	const mayCount = ({ aligned, reason }: Proof) =>
		aligned === undefined && (reason === null || isUnverified(reason));
	if (proofs.some(mayCount)) return because('alignmentUnknown', 'unknown', true);
	const [failed] = reasons;
	if (!failed) return because('notAligned', 'fail');
	const reason = `The signature does not prove the sender: ${SIGNATURE_REASONS[failed]}.`;
	return { result: 'fail', reason, retryable: false };
}

const isUnverified = (reason: SignatureReason | null) =>
	reason === 'charactersLost' || reason === 'dnsFailed';

function toOutput({ domain, selector }: Signature, { reason, aligned = false }: Proof) {
	if (reason === null) return { domain, selector, result: 'pass' as const, reason, aligned };
	const result = isUnverified(reason) ? ('unknown' as const) : ('fail' as const);
	return { domain, selector, result, reason: SIGNATURE_REASONS[reason], aligned };
}
