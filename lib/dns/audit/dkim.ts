import { createPublicKey } from 'crypto';

import { readTagList } from '../dmarc';
import type { Questions } from '../resolver/httpsResolver';
import { compareAlias, different, missing, type RequiredRecord } from './requiredRecords';
import { problem, toText, type DnsProblem, type DnsProblemCode } from './problems';

/** Checks that receivers find and accept the service's DKIM key, or the key that its alias points to. */
export async function checkDkim(
	questions: Questions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	const { type, name, expected, value } = record;
	if (type === 'CNAME') {
		const problems = await compareAlias(questions, record, domain);
		if (problems.length > 0) return problems;
	}
	const texts = await questions.records(name, 'TXT');
	if (texts === undefined) return [];
	const found = toText(texts);
	const detail = { type, name, expected, found: found ?? value };
	const [text, ...others] = texts;
	if (text === undefined) {
		return [
			type === 'TXT' ? await missing(questions, record, domain) : problem('dkimKeyMissing', detail),
		];
	}
	if (others.length > 0) {
		const reason = 'there are several records, but only one is allowed';
		return [problem('dkimKeyMalformed', detail, reason)];
	}
	const key = readDkimKey(text);
	if (key.code !== undefined) return [problem(key.code, detail, key.reason)];
	return [
		...(type === 'TXT' && readDkimKey(value).key !== key.key ? [different(record, found)] : []),
		...(key.isTesting ? [problem('dkimKeyTesting', detail)] : []),
	];
}

/** Receivers reject shorter RSA keys (RFC 8301, section 3.2). */
const MIN_RSA_BITS = 1024;

/** Reads a DKIM key record (RFC 6376, section 3.6.1; RFC 8301; RFC 8463). */
function readDkimKey(text: string) {
	const { tags, flaw } = readTagList(text);
	const list = (tag: string, otherwise: string) =>
		(tags.get(tag) ?? otherwise)
			.toLowerCase()
			.split(':')
			.map((entry) => entry.trim());
	const [kind = ''] = list('k', 'rsa');
	const data = tags.get('p')?.replace(/\s+/g, '') ?? '';
	const isBase64 = /^[A-Za-z\d+/]+={0,2}$/.test(data);
	const key = Buffer.from(isBase64 ? data : '', 'base64');
	const bits = kind === 'rsa' ? (rsaBits(key, 'spki') ?? rsaBits(key, 'pkcs1')) : undefined;
	const isKey = bits !== undefined || (kind === 'ed25519' && key.length === 32);
	const isForEmail = list('s', '*').some((service) => service === '*' || service === 'email');
	const isRevoked = tags.has('p') && data === '';

	const flaws: Array<[isFound: boolean, code: DnsProblemCode, reason: string | null]> = [
		[flaw !== null, 'dkimKeyMalformed', flaw],
		[(tags.get('v') ?? 'DKIM1') !== 'DKIM1', 'dkimKeyMalformed', 'its version is not DKIM1'],
		[isRevoked, 'dkimKeyRevoked', 'its key (p=) is empty'],
		[!isForEmail, 'dkimKeyMalformed', 'it is not meant for email (s=)'],
		[!isKey, 'dkimKeyMalformed', 'its key (k= and p=) is missing, damaged or of an unknown type'],
		[Number(bits) < MIN_RSA_BITS, 'dkimKeyTooShort', `its key has ${bits} bits`],
	];
	const [, code, reason = null] = flaws.find(([isFound]) => isFound) ?? [];
	return {
		code,
		reason,
		isTesting: list('t', '').includes('y'),
		key: `${kind} ${data}`,
	};
}

function rsaBits(key: Buffer, type: 'pkcs1' | 'spki'): number | undefined {
	try {
		return createPublicKey({ key, format: 'der', type }).asymmetricKeyDetails?.modulusLength;
	} catch {
		return undefined;
	}
}
