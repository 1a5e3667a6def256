import { createTransport } from 'nodemailer';

import { createZoneResolver, type Zones } from '../zoneResolver';
import { TRUSTED } from './attacks';
import {
	above,
	authenticate,
	check,
	EMAIL,
	emailOf,
	HEADER,
	KEY_NAME,
	keyAt,
	KEYS,
	NOW,
	signed,
	ZONES,
} from './senders';

const results = (said: string) => `Authentication-Results: mx.example.test; ${said}`;

test('a signed email is proved', async () => {
	const rawEmail = above(results('dkim=geheim; spf=softfail; dmarc=temperror'), signed());
	expect(await check(rawEmail)).toEqual({
		authentication: {
			...{ result: 'pass', reason: null, domain: 'example.com', policy: 'reject' },
			signatures: [
				{ domain: 'example.com', selector: 'test', result: 'pass', reason: null, aligned: true },
			],
			reported: {
				...{ server: 'mx.example.test', trusted: false },
				...{ dkim: null, spf: 'softfail', dmarc: 'temperror' },
			},
		},
		retryable: false,
	});
});

test('without a signature there is no proof, only the policy of the domain', async () => {
	expect(await check(EMAIL)).toEqual({
		authentication: {
			...{ result: 'none', reason: 'The email is not signed.', domain: 'example.com' },
			...{ policy: 'reject', signatures: [], reported: null },
		},
		retryable: false,
	});
});

test('only a report of a trusted server counts', async () => {
	const rawEmail = above(results('dmarc=pass'), EMAIL);
	const trusted = { server: 'mx.example.test', trusted: true, dmarc: 'pass' };
	expect(await authenticate(rawEmail, ZONES, TRUSTED)).toMatchObject({
		...{ result: 'pass', reported: trusted },
	});
	const others = { trustedServers: ['other.example.test', 'example.test', ''] };
	expect(await authenticate(rawEmail, ZONES, others)).toMatchObject({
		...{ result: 'none', reported: { ...trusted, trusted: false } },
	});
});

test('an email that nodemailer signed is proved', async () => {
	const transport = createTransport({
		...{ streamTransport: true, buffer: true, newline: 'windows' },
		dkim: {
			...{ domainName: 'example.com', keySelector: 'test' },
			privateKey: KEYS.rsa.export({ type: 'pkcs8', format: 'pem' }).toString(),
		},
	});
	const sent = await transport.sendMail({
		...{ from: 'Ada <ada@example.com>', to: 'sales@example.test', subject: 'Grüße' },
		...{ text: 'Hello\n\n  Ada  \n', html: '<p>Hello</p>' },
		attachments: [{ filename: 'a.txt', content: 'one\n' }],
	});
	expect(await authenticate(sent.message.toString(), ZONES, { now: new Date() })).toMatchObject({
		result: 'pass',
	});
});

describe('the policy of the domain', () => {
	test.each([
		[['v=DMARC1; p=none'], 'none'],
		[['v=DMARC1; p=quarantine; pct=100'], 'quarantine'],
		[['v=DMARC1;p=reject;'], 'reject'],
		[['v=DMARC1; p=REJECT'], 'reject'],
		[['v=DMARC1; p=nonsense; rua=mailto:a@example.com'], 'none'],
		[['v=DMARC1; p=nonsense'], null],
		[['v=spf1 -all'], null],
		[['v=DMARC1; p=reject', 'v=DMARC1; p=none'], null],
	])('%j: %s', async (TXT, policy) => {
		const zones = { ...ZONES, '_dmarc.example.com': { TXT } };
		expect(await authenticate(signed(), zones)).toMatchObject({ policy, result: 'pass' });
	});

	test('a subdomain has its organization’s, with sp= where it says so', async () => {
		const zones = {
			...ZONES,
			'_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; sp=quarantine'] },
		};
		const email = EMAIL.replace('ada@example.com', 'ada@mail.example.com');
		expect(await authenticate(signed(email), zones)).toMatchObject({
			...{ domain: 'mail.example.com', policy: 'quarantine', result: 'pass' },
		});
	});

	test('a subdomain signs for its organization, unless the policy is strict or there is none', async () => {
		const rawEmail = signed(EMAIL, { domain: 'news.example.com' });
		const reported = above(results('dkim=pass header.d=mail.example.com'), EMAIL);
		const strict = { ...ZONES, '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; adkim=s'] } };
		expect(await authenticate(rawEmail)).toMatchObject({ result: 'pass' });
		expect(await authenticate(rawEmail, strict)).toMatchObject({
			...{ result: 'fail', signatures: [{ result: 'pass', aligned: false }] },
		});
		expect(
			await authenticate(rawEmail, keyAt('test._domainkey.news.example.com', KEYS.rsa)),
		).toMatchObject({ result: 'fail', policy: null });
		expect(await authenticate(reported, ZONES, TRUSTED)).toMatchObject({ result: 'pass' });
		expect(await authenticate(reported, strict, TRUSTED)).toMatchObject({ result: 'none' });
	});
});

describe('when the DNS fails', () => {
	const failure = { serverFailure: 'SERVFAIL' };
	const noPolicy = { ...ZONES, '_dmarc.example.com': { unreachable: 'timed out' } };
	const related = results('dkim=pass header.d=mail.example.com');
	const broken = signed().replace('100 to Ada', '100 to\r\nAda');

	test.each<[string, string, Zones]>([
		['the key', signed(), { ...ZONES, [KEY_NAME]: failure }],
		['the key, with no network', signed(), { ...ZONES, [KEY_NAME]: { unreachable: 'timed out' } }],
		[
			'one of two keys',
			signed(signed(EMAIL, { key: KEYS.other }), { selector: 'gone' }),
			{ ...ZONES, 'gone._domainkey.example.com': failure },
		],
		[
			'the policy, which a related signature needs',
			signed(EMAIL, { domain: 'news.example.com' }),
			noPolicy,
		],
		['the policy above', signed(EMAIL.replace('ada@', 'ada@sales.')), noPolicy],
		['the policy, which a trusted report needs', above(related, EMAIL), noPolicy],
		['the policy, with a broken signature', above(related, broken), noPolicy],
	])('for %s, the result is open, and worth another try', async (_what, rawEmail, zones) => {
		expect(await check(rawEmail, zones, TRUSTED)).toMatchObject({
			authentication: { result: 'unknown', reason: expect.stringContaining('DNS') },
			retryable: true,
		});
	});

	const otherKey = { ...ZONES, 'test._domainkey.attacker.example': failure };

	test.each<[string, string, Zones, string]>([
		['the policy, with the domain’s own signature', signed(), noPolicy, 'pass'],
		['the policy, with its own signature and a report', above(related, signed()), noPolicy, 'pass'],
		[
			'the policy, with the domain in a report',
			above(results('dkim=pass header.d=example.com'), EMAIL),
			noPolicy,
			'pass',
		],
		[
			'the policy, with dmarc=pass in a report',
			above(results('dmarc=pass'), EMAIL),
			noPolicy,
			'pass',
		],
		[
			'the policy, with another domain in a report',
			above(results('dkim=pass header.d=x.example'), EMAIL),
			noPolicy,
			'none',
		],
		[
			'the policy, with a doubled field below a report',
			above(related, emailOf(['Subject: 900', ...HEADER])),
			noPolicy,
			'none',
		],
		[
			'the policy, with a report of nobody',
			above(related.replace('mx.', 'mx2.'), EMAIL),
			noPolicy,
			'none',
		],
		['the key of another domain', signed(EMAIL, { domain: 'attacker.example' }), otherKey, 'fail'],
	])('for %s, that changes nothing', async (_what, rawEmail, zones, result) => {
		expect(await check(rawEmail, zones, TRUSTED)).toMatchObject({
			authentication: { result },
			retryable: false,
		});
	});

	test('because the execution was cancelled, the check ends', async () => {
		const ask = () => Promise.reject(new Error('cancelled'));
		await expect(check(signed(), ZONES, { resolver: { ask } })).rejects.toThrow('cancelled');
	});
});

test.each([
	['that is not signed', EMAIL, 'none'],
	['that somebody else signed', signed(EMAIL, { domain: 'attacker.example' }), 'fail'],
	[
		'with a forged report',
		above('Received: from x by y.attacker.example', results('dmarc=pass'), EMAIL),
		'none',
	],
	['that is signed', signed(), 'pass'],
	['with a trusted report', above(results('dmarc=pass'), EMAIL), 'pass'],
])(
	'where unproved mail is only kept out, an email %s asks the DNS no more than it needs',
	async (_what, rawEmail, result) => {
		const resolver = createZoneResolver(ZONES);
		const options = { ...TRUSTED, resolver, onlyForProof: true };
		expect(await check(rawEmail, ZONES, options)).toMatchObject({
			authentication: { result, policy: result === 'pass' ? 'reject' : 'unknown' },
			retryable: false,
		});
		expect(resolver.asked.length > 0).toBe(result === 'pass');
	},
);

test('each key is asked for once, at the same time as the policy', async () => {
	const resolver = createZoneResolver(ZONES);
	await check(signed(signed()), ZONES, { resolver });
	expect(resolver.asked.sort()).toEqual(['_dmarc.example.com TXT', `${KEY_NAME} TXT`]);
});

test('the time of the check can be chosen', async () => {
	const now = new Date(NOW.getTime() + 3_600_000);
	const rawEmail = signed(EMAIL, { tags: { x: String(NOW.getTime() / 1000 + 60) } });
	expect(await authenticate(rawEmail, ZONES, { now })).toMatchObject({ result: 'fail' });
});
