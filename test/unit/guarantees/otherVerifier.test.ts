import { dkimSign } from 'mailauth/lib/dkim/sign';
import { dkimVerify } from 'mailauth/lib/dkim/verify';

import { decodeRawEmail, toBytes } from '../../../lib/email';
import { corpusFiles, readCorpus } from './support/corpus';
import { mutate } from './support/mutation';
import { createZoneResolver, type Zones } from '../lib/dns/support/zoneResolver';
import {
	BODY,
	CANONICALIZATIONS,
	check,
	EMAIL,
	KEY_NAME,
	keyAt,
	keyRecord,
	KEYS,
	NOW,
	signed,
	type SignOptions,
} from '../lib/proof/support/senders';

// `FUZZ_SIGNED=2000 FUZZ_SEED=7` reads that many, other ones, and each email of the corpus signed in every way.
const count = Number(process.env.FUZZ_SIGNED ?? 150);
const isFullSize = process.env.FUZZ_SIGNED !== undefined;
const firstSeed = Number(process.env.FUZZ_SEED ?? 1);

const EMPTY_LINE = Buffer.from('\r\n\r\n');

const ZONES = {
	...keyAt('rsa._domainkey.example.com', KEYS.rsa),
	...keyAt('ed25519._domainkey.example.com', KEYS.ed25519),
};

const WAYS = (['rsa', 'ed25519'] as const).flatMap((selector) =>
	CANONICALIZATIONS.map((canonicalization) => [selector, canonicalization] as const),
);

/** Rules of ours that go beyond the standard, by their words in the output. */
const STRICTER = /appears again|does not cover the subject/;

/** What the library alone reads another way: it takes each return before a line break for content, we for a gateway's. */
const isReadAlike = (rawEmail: string) => !rawEmail.includes('\r\r') && rawEmail !== '';

const resolverOf = (zones: Zones) => {
	const resolver = createZoneResolver(zones);
	return async (name: string) => {
		const answer = await resolver.ask(name, 'TXT');
		if (answer.status !== 'found') throw Object.assign(new Error('No key'), { code: 'ENOTFOUND' });
		return answer.records.map((record) => [record]);
	};
};

/** Which signatures we pass, and the whole library, which reads the email as a stream with its own reader of headers. */
async function passed(rawEmail: string, zones: Zones = ZONES) {
	const { authentication } = await check(rawEmail, zones);
	const { signatures } = authentication;
	// Of a header that says two things nothing is checked; of many signatures, a few.
	if (signatures.length === 0 || signatures.length >= 3) return undefined;
	const options = { resolver: resolverOf(zones), curTime: NOW, strict: true } as Parameters<
		typeof dkimVerify
	>[1];
	const { results } = await dkimVerify(toBytes(rawEmail), options);
	const ours = signatures.filter(
		({ result, reason }) => result === 'pass' || STRICTER.test(reason ?? ''),
	);
	const theirs = results.filter(({ status }) => status.result === 'pass');
	const selectorsOf = (list: Array<{ selector?: unknown }>) =>
		list.map(({ selector }) => String(selector)).sort();
	return { ours: selectorsOf(ours), theirs: selectorsOf(theirs) };
}

async function sign(rawEmail: string, selector: 'ed25519' | 'rsa', canonicalization: string) {
	const privateKey = KEYS[selector].export({ type: 'pkcs8', format: 'pem' }).toString();
	const { signatures } = await dkimSign(toBytes(rawEmail), {
		canonicalization,
		signTime: NOW,
		signatureData: [{ signingDomain: 'example.com', selector, privateKey }],
	} as Parameters<typeof dkimSign>[1]);
	return signatures === '' ? [] : [signatures + rawEmail];
}

const corpus: string[] = [];

beforeAll(async () => {
	for (const [index, file] of corpusFiles.entries()) {
		const rawEmail = readCorpus(file).replace(/^[\ufeff\s]+/, '');
		const ways = isFullSize ? WAYS : [WAYS[index % WAYS.length]!];
		if (isReadAlike(rawEmail)) {
			for (const way of ways) corpus.push(...(await sign(rawEmail, ...way)));
		}
	}
});

/** Its hashes and its signature are right. */
test.each<[string, SignOptions, string?]>([
	['a domain without @ (i=)', { tags: { i: 'example.com' } }],
	['a length of less than the hash covers (l=)', { tags: { l: `${Buffer.byteLength(BODY) - 1}` } }],
	['a form feed in the name of a tag', { write: (tags) => tags.replace('bh=', 'bh\f=') }],
	['a vertical tab before a tag', { write: (tags) => tags.replace('bh=', '\vbh=') }],
	['a key of two kinds', {}, keyRecord(KEYS.rsa).replace('k=rsa', 'k=rsa:foo')],
])(
	'a signature with %s fails as in the whole library',
	async (_what, options, record = keyRecord(KEYS.rsa)) => {
		const selector = 'test';
		const there = { [KEY_NAME]: { TXT: [record] } };
		const before = await passed(signed(), keyAt(KEY_NAME, KEYS.rsa));
		expect(before).toEqual({ ours: [selector], theirs: [selector] });
		expect(await passed(signed(EMAIL, options), there)).toEqual({ ours: [], theirs: [] });
	},
);

test('signed emails pass and fail as in the whole library', async () => {
	expect(corpus.length).toBeGreaterThan(corpusFiles.length * 0.8);
	let passing = 0;
	for (const rawEmail of corpus) {
		const { ours = [], theirs = [] } = (await passed(rawEmail)) ?? {};
		expect(ours).toEqual(theirs);
		passing += ours.length;
	}
	expect(passing).toBeGreaterThan(corpus.length * 0.9);
});

test.each(WAYS)(
	'a file with 8-bit text of any charset and %s in the form %s passes, unless a byte is another one',
	async (...way) => {
		const lines = Array.from({ length: 256 }, (_, byte) => [0x61, 0x20, byte, 0x20, 0x0d, 0x0a]);
		const body = lines.filter(([, , byte]) => byte !== 0x0d && byte !== 0x0a).flat();
		const file = Buffer.concat([
			Buffer.from(EMAIL.split('\r\n\r\n')[0]!),
			EMPTY_LINE,
			Buffer.from(body),
		]);
		const [whole = ''] = await sign(decodeRawEmail(file), ...way);
		expect(await passed(whole)).toEqual({ ours: [way[0]], theirs: [way[0]] });
		const changed = toBytes(whole);
		changed[changed.indexOf(0xe4)] = 0xe5;
		expect(await passed(decodeRawEmail(changed))).toEqual({ ours: [], theirs: [] });
	},
);

test('a signed field that was rewritten in another charset proves nothing', async () => {
	const email = EMAIL.replace('Subject: ', 'Subject: Grüße ');
	const [whole = ''] = await sign(email, 'rsa', 'relaxed/relaxed');
	expect(await passed(whole)).toEqual({ ours: ['rsa'], theirs: ['rsa'] });
	const named = whole.replace('\r\nFrom: ', '\r\nX-Other: charset=iso-8859-1\r\nFrom: ');
	expect((await passed(named))?.ours).toEqual(['rsa']);
	expect((await passed(decodeRawEmail(Buffer.from(named, 'latin1'))))?.ours).toEqual([]);
});

test(
	`${count} changed signed emails pass and fail as in the whole library`,
	async () => {
		let compared = 0;
		for (let seed = firstSeed; seed < firstSeed + count; seed++) {
			const rawEmail = mutate(corpus, seed).replace(/^[\ufeff\s]+/, '');
			const results = isReadAlike(rawEmail) ? await passed(rawEmail) : undefined;
			if (results === undefined) continue;
			expect({ seed, passed: results.ours }).toEqual({ seed, passed: results.theirs });
			compared++;
		}
		expect(compared).toBeGreaterThan(count / 2);
	},
	60_000 + count * 200,
);
