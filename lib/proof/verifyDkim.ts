import { createHash, verify, type KeyObject } from 'crypto';

import { isRaw, type EmailText, type WrittenField } from '../email';
import { Pace, type Pause } from '../basics';
import type { CanonicalBody } from './canonicalBody';
import type { Signature } from './dkimSignatures';
import type { SignatureWithKey } from './dnsFacts';
import type { SignatureReason } from './reasons';
import { hasLostCharacters } from './senderDomain';
import type { Proof } from './verdict';

/** What signatures are compared with. */
export interface SignedContent {
	/** The values of its fields have single spaces (RFC 6376, 3.4.2); their `text` is as it was sent. */
	email: EmailText;
	/** The body of this email. */
	body: CanonicalBody;
}

/** A signature that was checked. Its `reason` is null if it proves its domain. */
export interface CheckedSignature extends Proof {
	signature: Signature;
}

/** Fields by their name, from the top down. */
type FieldsByName = ReadonlyMap<string, readonly WrittenField[]>;

/** For a signer's clock that is ahead. */
const TOLERANCE_MS = 600_000;

/** Each check copies the header fields that it covers, without a pause. */
const CHECKS_BETWEEN_PAUSES = 2;

/**
 * Checks signatures (RFC 6376, RFC 8301, RFC 8463).
 *
 * Stricter than the standard: a signature must cover the whole content, the subject, and all duplicates of fields that may
 * appear once. Otherwise an attacker could resend a signed email with additional fields at the top, which mail programs use.
 */
export async function checkSignatures(
	content: SignedContent,
	signatures: readonly SignatureWithKey[],
	now: Date,
	pause: Pause,
): Promise<CheckedSignature[]> {
	const fields = groupByName(content.email.fields);
	const pace = new Pace(pause);
	const checked: CheckedSignature[] = [];
	for (const { signature, key, alignment } of signatures) {
		if ('flaw' in key) {
			checked.push({ signature, reason: key.flaw, alignment });
			continue;
		}
		if (pace.spend(1 / CHECKS_BETWEEN_PAUSES)) await pace.pause();
		const reason =
			(await whyBodyDiffers(signature, content)) ??
			whyHeaderDiffers(signature, fields, key.publicKey) ??
			whyNotCounted(signature, now);
		checked.push({ signature, reason, alignment });
	}
	return checked;
}

function groupByName(fields: readonly WrittenField[]): FieldsByName {
	const groups = new Map<string, WrittenField[]>();
	for (const field of fields) {
		const group = groups.get(field.name);
		if (group) group.push(field);
		else groups.set(field.name, [field]);
	}
	return groups;
}

async function whyBodyDiffers(
	{ tags }: Signature,
	{ email, body }: SignedContent,
): Promise<SignatureReason | null> {
	const [, written] = canonicalizationsOf(tags);
	const canonicalization = written === 'relaxed' ? 'relaxed' : 'simple';
	const hash = await body.hash(canonicalization);
	const isSame = hash === withoutBlanks(tags.get('bh'));
	if (!isSame) return hasLostCharacters(email.body) ? 'charactersLost' : 'bodyChanged';
	const length = tags.get('l');
	if (length === undefined) return null;
	// A length says how much of the body is signed. With a shorter one, anyone can write below that, for example HTML that covers what is
	// above it, and the signature stays valid. No signer writes a longer one.
	const isWhole = Number(length) === (await body.length(canonicalization));
	return isWhole ? null : 'bodyChanged';
}

function whyHeaderDiffers(
	{ tags, covered, field }: Signature,
	fields: FieldsByName,
	publicKey: KeyObject,
): SignatureReason | null {
	const signed = signedFields(covered, fields);
	const [canonicalization] = canonicalizationsOf(tags);
	const data = signedData(signed, field, canonicalization === 'relaxed');
	const signature = Buffer.from(withoutBlanks(tags.get('b')), 'base64');
	// What a field with bytes that are not UTF-8 says is a guess, so it proves nothing.
	const isGuessed = signed.some(({ text }) => isRaw(text));
	if (!isGuessed && isValid(data, signature, publicKey)) return null;
	const isLost = isGuessed || signed.some(({ text }) => hasLostCharacters(text));
	return isLost ? 'charactersLost' : 'headerChanged';
}

/** The canonicalization of the header, then of the body, in lower case. A missing one is `simple`. */
function canonicalizationsOf(tags: Signature['tags']): string[] {
	return tags.get('c')?.toLowerCase().split('/') ?? [];
}

/** For each name, the lowest field that is left (RFC 6376, 5.4.2). */
function signedFields(covered: readonly string[], fields: FieldsByName): WrittenField[] {
	const counts = new Map<string, number>();
	const signed: WrittenField[] = [];
	for (const name of covered) {
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		const field = fields.get(name)?.at(-count);
		if (field !== undefined) signed.push(field);
	}
	return signed;
}

/** What was signed (RFC 6376, 3.7): the fields, then the signature's own field without its value. */
function signedData(
	fields: readonly WrittenField[],
	own: WrittenField,
	isRelaxed: boolean,
): Buffer {
	const lineOf = (field: WrittenField): string => {
		if (isRelaxed) return `${field.name}:${field.value}`;
		return field.text;
	};
	const lines = fields.map(lineOf);
	lines.push(withoutSignature(lineOf(own)));
	return Buffer.from(lines.join('\r\n'));
}

/** The name of the tag `b` with its equals sign. */
const B_TAG_NAME = /^[ \t\r\n]*b[ \t\r\n]*=/;

/**
 * Without the value of b=. Splits as `readTagList` does: if the two found a different b=, a stranger could put the signature of another
 * email into one, and what it signed into the other.
 */
function withoutSignature(line: string): string {
	const start = line.indexOf(':') + 1;
	const tags = line.slice(start).split(';');
	const written = tags.map((tag) => B_TAG_NAME.exec(tag)?.[0] ?? tag);
	return line.slice(0, start) + written.join(';');
}

function isValid(data: Buffer, signature: Buffer, publicKey: KeyObject): boolean {
	if (publicKey.asymmetricKeyType === 'rsa') return verify('sha256', data, publicKey, signature);
	// Ed25519 signs the hash (RFC 8463, 3).
	const hash = createHash('sha256').update(data).digest();
	return verify(null, hash, publicKey, signature);
}

const withoutBlanks = (text = ''): string => text.replace(/\s+/g, '');

/** Why a valid signature does not prove the sender; null if it does. */
function whyNotCounted({ tags, coverageFlaw }: Signature, now: Date): SignatureReason | null {
	// Without the tag, a time is NaN, which is neither before nor after another one.
	const expires = 1000 * Number(tags.get('x'));
	const made = 1000 * Number(tags.get('t'));
	if (expires < now.getTime()) return 'expired';
	if (made > now.getTime() + TOLERANCE_MS) return 'future';
	return coverageFlaw;
}
