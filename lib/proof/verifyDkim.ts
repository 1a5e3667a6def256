import { createHash, verify } from 'crypto';

import type { EmailText, WrittenField } from '../email';
import { Pace, type Pause } from '../basics';
import type { CanonicalBody } from './canonicalBody';
import { lostCharacters } from './senderDomain';
import type { Signature, SignatureReason } from './dkimSignatures';

/** For a signer's clock that is ahead. */
const TOLERANCE_MS = 600_000;

/** Each rewrites what it covers of the header in one step. */
const CHECKS_BETWEEN_PAUSES = 2;

/**
 * Checks signatures (RFC 6376, RFC 8301, RFC 8463).
 *
 * Stricter than the standard: a signature must cover the whole content, the subject, and all duplicates of fields that may
 * appear once. Otherwise an attacker could resend a signed email with additional fields at the top, which mail programs use.
 *
 * @param email with single spaces in its fields
 * @returns for each signature why it did not pass, or null
 */
export async function checkSignatures(
	email: EmailText,
	body: CanonicalBody,
	signatures: readonly Signature[],
	now: Date,
	pause: Pause,
): Promise<Array<SignatureReason | null>> {
	const fields = groupByName(email.fields);
	const pace = new Pace(pause);
	const check = async (signature: Signature): Promise<SignatureReason | null> => {
		const { flaw, covered, tags } = signature;
		if (flaw !== undefined) return flaw;
		const [ofHeader, ofBody] = tags.get('c')?.toLowerCase().split('/') ?? [];
		const whole = await body.hash(ofBody === 'relaxed' ? 'relaxed' : 'simple');
		// A shorter length (l=) allows added text, and no signer writes a longer one.
		const isWhole = !tags.has('l') || Number(tags.get('l')) === whole.bytes;
		if (!isWhole || whole.hash !== withoutBlanks(tags.get('bh')))
			return lostCharacters(email.body) ? 'charactersLost' : 'bodyChanged';
		const lines = signedFields(covered, fields);
		if (pace.isDue(1 / CHECKS_BETWEEN_PAUSES)) await pace.pause();
		if (!isValid(signature, [...lines, signature.field], ofHeader === 'relaxed'))
			return lines.some(({ text }) => lostCharacters(text)) ? 'charactersLost' : 'headerChanged';
		return whyNotCounted(signature, now);
	};
	const reasons: Array<SignatureReason | null> = [];
	for (const signature of signatures) reasons.push(await check(signature));
	return reasons;
}

function groupByName(fields: readonly WrittenField[]): Map<string, WrittenField[]> {
	const groups = new Map<string, WrittenField[]>();
	for (const field of fields) {
		const group = groups.get(field.name);
		if (group) group.push(field);
		else groups.set(field.name, [field]);
	}
	return groups;
}

/** For each name, the lowest field that is left (RFC 6376, 5.4.2). */
function signedFields(
	covered: readonly string[],
	fields: ReadonlyMap<string, readonly WrittenField[]>,
): WrittenField[] {
	const times = new Map<string, number>();
	return covered.flatMap((name) => {
		const time = (times.get(name) ?? 0) + 1;
		times.set(name, time);
		return fields.get(name)?.at(-time) ?? [];
	});
}

/** @param fields those that it covers, and its own as the last one */
function isValid(
	{ tags, publicKey }: Signature,
	fields: readonly WrittenField[],
	isRelaxed: boolean,
): boolean {
	if (publicKey === undefined) return false;
	const lines = fields.map(({ name, value, text }) => (isRelaxed ? `${name}:${value}` : text));
	const own = withoutSignature(lines.pop() ?? '');
	const data = Buffer.from([...lines, own].join('\r\n'));
	const signature = Buffer.from(withoutBlanks(tags.get('b')), 'base64');
	return publicKey.asymmetricKeyType === 'rsa'
		? verify('sha256', data, publicKey, signature)
		: verify(null, createHash('sha256').update(data).digest(), publicKey, signature);
}

/** Without the value of b= (RFC 6376, 3.7). Splits as `readTagList` does, so that both see the same value. */
function withoutSignature(line: string): string {
	const start = line.indexOf(':') + 1;
	const tags = line.slice(start).split(';');
	const written = tags.map((tag) => {
		const end = tag.indexOf('=') + 1;
		return tag.slice(0, Math.max(0, end - 1)).trim() === 'b' ? tag.slice(0, end) : tag;
	});
	return line.slice(0, start) + written.join(';');
}

const withoutBlanks = (text = ''): string => text.replace(/\s+/g, '');

function whyNotCounted({ tags, coverageFlaw }: Signature, now: Date): SignatureReason | null {
	const milliseconds = (tag: string) => 1000 * Number(tags.get(tag));
	if (milliseconds('x') < now.getTime()) return 'expired';
	return milliseconds('t') > now.getTime() + TOLERANCE_MS ? 'future' : coverageFlaw;
}
