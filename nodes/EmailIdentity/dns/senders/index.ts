import { isReadAsSigned } from '../../email/asSigned';
import type { Pause } from '../../lib/pause';
import { Dmarc, type DmarcPolicy } from '../dmarc';
import { isSameOrganization, loadPublicSuffixes } from '../names';
import type { DnsResolver } from '../resolver';
import { readEmailText, readSenderDomain, type EmailText } from './email';
import { readReport, type Report, type ReportedAuthentication } from './reported';
import {
	askForKeys,
	chooseSignatures,
	OPEN_REASONS,
	SIGNATURE_REASONS,
	type Key,
	type Signature,
	type SignatureReason,
} from './signatures';
import { checkSignatures } from './verify';

export interface SignatureCheck {
	/** The domain that signed (d=), in ASCII. */
	domain: string;
	/** The name of its key (s=). */
	selector: string;
	/** Result of RFC 6376; unknown if the signature could not be checked. */
	result: 'fail' | 'pass' | 'unknown';
	/** Why it did not pass, in a few words; null if it did. */
	reason: string | null;
	/** Whether it is aligned with the domain of From (DMARC). */
	aligned: boolean;
}

/** Whether the email comes from the domain in its From: `delivery.authentication`. */
export interface Authentication {
	/**
	 * `pass`: a valid signature is aligned with the domain of From; `fail`: there are signatures, but none passes and is
	 * aligned; `none`: the email is not signed; `unknown`: it could not be checked.
	 */
	result: 'fail' | 'none' | 'pass' | 'unknown';
	/** Why it is not `pass`, in a sentence; null if it is. */
	reason: string | null;
	/** The domain of From, in ASCII; null if there is not exactly one. */
	domain: string | null;
	signatures: SignatureCheck[];
	/** How the domain wants receivers to handle forged mail (DMARC); null for no policy, `unknown` if the DNS did not answer. */
	policy: DmarcPolicy | 'unknown' | null;
	/** The topmost Authentication-Results; null if there is none. */
	reported: ReportedAuthentication | null;
}

export interface SenderCheck {
	authentication: Authentication;
	/** Whether the result is `unknown` because the DNS did not answer, so another attempt may succeed. */
	retryable: boolean;
	/** Whether a signature that proves the sender covers Reply-To. */
	coversReplyTo?: true;
	/** The reason if `retryable`. Contains hosts of resolvers, but nothing from an email. */
	because?: string;
}

export interface SenderCheckOptions {
	/** Looks up the keys of signatures and the policy of the domain. */
	resolver: DnsResolver;
	/**
	 * Names of servers (authserv-id, RFC 8601) whose Authentication-Results also prove a sender. They must remove fields that
	 * others add in their name (RFC 8601, 5), and must be the last servers that all mail passes.
	 */
	trustedServers: readonly string[];
	pause: Pause;
	/** Skips DNS lookups that cannot prove the sender. */
	onlyForProof?: boolean;
	/** Time of the check, because signatures expire. Default: now. */
	now?: Date;
}

/** Why the sender is not proved, for reasons other than signatures. */
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
	notSigned: 'The email is not signed.',
	readTwoWays: 'The meaning of the email depends on whitespace that the signature does not cover.',
} satisfies Record<string, string>;

type Reason = keyof typeof REASONS;

/** Data from the email. */
interface Read {
	rawEmail: string;
	email: EmailText;
	/** The domain of From. */
	domain: string | null;
	signatures: Signature[];
	report: Report | null;
}

/** Data from the DNS. */
interface Asked {
	keys: ReadonlyMap<string, Key>;
	policy: Authentication['policy'];
	/** Whether a domain may sign for the domain of From; undefined if unknown. */
	isAligned(signer: string): boolean | undefined;
}

const NOT_ASKED: Asked = { keys: new Map(), policy: 'unknown', isAligned: () => false };

type Verdict = Pick<Authentication, 'reason' | 'result'> & Pick<SenderCheck, 'retryable'>;

const because = (
	reason: Reason,
	result: 'fail' | 'none' | 'unknown',
	retryable = false,
): Verdict => ({ result, reason: REASONS[reason], retryable });

/**
 * Whether an email comes from the domain in its From. Only throws if the resolver does because the execution was cancelled.
 *
 * @param rawEmail RFC 5322 text with its attachments, decoded as UTF-8
 */
export async function checkSender(
	rawEmail: string | undefined,
	options: SenderCheckOptions,
): Promise<SenderCheck> {
	await loadPublicSuffixes();
	const read = await orFault(async () => await readSigned(rawEmail ?? '', options.trustedServers));
	if (typeof read === 'string') return notChecked(read);
	const isAsked = options.onlyForProof !== true || signersOf(read).length > 0 || isReported(read);
	const asked = isAsked ? await ask(read, options.resolver) : NOT_ASKED;
	const check = await orFault(async () => await conclude(read, asked, options));
	return typeof check === 'string' ? notChecked(check) : check;
}

async function orFault<Result>(work: () => Promise<Result>): Promise<Result | 'fault'> {
	return await work().catch(() => 'fault' as const);
}

function notChecked(reason: Reason): SenderCheck {
	const { retryable, ...verdict } = because(
		reason,
		reason === 'ambiguousHeader' ? 'fail' : 'unknown',
	);
	const nothing = { domain: null, signatures: [], policy: 'unknown' as const, reported: null };
	return { authentication: { ...verdict, ...nothing }, retryable };
}

async function readSigned(
	rawEmail: string,
	trustedServers: readonly string[],
): Promise<Read | Reason> {
	const email = readEmailText(rawEmail);
	if (typeof email === 'string') return email;
	const domain = readSenderDomain(email.fields);
	return {
		...{ rawEmail, email, domain },
		signatures: await chooseSignatures(email.fields, domain),
		report: await readReport(email.fields, trustedServers, domain),
	};
}

/** The domains that signed, or of which a trusted server reports it, and that may be aligned with the domain of From. */
function signersOf({ domain, signatures, report }: Read): string[] {
	const signers = [...signatures.map((signature) => signature.domain), ...(report?.signers ?? [])];
	return [...new Set(signers)].filter(
		(signer) => domain !== null && isSameOrganization(signer, domain),
	);
}

const isReported = ({ report }: Read): boolean => report?.isProof === true;

/** Throws if the execution was cancelled. */
async function ask(read: Read, resolver: DnsResolver): Promise<Asked> {
	const { domain, signatures } = read;
	if (domain === null) return { ...NOT_ASKED, keys: await askForKeys(signatures, resolver) };
	const dmarc = new Dmarc(domain, resolver);
	const signers = signersOf(read).map(
		async (signer) => [signer, await dmarc.isAligned(signer)] as const,
	);
	const [policy, keys, ...aligned] = await Promise.all([
		dmarc.policy(),
		askForKeys(signatures, resolver),
		...signers,
	]);
	const byDomain = new Map(aligned);
	const isAligned = (signer: string) => (byDomain.has(signer) ? byDomain.get(signer) : false);
	return { keys, policy, isAligned };
}

interface Proof {
	/** Null if it passed. */
	reason: SignatureReason | null;
	/** Whether it is aligned with the domain of From; undefined if the DNS did not answer. */
	aligned: boolean | undefined;
}

interface Checked extends Proof {
	signature: Signature;
}

async function conclude(
	read: Read,
	{ keys, policy, isAligned }: Asked,
	{ pause, now = new Date() }: SenderCheckOptions,
): Promise<SenderCheck> {
	const { rawEmail, email, domain, signatures, report } = read;
	const reasons = await checkSignatures(email, signatures, keys, { pause, now });
	const checked = signatures.map((signature, index) => ({
		signature,
		reason: reasons[index] ?? null,
		aligned: isAligned(signature.domain),
	}));
	const reported = isReported(read) ? [true] : (report?.signers ?? []).map(isAligned);
	const proofs = reported.map((aligned) => ({ aligned, reason: null }));
	const judged = judge(domain, [...checked, ...proofs.filter(({ aligned }) => aligned !== false)]);
	const isReadTwoWays = judged.result === 'pass' && !(await isReadAsSigned(rawEmail, pause));
	const { retryable, ...verdict } = isReadTwoWays ? because('readTwoWays', 'fail') : judged;
	const coversReplyTo =
		verdict.result === 'pass' &&
		checked.some(
			({ signature, reason, aligned }) =>
				reason === null && aligned === true && signature.covered.includes('reply-to'),
		);
	return {
		authentication: {
			...verdict,
			domain,
			signatures: checked.map(toOutput),
			policy,
			reported: report?.reported ?? null,
		},
		retryable,
		...(coversReplyTo && { coversReplyTo }),
	};
}

/** @param proofs signatures, and those that a trusted server reported as passed */
function judge(sender: string | null, proofs: readonly Proof[]): Verdict {
	if (proofs.length === 0) return because('notSigned', 'none');
	if (sender === null) return because('noSender', 'fail');
	const reasons = proofs.filter(({ aligned }) => aligned === true).map(({ reason }) => reason);
	if (reasons.includes(null)) return { result: 'pass', reason: null, retryable: false };
	const open = reasons.filter(isOpen);
	const isOpenByDns = open.includes('dnsFailed');
	const [unchecked] = isOpenByDns ? (['dnsFailed'] as const) : open;
	if (unchecked) {
		const reason = `The signature could not be checked: ${SIGNATURE_REASONS[unchecked]}.`;
		return { result: 'unknown', reason, retryable: isOpenByDns };
	}
	const mayCount = ({ aligned, reason }: Proof) =>
		aligned === undefined && (reason === null || isOpen(reason));
	if (proofs.some(mayCount)) return because('alignmentUnknown', 'unknown', true);
	const [failed] = reasons;
	if (!failed) return because('notAligned', 'fail');
	const reason = `The signature does not prove the sender: ${SIGNATURE_REASONS[failed]}.`;
	return { result: 'fail', reason, retryable: false };
}

const isOpen = (reason: SignatureReason | null): reason is SignatureReason =>
	reason !== null && OPEN_REASONS.has(reason);

function toOutput({ signature: { domain, selector }, reason, aligned }: Checked): SignatureCheck {
	return {
		domain,
		selector,
		result: reason === null ? 'pass' : isOpen(reason) ? 'unknown' : 'fail',
		reason: reason === null ? null : SIGNATURE_REASONS[reason],
		aligned: aligned ?? false,
	};
}
