import { isReadAsSigned } from '../../email/asSigned';
import type { Pause } from '../../lib/pause';
import { askForPolicy, isAligned, type Alignment, type PublishedPolicy } from '../dmarc';
import { loadPublicSuffixes } from '../names';
import type { DnsResolver } from '../resolver';
import { readEmailText, readSenderDomain, type EmailText } from './email';
import { readReport, type Report } from './reported';
import {
	EMAIL_REASONS,
	OPEN_REASONS,
	SIGNATURE_REASONS,
	type Authentication,
	type EmailReason,
	type SenderCheck,
	type SignatureCheck,
	type SignatureReason,
} from './result';
import { askForKeys, chooseSignatures, type Key, type Signature } from './signatures';
import { checkSignatures, hasDoubledFields } from './verify';

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
	/** Undefined if unknown. */
	policy: PublishedPolicy | undefined;
}

/** A signature with its result. */
interface Checked {
	signature: Signature;
	/** Null if it passed. */
	reason: SignatureReason | null;
	/** Whether it is aligned with the domain of From; undefined if this depends on an unknown policy. */
	aligned: boolean | undefined;
}

type Verdict = Pick<Authentication, 'reason' | 'result'> & Pick<SenderCheck, 'retryable'>;

const PROVED: Verdict = { result: 'pass', reason: null, retryable: false };

const ALIGNMENT_UNKNOWN: Verdict = {
	...{ result: 'unknown', retryable: true },
	reason: EMAIL_REASONS.alignmentUnknown,
};

const because = (reason: EmailReason, result: 'fail' | 'none' | 'unknown'): Verdict => ({
	...{ result, reason: EMAIL_REASONS[reason], retryable: false },
});

/**
 * Whether an email comes from the domain in its From.
 *
 * @param rawEmail RFC 5322 text with its attachments, decoded as UTF-8; undefined or `''` if missing
 * @returns only fails if the resolver fails because the execution was cancelled
 */
export async function checkSender(
	rawEmail: string | undefined,
	options: SenderCheckOptions,
): Promise<SenderCheck> {
	await loadPublicSuffixes();
	const read = await orFault(async () => await readSigned(rawEmail ?? '', options.trustedServers));
	if (typeof read === 'string') return notChecked(read);
	const isAsked = options.onlyForProof !== true || mayBeProved(read);
	const asked = isAsked ? await ask(read, options.resolver) : NOT_ASKED;
	const check = await orFault(async () => await conclude(read, asked, options));
	return typeof check === 'string' ? notChecked(check) : check;
}

async function orFault<Result>(work: () => Promise<Result>): Promise<Result | 'fault'> {
	return await work().catch(() => 'fault' as const);
}

function notChecked(reason: EmailReason): SenderCheck {
	const result = reason === 'ambiguousHeader' ? 'fail' : 'unknown';
	const nothing = { domain: null, signatures: [], policy: 'unknown' as const, reported: null };
	return {
		authentication: { result, reason: EMAIL_REASONS[reason], ...nothing },
		retryable: false,
	};
}

async function readSigned(
	rawEmail: string,
	trustedServers: readonly string[],
): Promise<EmailReason | Read> {
	const email = readEmailText(rawEmail);
	if (typeof email === 'string') return email;
	const domain = readSenderDomain(email.fields);
	return {
		...{ rawEmail, email, domain },
		signatures: await chooseSignatures(email.fields, domain),
		report: await readReport(email.fields, trustedServers),
	};
}

function mayBeProved(read: Read): boolean {
	const { domain, signatures } = read;
	const isSigned =
		domain !== null && signatures.some((one) => isAligned(one.domain, domain, 'relaxed'));
	return isSigned || isReported(read, { policy: null, alignment: 'relaxed' }) === true;
}

const NOT_ASKED: Asked = { keys: new Map(), policy: undefined };

/** Throws if the execution was cancelled. */
async function ask({ domain, signatures }: Read, resolver: DnsResolver): Promise<Asked> {
	const [policy, keys] = await Promise.all([
		domain === null ? undefined : askForPolicy(domain, resolver),
		askForKeys(signatures, resolver),
	]);
	return { keys, policy };
}

async function conclude(
	read: Read,
	{ keys, policy }: Asked,
	{ pause, now = new Date() }: SenderCheckOptions,
): Promise<SenderCheck> {
	const { rawEmail, email, domain, signatures, report } = read;
	const reasons = await checkSignatures(email, signatures, keys, { pause, now });
	const checked = signatures.map((signature, index) => ({
		signature,
		reason: reasons[index] ?? null,
		aligned:
			domain !== null && byPolicy(policy, (mode) => isAligned(signature.domain, domain, mode)),
	}));
	const judged = judge(domain, checked, isReported(read, policy));
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
			policy: policy === undefined ? 'unknown' : policy.policy,
			reported: report?.reported ?? null,
		},
		retryable,
		...(coversReplyTo && { coversReplyTo }),
	};
}

/** Whether the report of a server proves the domain of From; undefined if this depends on an unknown policy. */
function isReported(
	{ email, domain, report }: Read,
	policy: PublishedPolicy | undefined,
): boolean | undefined {
	if (domain === null || report === null || hasDoubledFields(email.fields)) return false;
	return byPolicy(policy, (mode) => report.proves(domain, mode));
}

/** Evaluates a policy; undefined if it is unknown and makes a difference. */
function byPolicy(
	policy: PublishedPolicy | undefined,
	holds: (alignment: Alignment) => boolean,
): boolean | undefined {
	if (policy) return holds(policy.alignment);
	const strict = holds('strict');
	return strict === holds('relaxed') ? strict : undefined;
}

/** The report of a server can prove the sender if signatures do not. The result is open while the report may. */
function judge(
	sender: string | null,
	checked: readonly Checked[],
	isReported: boolean | undefined,
): Verdict {
	const bySignatures = judgeSignatures(sender, checked);
	if (isReported === true || bySignatures === PROVED) return PROVED;
	return isReported === undefined ? ALIGNMENT_UNKNOWN : bySignatures;
}

function judgeSignatures(sender: string | null, checked: readonly Checked[]): Verdict {
	if (checked.length === 0) return because('notSigned', 'none');
	if (sender === null) return because('noSender', 'fail');
	const reasons = checked.filter(({ aligned }) => aligned === true).map(({ reason }) => reason);
	if (reasons.includes(null)) return PROVED;
	const open = reasons.filter(isOpen);
	const isOpenByDns = open.includes('dnsFailed');
	const [unchecked] = isOpenByDns ? (['dnsFailed'] as const) : open;
	if (unchecked) {
		const reason = `The signature could not be checked: ${SIGNATURE_REASONS[unchecked]}.`;
		return { result: 'unknown', reason, retryable: isOpenByDns };
	}
	const mayCount = ({ aligned, reason }: Checked) =>
		aligned === undefined && (reason === null || isOpen(reason));
	if (checked.some(mayCount)) return ALIGNMENT_UNKNOWN;
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
