import fc from 'fast-check';

import { readSenderDomain } from '../../../../nodes/EmailIdentity/dns/senders/email';
import { asSigned, openEmail } from '../../../../nodes/EmailIdentity/email';
import { readSignedHeader } from '../../../../nodes/EmailIdentity/email/asSigned';
import { corpusFiles, readCorpus } from '../../email/corpus';
import type { Zones } from '../zoneResolver';
import { handSign, type SignOptions } from './handSigner';
import { authenticate, emailOf, HEADER, keyAt, KEYS, signed } from './senders';

const pause = async () => {};

/** All that is put out of an email where its sender is checked, without blanks and tabs. */
async function output(rawEmail: string, removeQuotedText: boolean): Promise<string> {
	const opened = await openEmail(asSigned(rawEmail), { pause });
	const options = { attachments: true, headers: true, binaryPrefix: '', removeQuotedText };
	const { email, files } = await opened.read(options);
	return JSON.stringify(
		[email, files.map(({ content }) => content.toString('latin1'))],
		(key, value: unknown) =>
			typeof value === 'string' ? value.replace(/[ \t]+/g, '') : key === 'size' ? null : value,
	);
}

/** Whether an email says the same as the one that was signed, or proves nobody. */
async function isHarmless(changed: string, original: string, zones: Zones): Promise<boolean> {
	if ((await authenticate(changed, zones)).result !== 'pass') return true;
	for (const removeQuotedText of [false, true]) {
		const [one, other] = [
			await output(changed, removeQuotedText),
			await output(original, removeQuotedText),
		];
		if (one !== other) return false;
	}
	return true;
}

describe('a stranger changes blanks of a signed email', () => {
	const multipart = (header: string, ...lines: string[]) =>
		emailOf(
			[...HEADER.slice(0, -1), `Content-Type: multipart/mixed; ${header}`],
			`${lines.join('\r\n')}\r\n`,
		);
	const twoParts = multipart(
		'boundary=b',
		'--b',
		'Content-Type: text/plain',
		'',
		'Content-Type: application/pdf; name="invoice.pdf"',
		'',
		'Please pay.',
		'--b--',
	);
	const cases: Array<[string, string, (raw: string) => string]> = [
		[
			'a blank in the empty line below the header of a part',
			twoParts,
			(raw) => raw.replace('text/plain\r\n\r\n', 'text/plain\r\n \r\n'),
		],
		[
			'a line of blanks in a folded field of a part',
			multipart(
				'boundary=b',
				'--b',
				'Content-Type: text/plain;',
				' charset=utf-8',
				'',
				'one',
				'--b--',
			),
			(raw) => raw.replace(';\r\n charset', ';\t \r\n   charset'),
		],
		[
			'more blanks in the name of a boundary',
			multipart('boundary="a b"', '--a b', '', 'one', '--a b', '', 'two', '--a b--'),
			(raw) => raw.replace('boundary="a b"', 'boundary="a  b"'),
		],
		[
			'more blanks in a boundary',
			multipart('boundary="a b"', '--a b', '', 'one', '--a b', '', 'two', '--a b--'),
			(raw) => raw.replace('\r\n--a b\r\n\r\ntwo', '\r\n--a\t b\r\n\r\ntwo'),
		],
		[
			'a line break in a word of the subject',
			emailOf(HEADER),
			(raw) => raw.replace('Subject: Please pay', 'Subject: Please p\r\nay'),
		],
		[
			'a line break in the type of the content',
			twoParts,
			(raw) => raw.replace('multipart/mixed', 'multi\r\npart/mixed'),
		],
		[
			'a fold of blanks alone in the subject',
			emailOf(HEADER),
			(raw) => raw.replace('Subject: Please pay', 'Subject: Please\r\n \r\n \t\r\n pay'),
		],
		[
			'a blank at the end of a line of flowed text',
			emailOf(
				[...HEADER.slice(0, -1), 'Content-Type: text/plain; format=flowed'],
				'Do not\r\npay 100\r\n',
			),
			(raw) => raw.replace('Do not\r\n', 'Do not \r\n'),
		],
		[
			'a blank behind the dashes of a signature',
			emailOf(HEADER, 'Yes.\r\n--\r\nI do not agree.\r\n'),
			(raw) => raw.replace('\r\n--\r\n', '\r\n-- \r\n'),
		],
		[
			'blanks in a uuencoded file',
			multipart(
				'boundary=b',
				'--b',
				'Content-Type: application/octet-stream; name=a.bin',
				'Content-Transfer-Encoding: x-uuencode',
				'',
				'begin 644 a.bin',
				'#  $"',
				'`',
				'end',
				'--b--',
			),
			(raw) => raw.replace('#  $"', '# $"'),
		],
		[
			'blanks in a text of two bytes a letter',
			emailOf(
				[
					...HEADER.slice(0, -1),
					'Content-Type: text/plain; charset=utf-16be',
					'Content-Transfer-Encoding: quoted-printable',
				],
				'=00P=00a=00y  =00A=00B=00C=00D\r\n',
			),
			(raw) => raw.replace('y  =00A', 'y =00A'),
		],
	];

	test.each(cases)('%s: the same is read, or nobody is proved', async (_name, email, change) => {
		const original = signed(email);
		expect(change(original)).not.toBe(original);
		const zones = keyAt('test._domainkey.example.com', KEYS.rsa);
		expect(await isHarmless(change(original), original, zones)).toBe(true);
	});

	test('a bare return or a zero byte in the header proves nobody', async () => {
		for (const written of ['pay\r100', 'pay\x00100', 'pay 100\r']) {
			const rawEmail = signed().replace('pay 100', written);
			expect(await authenticate(rawEmail)).toMatchObject({ result: 'fail', domain: null });
		}
	});
});

const CANONICALIZATIONS = [
	'simple/simple',
	'simple/relaxed',
	'relaxed/simple',
	'relaxed/relaxed',
] as const;

interface SignedEmail {
	rawEmail: string;
	zones: Zones;
	canonicalization: (typeof CANONICALIZATIONS)[number];
}

/** An email of the corpus as its sender would have signed it; undefined where it names none. */
function signCorpus(file: string, canonicalization: SignedEmail['canonicalization']) {
	const email = readCorpus(file)
		.replace(/^[\ufeff\s]+/, '')
		.replace(/\r?\n/g, '\r\n');
	const header = readSignedHeader(email);
	const domain = typeof header === 'string' ? null : readSenderDomain(header.fields);
	if (typeof header === 'string' || domain === null) return undefined;
	const fields = header.fields.map(({ name }) => name);
	const options: SignOptions = { key: KEYS.ed25519, domain, canonicalization, fields };
	return {
		rawEmail: handSign(email, options),
		zones: keyAt(`test._domainkey.${domain}`, KEYS.ed25519),
		canonicalization,
	};
}

const BLANKS = fc.constantFrom('  ', '\t', ' \t ', '   ');

/** A change of the text between two indices, in thousandths of its length. */
interface Change {
	at: number;
	blanks: string;
	kind: 'break' | 'case' | 'end' | 'fold' | 'lastLines' | 'lineEnd' | 'run';
}

const changes = fc.array(
	fc.record<Change>({
		at: fc.nat(999),
		blanks: BLANKS,
		kind: fc.constantFrom('break', 'case', 'end', 'fold', 'lastLines', 'lineEnd', 'run'),
	}),
	{ minLength: 1, maxLength: 12 },
);

/** Puts something in the place of the match that is nearest behind a place. */
function replaceNear(text: string, at: number, pattern: RegExp, by: (found: string) => string) {
	const matches = [...text.matchAll(pattern)];
	const match = matches[Math.floor((at / 1000) * matches.length)];
	if (match === undefined) return text;
	return text.slice(0, match.index) + by(match[0]) + text.slice(match.index + match[0].length);
}

/** What a canonicalization leaves open, and line breaks within words, which verifiers of its header glue together. */
function apply({ rawEmail, canonicalization }: SignedEmail, { at, blanks, kind }: Change): string {
	const [ofHeader, ofBody] = canonicalization.split('/');
	const end = rawEmail.indexOf('\r\n\r\n') + 2;
	const [header, body] = [rawEmail.slice(0, end), rawEmail.slice(end)];
	if (kind === 'lastLines') return `${rawEmail}${ofBody === 'relaxed' ? blanks : ''}\r\n\r\n`;
	if (kind === 'lineEnd') return replaceNear(rawEmail, at, /\r\n/g, () => '\n');
	if (ofHeader === 'relaxed' && kind === 'fold')
		return replaceNear(header, at, /(?<=\S)[ \t]+(?=\S)/g, () => `\r\n${blanks}\r\n `) + body;
	if (ofHeader === 'relaxed' && kind === 'break')
		return replaceNear(header, at, /(?<=: .*)\w(?=\w)/g, (letter) => `${letter}\r\n`) + body;
	if (ofHeader === 'relaxed' && kind === 'case')
		return replaceNear(header, at, /^[\w-]+:/gm, (name) => `${name.slice(0, -1)} :`) + body;
	if (ofBody === 'relaxed' && kind === 'end')
		return header + replaceNear(body, at, /(?=\r\n)/g, () => blanks);
	if (ofBody === 'relaxed' && kind === 'run')
		return header + replaceNear(body, at, /[ \t]+/g, () => blanks);
	return rawEmail;
}

const corpus = corpusFiles.flatMap((file, index) => {
	const canonicalization = CANONICALIZATIONS[index % 4] ?? 'relaxed/relaxed';
	return signCorpus(file, canonicalization) ?? [];
});

test('the corpus, signed: with whatever its signature leaves open changed, it says the same, or proves nobody', async () => {
	expect(corpus.length).toBeGreaterThan(corpusFiles.length * 0.7);
	let passed = 0;
	for (const { rawEmail, zones } of corpus) {
		if ((await authenticate(rawEmail, zones)).result === 'pass') passed++;
	}
	expect(passed).toBeGreaterThan(corpus.length * 0.9);
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...corpus), changes, async (email, list) => {
			const changed = list.reduce(
				(rawEmail, change) => apply({ ...email, rawEmail }, change),
				email.rawEmail,
			);
			expect(await isHarmless(changed, email.rawEmail, email.zones)).toBe(true);
		}),
		{ numRuns: Number(process.env.LEFT_OPEN ?? 300) },
	);
});
