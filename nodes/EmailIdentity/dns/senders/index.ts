import { isReadAsSigned } from '../../email/asSigned';
import { loadPublicSuffixes, organizationalDomain } from '../names';
import type { DnsResolver } from '../resolver/types';
import { readEmailText, type EmailText } from './emailText';
import { isAligned, readSenderDomain } from './from';
import { askForKeys, askForPolicy, keyName, type Key, type PublishedPolicy } from './published';
import {
	EMAIL_REASONS,
	OPEN_REASONS,
	SIGNATURE_REASONS,
	type EmailReason,
	type SignatureReason,
} from './reasons';
import { readReport, type Report } from './reported';
import { chooseSignatures, type Signature } from './signatures';
import type { Authentication, SenderCheck, SenderCheckOptions, SignatureCheck } from './types';
import { checkSignatures, hasDoubledFields } from './verify';

/** A signature with its result. */
interface Checked {
	signature: Signature;
	/** Null where it passed. */
	reason: SignatureReason | null;
	/** Whether it counts for the domain of From; undefined where the domain's policy would say, and is not known. */
	aligned: boolean | undefined;
}

type Verdict = Pick<Authentication, 'reason' | 'result'> & Pick<SenderCheck, 'retryable'>;

const PROVED: Verdict = { result: 'pass', reason: null, retryable: false };

const ALIGNMENT_UNKNOWN: Verdict = {
	...{ result: 'unknown', retryable: true },
	reason: EMAIL_REASONS.alignmentUnknown,
};

/** What the email itself says. */
interface Read {
	email: EmailText;
	/** The domain of From. */
	domain: string | null;
	signatures: Signature[];
	report: Report | null;
}

/** What the DNS says. */
interface Asked {
	keys: ReadonlyMap<string, Key>;
	policy: PublishedPolicy | undefined;
}

/**
 * Whether an email comes from the domain in its From.
 *
 * @param rawEmail RFC 5322 text with its attachments, decoded as UTF-8; undefined or `''` where there is none
 * @returns never fails, but where the resolver does because the execution was cancelled
 */
export async function checkSender(
	rawEmail: string | undefined,
	options: SenderCheckOptions,
): Promise<SenderCheck> {
	await loadPublicSuffixes();
	const read = await readSigned(rawEmail, options.trustedServers);
	if (typeof read === 'string') return notChecked(read);
	const isAsked = options.onlyForProof !== true || mayBeProved(read);
	const asked = isAsked ? await ask(read, options.resolver) : NOT_ASKED;
	try {
		const check = await conclude(read, asked, options);
		const isPassed = check.authentication.result === 'pass';
		if (!isPassed || (await isReadAsSigned(rawEmail ?? '', options.pause))) return check;
		const reason = EMAIL_REASONS.readTwoWays;
		return {
			authentication: { ...check.authentication, result: 'fail', reason },
			retryable: false,
		};
	} catch {
		return notChecked('fault');
	}
}

const NOT_ASKED: Asked = { keys: new Map(), policy: undefined };

async function readSigned(
	rawEmail: string | undefined,
	trustedServers: readonly string[],
): Promise<EmailReason | Read> {
	try {
		const { default: parseHeader } = await import('mailauth/lib/parse-dkim-headers');
		const email = readEmailText(rawEmail);
		if (typeof email === 'string') return email;
		const domain = readSenderDomain(email.fields);
		return {
			email,
			domain,
			signatures: chooseSignatures(email.fields, domain, parseHeader),
			report: readReport(email.fields, trustedServers, parseHeader),
		};
	} catch {
		return 'fault';
	}
}

function mayBeProved(read: Read): boolean {
	const { domain, signatures } = read;
	const isSigned =
		domain !== null && signatures.some((one) => isAligned(one.domain, domain, 'relaxed'));
	return isSigned || isReported(read, { policy: null, alignment: 'relaxed' }) === true;
}

/** Throws where the execution was cancelled. */
async function ask({ domain, signatures }: Read, resolver: DnsResolver): Promise<Asked> {
	const names = signatures.filter(isWorthAsking).map(keyName);
	const [policy, keys] = await Promise.all([
		domain === null ? undefined : askForPolicy(domain, resolver),
		askForKeys(names, resolver),
	]);
	return { keys, policy };
}

async function conclude(
	read: Read,
	{ keys, policy }: Asked,
	{ pause, now = new Date() }: SenderCheckOptions,
): Promise<SenderCheck> {
	const { email, domain, signatures, report } = read;
	const reasons = await checkSignatures(email, signatures, keys, { pause, now });
	const checked = signatures.map((signature, index) => ({
		signature,
		reason: reasons[index] ?? null,
		aligned: alignmentOf(signature, domain, policy),
	}));
	const { retryable, ...verdict } = conclusion(isReported(read, policy), judge(domain, checked));
	return {
		authentication: {
			...verdict,
			domain,
			signatures: checked.map(toOutput),
			policy: policy === undefined ? 'unknown' : policy.policy,
			reported: report?.reported ?? null,
		},
		retryable,
	};
}

function notChecked(reason: EmailReason): SenderCheck {
	return {
		authentication: {
			result: reason === 'ambiguousHeader' ? 'fail' : 'unknown',
			reason: EMAIL_REASONS[reason],
			...{ domain: null, signatures: [], policy: 'unknown', reported: null },
		},
		retryable: false,
	};
}

const isWorthAsking = ({ domain, selector, malformed }: Signature) =>
	domain !== '' && selector !== '' && malformed === undefined;

function alignmentOf(
	{ domain: signer }: Signature,
	sender: string | null,
	policy: PublishedPolicy | undefined,
): boolean | undefined {
	return sender === null ? false : byPolicy(policy, (mode) => isAligned(signer, sender, mode));
}

/** Whether what a server wrote proves the domain of From; undefined where its policy would say, and is not known. */
function isReported(
	{ email, domain, report }: Read,
	policy: PublishedPolicy | undefined,
): boolean | undefined {
	if (domain === null || report === null || hasDoubledFields(email.fields)) return false;
	return byPolicy(policy, (mode) => report.proves(domain, mode));
}

/** What holds by a policy; undefined where it is not known, and would decide. */
function byPolicy(
	policy: PublishedPolicy | undefined,
	holds: (alignment: PublishedPolicy['alignment']) => boolean,
): boolean | undefined {
	if (policy) return holds(policy.alignment);
	const strict = holds('strict');
	return strict === holds('relaxed') ? strict : undefined;
}

/** What a server wrote can prove what signatures do not; while it may, nothing is final. */
function conclusion(isReported: boolean | undefined, bySignatures: Verdict): Verdict {
	if (isReported === true) return PROVED;
	return isReported === false || bySignatures.result === 'pass' ? bySignatures : ALIGNMENT_UNKNOWN;
}

function judge(sender: string | null, checked: readonly Checked[]): Verdict {
	const fails = (reason: EmailReason): Verdict => ({
		result: 'fail',
		reason: EMAIL_REASONS[reason],
		retryable: false,
	});
	if (checked.length === 0) {
		return { result: 'none', reason: EMAIL_REASONS.notSigned, retryable: false };
	}
	if (sender === null) return fails('noSender');
	if (organizationalDomain(sender) === null) return fails('publicSuffix');
	const aligned = checked.filter((one) => one.aligned === true);
	const [first] = aligned;
	if (aligned.some(({ reason }) => reason === null)) return PROVED;
	const open = aligned.find(({ reason }) => reason !== null && OPEN_REASONS.has(reason));
	if (open?.reason) {
		const isOpenByDns = aligned.some(({ reason }) => reason === 'dnsFailed');
		const reason = SIGNATURE_REASONS[isOpenByDns ? 'dnsFailed' : open.reason].sentence;
		return { result: 'unknown', reason, retryable: isOpenByDns };
	}
	const mayCount = checked.some(
		({ aligned, reason }) => aligned === undefined && (reason === null || OPEN_REASONS.has(reason)),
	);
	if (mayCount) return ALIGNMENT_UNKNOWN;
	if (first?.reason) {
		return { result: 'fail', reason: SIGNATURE_REASONS[first.reason].sentence, retryable: false };
	}
	return fails('notAligned');
}

function toOutput({ signature: { domain, selector }, reason, aligned }: Checked): SignatureCheck {
	const result = reason === null ? 'pass' : OPEN_REASONS.has(reason) ? 'unknown' : 'fail';
	return {
		domain,
		selector,
		result,
		reason: reason === null ? null : SIGNATURE_REASONS[reason].brief,
		aligned: aligned ?? false,
	};
}
