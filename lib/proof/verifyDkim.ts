import { createHash } from 'crypto';

import type { DkimVerifier, HeaderRow } from 'mailauth/lib/dkim/dkim-verifier';

import type { EmailText, WrittenField } from '../email';
import type { Pause } from '../basics';
import { canonicalBody } from './asSigned';
import { countsOf } from './coverage';
import { lostCharacters } from './senderDomain';
import { keyName, type Signature, type SignatureReason } from './dkimSignatures';

/** For a signer's clock that is ahead. */
const TOLERANCE_MS = 600_000;

/** The library's comments on signatures that do not pass (version 7). */
const COMMENTS: ReadonlyMap<string, SignatureReason> = new Map([
	['body hash did not verify', 'bodyChanged'],
	['bad signature', 'headerChanged'],
	['expired', 'expired'],
	['invalid expiration', 'expired'],
	['From field not signed', 'fromNotSigned'],
	['domain mismatch', 'identity'],
	['inappropriate hash algorithm', 'keyNotForThis'],
	['inappropriate key algorithm', 'keyNotForThis'],
	['key not for email', 'keyNotForThis'],
	['invalid public key', 'keyMalformed'],
	['unknown key type', 'keyMalformed'],
	['unknown key version', 'keyMalformed'],
	['weak algorithm', 'weakAlgorithm'],
]);

/**
 * Checks signatures (RFC 6376, RFC 8301, RFC 8463) on the exact text of an email.
 *
 * Stricter than the standard: a signature must cover the whole content, the subject, and all duplicates of fields that may
 * appear once. Otherwise an attacker could resend a signed email with additional fields at the top, which mail programs use.
 *
 * @returns for each signature why it did not pass, or null
 */
export async function checkSignatures(
	email: EmailText,
	signatures: readonly Signature[],
	now: Date,
	pause: Pause,
): Promise<Array<SignatureReason | null>> {
	const checked = signatures.filter(({ flaw }) => flaw === undefined);
	const reasons = checked.length === 0 ? [] : await verify(email, checked, now, pause);
	return signatures.map(({ flaw }) => flaw ?? reasons.shift() ?? null);
}

async function verify(
	email: EmailText,
	signatures: readonly Signature[],
	now: Date,
	pause: Pause,
): Promise<Array<SignatureReason | null>> {
	const library = await import('mailauth/lib/dkim/dkim-verifier');
	/** Each signature rewrites the whole header in one step. */
	class PausingVerifier extends library.DkimVerifier {
		protected override async verifySignature(header: unknown): Promise<unknown> {
			await pause();
			return await super.verifySignature(header);
		}
	}
	const keys = new Map(signatures.map((signature) => [keyName(signature), signature.key]));
	const verifier = new PausingVerifier({
		resolver: async (name) => [[keys.get(name.toLowerCase()) ?? '']],
		strict: true,
		curTime: now,
	});
	// Pass only the signatures: other fields are not needed, and senders choose them.
	await verifier.messageHeaders({ parsed: signatures.map(({ field }) => toRow(field)) });
	verifier.headers = { parsed: coveredFields(email.fields, signatures).map(toRow) };
	await hashBody(verifier, email.body, pause);
	await verifier.finalChunk();
	return signatures.map((signature, index) => {
		const status = verifier.results[index]?.status;
		if (status === undefined) throw new Error('A signature was left out');
		const reason = reasonOf(status);
		return reason === null ? whyNotCounted(signature, now) : openReason(reason, signature, email);
	});
}

/** With l=, the library would ignore added content. Without added content, the hash of the whole body is the same. */
async function hashBody(verifier: DkimVerifier, body: string, pause: Pause): Promise<void> {
	verifier.bodyHashes.clear();
	for (const header of verifier.signatureHeaders) {
		const { bodyCanon, hashAlgo, bodyHashKey } = header;
		if (bodyHashKey === undefined) continue;
		header.bodyHashKey = `${bodyCanon} ${hashAlgo}`;
		if (verifier.bodyHashes.has(header.bodyHashKey)) continue;
		const hash = createHash(hashAlgo);
		const kept = bodyCanon === 'relaxed' ? 'oneOfEachRun' : 'all';
		for await (const piece of canonicalBody(body, kept, pause)) hash.update(piece);
		const withoutStructure = { getMimeStructureStart: () => undefined };
		verifier.bodyHashes.set(header.bodyHashKey, Object.assign(hash, withoutStructure));
	}
}

/** The lowest of each name, as many as any signature names (RFC 6376, 5.4.2). The library searches all that it gets. */
function coveredFields(
	fields: readonly WrittenField[],
	signatures: readonly Signature[],
): WrittenField[] {
	const most = new Map<string, number>();
	for (const { covered } of signatures) {
		for (const [name, times] of countsOf(covered))
			most.set(name, Math.max(most.get(name) ?? 0, times));
	}
	const isCovered = ({ name }: WrittenField) => {
		const left = most.get(name) ?? 0;
		most.set(name, left - 1);
		return left > 0;
	};
	return fields.toReversed().filter(isCovered).toReversed();
}

function toRow({ name, text }: WrittenField): HeaderRow {
	return { key: name, line: Buffer.from(text, 'utf8') };
}

function reasonOf(status: DkimVerifier['results'][number]['status']): SignatureReason | null {
	if (status.result === 'pass') return status.testing ? 'keyTested' : null;
	if (status.policy?.['dkim-rules'] === 'weak-key') return 'weakKey';
	return COMMENTS.get(status.comment ?? '') ?? 'malformed';
}

function whyNotCounted({ coverageFlaw, time }: Signature, now: Date): SignatureReason | null {
	return time * 1000 > now.getTime() + TOLERANCE_MS ? 'future' : coverageFlaw;
}

/** A signature over lost characters counts as unchecked, because the sender may not have caused the loss. */
function openReason(
	reason: SignatureReason,
	{ covered }: Signature,
	{ fields, body }: EmailText,
): SignatureReason {
	const isLost =
		reason === 'bodyChanged'
			? lostCharacters(body)
			: reason === 'headerChanged' &&
				fields.some(({ name, text }) => covered.includes(name) && lostCharacters(text));
	return isLost ? 'charactersLost' : reason;
}
