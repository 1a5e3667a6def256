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
	KEYS,
	signed,
	ZONES,
} from './senders';

const results = (said: string) => `Authentication-Results: mx.example.test; ${said}`;

test('a signed email is proved', async () => {
	const passed = { selector: 'test', result: 'pass', reason: null };
	const twice = signed(signed(EMAIL, { domain: 'attacker.example', key: KEYS.other }));
	const rawEmail = above(results('dkim=geheim; spf=softfail; dmarc=temperror'), twice);
	expect(await check(rawEmail)).toEqual({
		authentication: {
			...{ result: 'pass', reason: null, domain: 'example.com', policy: 'reject' },
			signatures: [
				{ domain: 'example.com', ...passed, aligned: true },
				{ domain: 'attacker.example', ...passed, aligned: false },
			],
			reported: {
				...{ server: 'mx.example.test', trusted: false },
				...{ dkim: null, spf: 'softfail', dmarc: 'temperror' },
			},
		},
		retryable: false,
	});
});

test('an email that is not signed still tells the policy of the domain', async () => {
	expect(await authenticate(EMAIL)).toMatchObject({ result: 'none', policy: 'reject' });
});

const related = signed(EMAIL, { domain: 'news.example.com' });
const report = above(results('dkim=pass header.d=mail.example.com'), EMAIL);
const broken = signed().replace('100 to Ada', '100 to\r\nAda');

const FAILURE = { failed: 'SERVFAIL' };
const POLICY_NAME = '_dmarc.example.com';
const STRICT: Zones = { ...ZONES, [POLICY_NAME]: { TXT: ['v=DMARC1; p=none; adkim=s'] } };
const NO_POLICY: Zones = { ...ZONES, [POLICY_NAME]: {} };
const NO_ANSWER: Zones = { ...ZONES, [POLICY_NAME]: FAILURE };

test.each<[string, string, Zones, 'fail' | 'none' | 'pass' | 'unknown']>([
	['a related signature', related, ZONES, 'pass'],
	['a related signature, with a strict policy', related, STRICT, 'fail'],
	['a related signature, without a policy', related, NO_POLICY, 'fail'],
	['a related report', report, ZONES, 'pass'],
	['a related report, with a strict policy', report, STRICT, 'none'],

	['no answer for the key', signed(), { ...ZONES, [KEY_NAME]: FAILURE }, 'unknown'],
	[
		'no answer for one of two keys',
		signed(signed().replace('100 to Ada', '900'), { selector: 'gone' }),
		{ ...ZONES, 'gone._domainkey.example.com': FAILURE },
		'unknown',
	],
	[
		'no answer for the key of another domain',
		signed(EMAIL, { domain: 'attacker.example' }),
		{ ...ZONES, 'test._domainkey.attacker.example': FAILURE },
		'fail',
	],
	['no answer for the policy, with a related signature', related, NO_ANSWER, 'unknown'],
	[
		'no answer for the policy, with a domain below',
		signed(EMAIL.replace('ada@', 'ada@sales.')),
		NO_ANSWER,
		'unknown',
	],
	['no answer for the policy, with a related report', report, NO_ANSWER, 'unknown'],
	[
		'no answer for the policy, with a related report and a broken signature',
		report.replace(EMAIL, broken),
		NO_ANSWER,
		'unknown',
	],
	['no answer for the policy, with its own signature', signed(), NO_ANSWER, 'pass'],
	[
		'no answer for the policy, with its own signature and a report',
		report.replace(EMAIL, signed()),
		NO_ANSWER,
		'pass',
	],
	['no answer for the policy, with its own report', report.replace('mail.', ''), NO_ANSWER, 'pass'],
	[
		'no answer for the policy, with dmarc=pass in a report',
		above(results('dmarc=pass'), EMAIL),
		NO_ANSWER,
		'pass',
	],
	[
		'no answer for the policy, with an unrelated report',
		report.replace('mail.example.com', 'x.example'),
		NO_ANSWER,
		'none',
	],
	[
		'no answer for the policy, with a doubled field',
		report.replace(EMAIL, emailOf(['Subject: 900', ...HEADER])),
		NO_ANSWER,
		'none',
	],
	[
		'no answer for the policy, with a report of nobody',
		report.replace('mx.', 'mx2.'),
		NO_ANSWER,
		'none',
	],
])('%s', async (_what, rawEmail, zones, result) => {
	const { authentication, retryable } = await check(rawEmail, zones, TRUSTED);
	expect({ result: authentication.result, retryable }).toEqual({
		...{ result, retryable: result === 'unknown' },
	});
	if (retryable) expect(authentication.reason).toContain('DNS');
});

test('a fault is not a proof', async () => {
	const ask = () => Promise.reject(new Error('fault'));
	const { authentication } = await check(signed(), ZONES, { resolver: { ask } });
	expect(authentication).toMatchObject({ result: 'unknown', domain: null });
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
