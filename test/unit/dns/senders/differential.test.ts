import { dkimSign } from 'mailauth/lib/dkim/sign';
import { dkimVerify } from 'mailauth/lib/dkim/verify';

import { corpusFiles, readCorpus } from '../../email/corpus';
import { mutate } from '../../email/mutation';
import { createZoneResolver } from '../zoneResolver';
import { check, keyAt, KEYS, NOW } from './senders';

// `FUZZ_SIGNED=2000 FUZZ_SEED=7` reads that many, other ones, and each email of the corpus signed in every way.
const count = Number(process.env.FUZZ_SIGNED ?? 150);
const isFullSize = process.env.FUZZ_SIGNED !== undefined;
const firstSeed = Number(process.env.FUZZ_SEED ?? 1);

const ZONES = {
	...keyAt('rsa._domainkey.example.com', KEYS.rsa),
	...keyAt('ed25519._domainkey.example.com', KEYS.ed25519),
};

const WAYS = (['rsa', 'ed25519'] as const).flatMap((selector) =>
	['simple/simple', 'simple/relaxed', 'relaxed/simple', 'relaxed/relaxed'].map(
		(canonicalization) => [selector, canonicalization] as const,
	),
);

/** Rules of ours that go beyond the standard, by their words in the output. */
const STRICTER = ['appears again', 'does not cover the subject'];

/** What the library alone reads another way: it takes each return before a line break for content, we for a gateway's. */
const isReadAlike = (rawEmail: string) => !rawEmail.includes('\r\r') && rawEmail !== '';

const resolver = createZoneResolver(ZONES);

async function ask(name: string) {
	const answer = await resolver.ask(name, 'TXT');
	if (answer.status !== 'found') throw Object.assign(new Error('No key'), { code: 'ENOTFOUND' });
	return answer.records.map((record) => [record]);
}

/** Which signatures the whole library passes, which reads the email as a stream with its own reader of headers. */
async function passedByLibrary(rawEmail: string): Promise<string[]> {
	const { results } = await dkimVerify(Buffer.from(rawEmail), {
		resolver: ask,
		curTime: NOW,
		strict: true,
	} as Parameters<typeof dkimVerify>[1]);
	return results
		.filter(({ status }) => status.result === 'pass')
		.map(({ selector }) => String(selector))
		.sort();
}

async function differences(rawEmail: string): Promise<string[]> {
	const { authentication } = await check(rawEmail, ZONES);
	const ours = authentication.signatures;
	// A few are looked at; what was mixed in may be more.
	if (ours.length === 0 || ours.length >= 3) return [];
	const theirs = await passedByLibrary(rawEmail);
	const passed = ours
		.filter(
			({ result, reason }) => result === 'pass' || STRICTER.some((rule) => reason?.includes(rule)),
		)
		.map(({ selector }) => selector)
		.sort();
	return passed.join() === theirs.join()
		? []
		: [`${JSON.stringify(ours)}, theirs: ${theirs.join()}`];
}

async function sign(rawEmail: string, selector: 'ed25519' | 'rsa', canonicalization: string) {
	const privateKey = KEYS[selector].export({ type: 'pkcs8', format: 'pem' }).toString();
	const { signatures } = await dkimSign(rawEmail, {
		canonicalization,
		signTime: NOW,
		signatureData: [{ signingDomain: 'example.com', selector, privateKey }],
	} as Parameters<typeof dkimSign>[1]);
	return signatures === '' ? [] : [signatures + rawEmail];
}

async function signedCorpus(): Promise<string[]> {
	const signed: string[] = [];
	for (const [index, file] of corpusFiles.entries()) {
		const rawEmail = readCorpus(file).replace(/^[\ufeff\s]+/, '');
		if (!isReadAlike(rawEmail)) continue;
		const ways = isFullSize ? WAYS : [WAYS[index % WAYS.length] as (typeof WAYS)[number]];
		for (const way of ways) signed.push(...(await sign(rawEmail, ...way)));
	}
	return signed;
}

let corpus: string[];

beforeAll(async () => {
	corpus = await signedCorpus();
});

test('the corpus, signed in every way, is judged as the whole library does', async () => {
	expect(corpus.length).toBeGreaterThan(corpusFiles.length * 0.8);
	const found: string[] = [];
	let passed = 0;
	for (const rawEmail of corpus) {
		found.push(...(await differences(rawEmail)));
		const { authentication } = await check(rawEmail, ZONES);
		if (authentication.signatures[0]?.result === 'pass') passed++;
	}
	expect(found).toEqual([]);
	expect(passed).toBeGreaterThan(corpus.length * 0.9);
});

test(
	`${count} signed emails that were spoiled are judged so, too`,
	async () => {
		const found: Record<number, string[]> = {};
		for (let seed = firstSeed; seed < firstSeed + count; seed++) {
			const rawEmail = mutate(corpus, seed).replace(/^[\ufeff\s]+/, '');
			const differs = isReadAlike(rawEmail) ? await differences(rawEmail) : [];
			if (differs.length > 0) found[seed] = differs;
		}
		expect(found).toEqual({});
	},
	60_000 + count * 200,
);
