import { createPublicKey } from 'crypto';

import { readTagList } from '../dmarc';
import type { Questions } from '../resolver';
import {
	compareAlias,
	different,
	missing,
	problem,
	toText,
	type DnsProblem,
	type RequiredRecord,
} from './required';

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
	if (key.code !== null) return [problem(key.code, detail, key.flaw)];
	return [
		...(type === 'TXT' && readDkimKey(value).key !== key.key ? [different(record, found)] : []),
		...(key.isTesting ? [problem('dkimKeyTesting', detail)] : []),
	];
}

/** A DKIM key record (RFC 6376, section 3.6.1; RFC 8301; RFC 8463). */
interface DkimKey {
	/** Null if receivers accept it. */
	code: 'dkimKeyMalformed' | 'dkimKeyRevoked' | 'dkimKeyTooShort' | null;
	flaw: string | null;
	/** Whether the domain is testing DKIM (t=y): receivers may then treat the email as unsigned. */
	isTesting: boolean;
	/** Type and data of the key, normalized. */
	key: string;
}

/** Receivers reject shorter RSA keys (RFC 8301, section 3.2). */
const MIN_RSA_BITS = 1024;

const ED25519_BYTES = 32;

const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;

function readDkimKey(text: string): DkimKey {
	const { tags, flaw } = readTagList(text);
	const list = (tag: string, otherwise: string) =>
		(tags.get(tag) ?? otherwise)
			.toLowerCase()
			.split(':')
			.map((entry) => entry.trim());
	const [kind = ''] = list('k', 'rsa');
	const data = tags.get('p')?.replace(/\s+/g, '');
	const is = (code: DkimKey['code'], why: string | null): DkimKey => ({
		...{ code, flaw: why, isTesting: list('t', '').includes('y'), key: `${kind} ${data}` },
	});

	if (flaw !== null) return is('dkimKeyMalformed', flaw);
	if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1')
		return is('dkimKeyMalformed', 'its version is not DKIM1');
	if (data === undefined) return is('dkimKeyMalformed', 'it has no key (p=)');
	if (data === '') return is('dkimKeyRevoked', 'its key (p=) is empty');
	if (!list('s', '*').some((service) => service === '*' || service === 'email')) {
		return is('dkimKeyMalformed', 'it is not meant for email (s=)');
	}
	const key = Buffer.from(BASE64.test(data) ? data : '', 'base64');
	const bits = kind === 'rsa' ? (rsaBits(key, 'spki') ?? rsaBits(key, 'pkcs1')) : undefined;
	if (bits === undefined && !(kind === 'ed25519' && key.length === ED25519_BYTES)) {
		return is('dkimKeyMalformed', 'its key (k= and p=) is damaged or of an unknown type');
	}
	if (bits !== undefined && bits < MIN_RSA_BITS) {
		return is('dkimKeyTooShort', `its key has ${bits} bits`);
	}
	return is(null, null);
}

function rsaBits(key: Buffer, type: 'pkcs1' | 'spki'): number | undefined {
	try {
		const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
			...{ key, format: 'der', type },
		});
		return asymmetricKeyType === 'rsa' ? asymmetricKeyDetails?.modulusLength : undefined;
	} catch {
		return undefined;
	}
}
