import fc from 'fast-check';

import { readSenderDomain } from '../../../lib/proof/senderDomain';
import { splitEmail } from '../../../lib/email';
import { corpusFiles, readCorpus } from './support/corpus';
import type { Zones } from '../lib/dns/support/zoneResolver';

import {
	authenticate,
	CANONICALIZATIONS,
	type Canonicalizations,
	EMAIL,
	emailOf,
	HEADER,
	KEY_NAME,
	keyAt,
	KEYS,
	shownIfProved,
	signed,
} from '../lib/proof/support/senders';

/** The output of a proved email, with single blanks. */
async function output(rawEmail: string, zones: Zones, removeQuotedText: boolean) {
	const shown = await shownIfProved(rawEmail, zones, { headers: true, removeQuotedText });
	return JSON.stringify(shown, (key, value: unknown) =>
		typeof value === 'string' ? value.replace(/[ \t]+/g, ' ') : key === 'size' ? null : value,
	);
}

let proved = 0;

/** Whether an email says the same as the one that was signed, or does not count as signed with its content. */
async function isHarmless(changed: string, original: string, zones: Zones): Promise<boolean> {
	if ((await authenticate(changed, zones)).contentSigned !== true) return true;
	proved++;
	const outputs = async (rawEmail: string) =>
		[await output(rawEmail, zones, false), await output(rawEmail, zones, true)].join('\n');
	return (await outputs(changed)) === (await outputs(original));
}

const typed = (type: string, body: string) =>
	emailOf([...HEADER.slice(0, -1), `Content-Type: ${type}`], body);

const multipart = (header: string, ...lines: string[]) =>
	typed(`multipart/mixed; ${header}`, `${lines.join('\r\n')}\r\n`);

const PDF = ['Content-Type: application/pdf; name="invoice.pdf"', '', 'Please pay.'];
const twoParts = multipart('boundary=b', '--b', 'Content-Type: text/plain', '', ...PDF, '--b--');
const onePart = (...lines: string[]) => multipart('boundary=b', '--b', ...lines, '--b--');
const named = onePart('Content-Type: application/pdf; name="my invoice.pdf"', '', 'one');
const folded = onePart('Content-Type: text/plain;', ' charset=utf-8', '', 'one');
const withDashes = emailOf(HEADER, 'Yes.\r\n--\r\nI do not agree.\r\n');
const spaced = multipart('boundary="a b"', '--a b', '', 'one', '--a b', '', 'two', '--a b--');
const flowed = typed('text/plain; format=flowed', 'Do not\r\npay 100\r\n');

const WITH_CONTENT = ['From', 'To', 'Subject', 'Content-Type', 'Content-Transfer-Encoding'];

test.each<[string, string, string, string]>([
	['the end of the header of a part', twoParts, 'plain\r\n\r\n', 'plain\r\n \r\n'],
	['a line of blanks in a field of a part', folded, ';\r\n charset', ';\t \r\n   charset'],
	['the name of a file', named, 'my invoice', 'my\tinvoice'],
	['the name of a file, by the thousand', named, 'my invoice', `my${' '.repeat(2000)}invoice`],
	['the name of a boundary', spaced, 'boundary="a b"', 'boundary="a  b"'],
	['a boundary', spaced, '\r\n--a b\r\n\r\ntwo', '\r\n--a\t b\r\n\r\ntwo'],
	['a line break in a word of the subject', EMAIL, 'Please pay', 'Please p\r\nay'],
	['a line break in the type of the content', twoParts, 'multipart/mixed', 'multi\r\npart/mixed'],
	['a fold of blanks alone', EMAIL, 'Subject: Please pay', 'Subject: Please\r\n \r\n \t\r\n pay'],
	['the end of a line of flowed text', flowed, 'Do not\r\n', 'Do not \r\n'],
	['the dashes of a signature', withDashes, '\r\n--\r\n', '\r\n-- \r\n'],
])(
	'an email with other spaces in %s fails or has the same output',
	async (_name, email, from, to) => {
		const original = signed(email, { fields: WITH_CONTENT });
		expect(await authenticate(original)).toMatchObject({ contentSigned: true });
		const changed = original.replace(from, to);
		expect(changed).not.toBe(original);
		expect(await isHarmless(changed, original, keyAt(KEY_NAME, KEYS.rsa))).toBe(true);
	},
);

test('the subject of a proved email has single spaces, because their number is not signed', async () => {
	const rawEmail = signed().replace('Please pay 100', 'Please   pay\r\n\t100');
	expect((await shownIfProved(rawEmail))?.email.subject).toBe('Please pay 100');
});

interface SignedEmail {
	rawEmail: string;
	zones: Zones;
	canonicalization: Canonicalizations;
}

/** An email of the corpus as its sender would have signed it; undefined where it names none. */
function signCorpus(file: string, canonicalization: Canonicalizations) {
	const email = readCorpus(file)
		.replace(/^[\ufeff\s]+/, '')
		.replace(/\r?\n/g, '\r\n');
	const header = splitEmail(email);
	const domain = readSenderDomain(header.fields);
	if (header.flaw !== undefined || domain === null) return undefined;
	const fields = header.fields.map(({ name }) => name);
	return {
		rawEmail: signed(email, { key: KEYS.ed25519, domain, canonicalization, fields }),
		zones: keyAt(`test._domainkey.${domain}`, KEYS.ed25519),
		canonicalization,
	};
}

const KINDS = ['break', 'case', 'end', 'fold', 'lastLines', 'lineEnd', 'run'] as const;
type Kind = (typeof KINDS)[number];

/** A change of the text between two indices, in thousandths of its length. */
interface Change {
	at: number;
	blanks: string;
	kind: Kind;
}

const changes = fc.array(
	fc.record<Change>({
		at: fc.nat(999),
		blanks: fc.constantFrom('  ', '\t', ' \t ', '   '),
		kind: fc.constantFrom(...KINDS),
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

/** What relaxed canonicalizations leave open, and line breaks within words, which verifiers of its header glue together. */
const OPEN: Record<
	Kind,
	{ of: 'body' | 'header' | 'whole'; pattern: RegExp; by(found: string, blanks: string): string }
> = {
	lastLines: { of: 'whole', pattern: /$/g, by: () => '\r\n\r\n' },
	lineEnd: { of: 'whole', pattern: /\r\n/g, by: () => '\n' },
	fold: { of: 'header', pattern: /(?<=\S)[ \t]+(?=\S)/g, by: (_, blanks) => `\r\n${blanks}\r\n ` },
	break: { of: 'header', pattern: /(?<=: .*)\w(?=\w)/g, by: (letter) => `${letter}\r\n` },
	case: { of: 'header', pattern: /^[\w-]+:/gm, by: (name) => `${name.slice(0, -1)} :` },
	end: { of: 'body', pattern: /(?=\r\n)|$/g, by: (_, blanks) => blanks },
	run: { of: 'body', pattern: /[ \t]+/g, by: (_, blanks) => blanks },
};

function apply({ rawEmail, canonicalization }: SignedEmail, { at, blanks, kind }: Change): string {
	const [ofHeader, ofBody] = canonicalization.split('/');
	const end = rawEmail.indexOf('\r\n\r\n') + 2;
	const [header, body] = [rawEmail.slice(0, end), rawEmail.slice(end)];
	const { of, pattern, by } = OPEN[kind];
	const change = (text: string) => replaceNear(text, at, pattern, (found) => by(found, blanks));
	if (of === 'whole') return change(rawEmail);
	if (of === 'header') return ofHeader === 'relaxed' ? change(header) + body : rawEmail;
	return ofBody === 'relaxed' ? header + change(body) : rawEmail;
}

const corpus = corpusFiles.flatMap(
	(file, index) => signCorpus(file, CANONICALIZATIONS[index % 4]!) ?? [],
);

test('a signed email with changes that its signature does not cover fails or has the same output', async () => {
	expect(corpus.length).toBeGreaterThan(corpusFiles.length * 0.7);
	let passed = 0;
	for (const { rawEmail, zones } of corpus) {
		if ((await authenticate(rawEmail, zones)).result === 'pass') passed++;
	}
	expect(passed).toBeGreaterThan(corpus.length * 0.9);
	proved = 0;
	const numRuns = Number(process.env.LEFT_OPEN ?? 300);
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...corpus), changes, async (email, list) => {
			const changed = list.reduce(
				(rawEmail, change) => apply({ ...email, rawEmail }, change),
				email.rawEmail,
			);
			expect(await isHarmless(changed, email.rawEmail, email.zones)).toBe(true);
		}),
		{ numRuns },
	);
	expect(proved).toBeGreaterThan(numRuns / 4);
});
