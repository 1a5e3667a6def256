import { createPublicKey } from 'node:crypto';
import { createZoneResolver, type Zones } from '../dns/support/zoneResolver';
import { TRUSTED } from './support/attacks';
import {
	above,
	authenticate,
	BODY,
	check,
	EMAIL,
	emailOf,
	HEADER,
	KEY_NAME,
	KEYS,
	signed,
	ZONES,
} from './support/senders';

const results = (said: string) => `Authentication-Results: mx.example.test; ${said}`;
const DMARC_PASS = results('dmarc=pass');

test('a signed email passes', async () => {
	const passed = { selector: 'test', result: 'pass', reason: null };
	const twice = signed(signed(EMAIL, { domain: 'attacker.example', key: KEYS.other }));
	const rawEmail = above(results('dkim=geheim; spf=softfail; dmarc=temperror'), twice);
	expect(await check(rawEmail)).toEqual({
		authentication: {
			result: 'pass',
			reason: null,
			domain: 'example.com',
			policy: 'reject',
			signatures: [
				{ domain: 'example.com', ...passed, aligned: true },
				{ domain: 'attacker.example', ...passed, aligned: false },
			],
			reported: {
				server: 'mx.example.test',
				trusted: false,
				dkim: null,
				spf: 'softfail',
				dmarc: 'temperror',
			},
			signed: ['from', 'to', 'subject', 'date', 'message-id'],
			contentSigned: false,
		},
		retryable: false,
		email: expect.objectContaining({ subject: 'Please pay 100' }),
	});
});

test('an unsigned email has the policy of its domain', async () => {
	expect(await authenticate(EMAIL)).toMatchObject({ result: 'none', policy: 'reject' });
});

/** What a check says with this result; unknown is what the DNS did not answer. */
const withResult = (result: string): object => ({
	authentication: {
		result,
		...(result === 'unknown' && { reason: expect.stringContaining('DNS') }),
	},
	retryable: result === 'unknown',
});

const related = signed(EMAIL, { domain: 'news.example.com' });
const report = above(results('dkim=pass header.d=mail.example.com'), EMAIL);
const broken = signed().replace('100 to Ada', '900');
const foreign = signed(EMAIL, { domain: 'attacker.example' });
const failed = { failed: 'SERVFAIL' };

test.each([
	['a related signature', related, { TXT: ['v=DMARC1; p=none'] }, 'pass'],
	['a related signature, strict policy', related, { TXT: ['v=DMARC1; p=none; adkim=s'] }, 'fail'],
	['a related signature, no policy', related, {}, 'fail'],
	['a related report', report, { TXT: ['v=DMARC1; p=none'] }, 'pass'],
	['a related report, strict policy', report, { TXT: ['v=DMARC1; p=none; adkim=s'] }, 'none'],

	['a related signature, no answer', related, failed, 'unknown'],
	['a domain below, no answer', signed(EMAIL.replace('ada@', 'ada@sales.')), failed, 'unknown'],
	[
		'a report and a related signature, no answer',
		related.replace(/^/, `${DMARC_PASS}\r\n`).replace('100 to', '900 to'),
		failed,
		'pass',
	],
	['a related report, no answer', report, failed, 'unknown'],
	['a report and a broken signature, no answer', report.replace(EMAIL, broken), failed, 'unknown'],
	['its own signature, no answer', signed(), failed, 'pass'],
	['its own signature and a report, no answer', report.replace(EMAIL, signed()), failed, 'pass'],
	['a report about it, no answer', report.replace('mail.', ''), failed, 'pass'],
	['dmarc=pass in a report, no answer', above(DMARC_PASS, EMAIL), failed, 'pass'],
	['an unrelated report, no answer', report.replace('example.com', 'x.example'), failed, 'none'],
	['a doubled field, no answer', report.replace('To:', 'Subject: 900\r\nTo:'), failed, 'none'],
	['a report of nobody, no answer', report.replace('mx.', 'mx2.'), failed, 'none'],
])(
	'%s gets the result that the policy of the domain asks for',
	async (_what, rawEmail, policy, result) => {
		const zones: Zones = { ...ZONES, '_dmarc.example.com': policy };
		expect(await check(rawEmail, zones, TRUSTED)).toMatchObject(withResult(result));
	},
);

test.each([
	['the key', signed(), KEY_NAME, 'unknown'],
	['one of two keys', signed(broken, { selector: 's2' }), 's2._domainkey.example.com', 'unknown'],
	['the key of another domain', foreign, 'test._domainkey.attacker.example', 'fail'],
])(
	'a signature is unknown if it could prove the sender and the DNS does not answer for %s',
	async (_what, rawEmail, name, result) => {
		const there = { ...ZONES, [name]: failed };
		expect(await check(rawEmail, there)).toMatchObject(withResult(result));
	},
);

test.each([
	['an even modulus', Buffer.alloc(256, 0xfe), [1, 0, 1]],
	['an even exponent', Buffer.alloc(256, 0xff), [2]],
	['no exponent', Buffer.alloc(256, 0xff), [0]],
	['the exponent 1', Buffer.alloc(256, 0xff), [1]],
	['a very long exponent', Buffer.alloc(384, 0xff), Array<number>(384).fill(0xff)],
	['a modulus of 17,008 bits', Buffer.alloc(2126, 0xff), [3]],
])('a key with %s, which anyone can write into the DNS, proves nothing', async (_what, n, e) => {
	const numbers = { n: n.toString('base64url'), e: Buffer.from(e).toString('base64url') };
	const key = createPublicKey({ key: { kty: 'RSA', ...numbers }, format: 'jwk' });
	const written = key.export({ type: 'spki', format: 'der' }).toString('base64');
	const zones = { ...ZONES, [KEY_NAME]: { TXT: [`v=DKIM1; p=${written}`] } };
	expect(await check(signed(), zones)).toMatchObject(withResult('fail'));
});

const size = Buffer.byteLength(BODY);
const withLength = { length: size, tags: { l: `${size}` } };

test.each([
	['with a length (l=) above added text', withLength],
	['that does not cover the subject', { fields: ['From', 'Date'] }],
])(
	'a trusted report does not count beside a signature of the organization %s, aligned by our DMARC or not',
	async (_what, options) => {
		const rawEmail = signed(EMAIL, { domain: 'news.example.com', ...options });
		const added = above(DMARC_PASS, rawEmail.replace('Please pay 100\r\n', 'Pay 900\r\n'));
		const zones = { ...ZONES, '_dmarc.news.example.com': { TXT: ['v=DMARC1; p=none; psd=n'] } };
		for (const there of [zones, ZONES])
			expect(await authenticate(`${added}Pay Eve.\r\n`, there, TRUSTED)).toMatchObject({
				result: 'fail',
			});
	},
);

test.each([
	['an unsigned email', EMAIL, []],
	[
		'a signed email whose key is gone',
		signed(EMAIL, { selector: 'gone' }),
		['from', 'to', 'subject', 'date', 'message-id'],
	],
	[
		'two signatures',
		signed(signed(EMAIL, { selector: 'gone', fields: ['To', 'From', 'Subject'] }), {
			selector: 'gone2',
			fields: ['From', 'Subject', 'Date'],
		}),
		['from', 'subject'],
	],
])(
	'a trusted report about %s proves what all signatures cover',
	async (_what, rawEmail, signedFields) => {
		expect(await authenticate(above(DMARC_PASS, rawEmail), ZONES, TRUSTED)).toMatchObject({
			result: 'pass',
			signed: signedFields,
			contentSigned: false,
		});
	},
);

test('a signed email with too many parts is unknown', async () => {
	const header = [...HEADER.slice(0, -1), 'Content-Type: multipart/mixed; boundary=b'];
	const rawEmail = signed(emailOf(header, `${'--b\r\n\r\n'.repeat(2500)}--b--\r\n`));
	expect(await authenticate(rawEmail)).toMatchObject({ result: 'unknown', signed: [] });
});

test('an email is unknown after a fault', async () => {
	const ask = () => Promise.reject(new Error('fault'));
	const { authentication } = await check(signed(), ZONES, { resolver: { ask } });
	expect(authentication).toMatchObject({ result: 'unknown', domain: null });
});

test.each([
	['that is not signed', EMAIL, 'none'],
	['that somebody else signed', foreign, 'fail'],
	['with a forged report', above('Received: from x by y.example', DMARC_PASS, EMAIL), 'none'],
	['that is signed', signed(), 'pass'],
	['with a trusted report', above(DMARC_PASS, EMAIL), 'pass'],
])(
	'with onlyForProof, an email %s is looked up in the DNS only if it could pass',
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
