import { createTransport } from 'nodemailer';

import { createZoneResolver } from '../zoneResolver';
import {
	authenticate,
	check,
	EMAIL,
	emailOf,
	HEADER,
	keyAt,
	KEYS,
	NOW,
	signed,
	ZONES,
} from './senders';

const REPORT = 'Authentication-Results: mx.example.test; dmarc=pass header.from=example.com';

test('a signed email is proved', async () => {
	expect(await check(signed())).toEqual({
		authentication: {
			result: 'pass',
			reason: null,
			domain: 'example.com',
			signatures: [
				{ domain: 'example.com', selector: 'test', result: 'pass', reason: null, aligned: true },
			],
			policy: 'reject',
			reported: null,
		},
		retryable: false,
	});
});

test('so is one that nodemailer signed', async () => {
	const transport = createTransport({
		streamTransport: true,
		buffer: true,
		newline: 'windows',
		dkim: {
			domainName: 'example.com',
			keySelector: 'test',
			privateKey: KEYS.rsa.export({ type: 'pkcs8', format: 'pem' }).toString(),
		},
	});
	const sent = await transport.sendMail({
		from: 'Ada <ada@example.com>',
		to: 'sales@example.test',
		subject: 'Grüße',
		text: 'Hello\n\n  Ada  \n',
		html: '<p>Hello</p>',
		attachments: [{ filename: 'a.txt', content: 'one\n' }],
	});
	const rawEmail = sent.message.toString();
	expect(await authenticate(rawEmail, ZONES, { now: new Date() })).toMatchObject({
		result: 'pass',
	});
	expect(await authenticate(rawEmail.replace('Hello', 'Hallo'), ZONES)).toMatchObject({
		result: 'fail',
		reason: expect.stringContaining('content'),
	});
});

test('without a signature there is no proof, only the policy of the domain', async () => {
	expect(await check(EMAIL)).toEqual({
		authentication: {
			result: 'none',
			reason: 'The email is not signed.',
			domain: 'example.com',
			signatures: [],
			policy: 'reject',
			reported: null,
		},
		retryable: false,
	});
});

test.each([undefined, '', '\r\n \r\n'])(
	'without a raw email nothing is known (%j)',
	async (raw) => {
		expect(await check(raw)).toMatchObject({
			authentication: { result: 'unknown', domain: null },
			retryable: false,
		});
	},
);

describe('as JSON brings it', () => {
	test.each([
		['line ends are LF', (raw: string) => raw.replaceAll('\r\n', '\n')],
		['the last line end is missing', (raw: string) => raw.trimEnd()],
		['a byte order mark stands before it', (raw: string) => `\ufeff${raw}`],
		['blank lines stand before it', (raw: string) => `\r\n\r\n${raw}`],
	])('%s: still proved', async (_name, change) => {
		for (const canonicalization of ['simple/simple', 'relaxed/relaxed'] as const) {
			const rawEmail = change(signed(EMAIL, { canonicalization }));
			expect(await authenticate(rawEmail)).toMatchObject({ result: 'pass' });
		}
	});

	test('UTF-8 in the header and the content is proved', async () => {
		const header = HEADER.map((field) => field.replace('100', 'à 100 €'));
		expect(await authenticate(signed(emailOf(header, 'Grüße à 😀\r\n')))).toMatchObject({
			result: 'pass',
		});
	});

	test.each([
		['content', emailOf(HEADER, 'Grüße\r\n')],
		['subject', emailOf(HEADER.map((field) => field.replace('pay', 'Grüße')))],
	])('lost characters in the %s: not known', async (_name, email) => {
		expect(await check(signed(email).replace('Grüße', 'Gr\ufffd\ufffde'))).toMatchObject({
			authentication: { result: 'unknown', reason: expect.stringContaining('lost') },
			retryable: false,
		});
	});

	test('characters that were lost where nothing was signed excuse nothing', async () => {
		const rawEmail = signed().replace('100 to Ada', '900 to Eve');
		expect(await authenticate(`X-Name: \ufffd\r\n${rawEmail}`)).toMatchObject({ result: 'fail' });
	});

	test('what looks lost, but was written so, is proved', async () => {
		expect(await authenticate(signed(emailOf(HEADER, 'a \ufffd\r\n')))).toMatchObject({
			result: 'pass',
		});
	});
});

describe('the policy of the domain', () => {
	const from = (address: string) =>
		signed(emailOf(HEADER.map((field) => field.replace('ada@example.com', address))));

	test.each([
		['v=DMARC1; p=none', 'none'],
		['v=DMARC1; p=quarantine; pct=100', 'quarantine'],
		['v=DMARC1;p=reject;', 'reject'],
		['v=DMARC1; p=REJECT', 'reject'],
		['v=DMARC1; p=nonsense; rua=mailto:a@example.com', 'none'],
		['v=DMARC1; p=nonsense', null],
		['v=spf1 -all', null],
	])('%s', async (record, policy) => {
		const zones = { ...ZONES, '_dmarc.example.com': { TXT: [record] } };
		expect(await authenticate(signed(), zones)).toMatchObject({ policy, result: 'pass' });
	});

	test('several records are none', async () => {
		const zones = {
			...ZONES,
			'_dmarc.example.com': { TXT: ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] },
		};
		expect(await authenticate(signed(), zones)).toMatchObject({ policy: null, result: 'pass' });
	});

	test('a subdomain has its organization’s, with sp= where it says so', async () => {
		const zones = {
			...ZONES,
			'_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; sp=quarantine'] },
		};
		expect(await authenticate(from('ada@mail.example.com'), zones)).toMatchObject({
			domain: 'mail.example.com',
			policy: 'quarantine',
			result: 'pass',
		});
	});

	test('a subdomain signs for its organization, unless the policy is strict', async () => {
		const rawEmail = signed(EMAIL, { domain: 'news.example.com' });
		expect(await authenticate(rawEmail)).toMatchObject({ result: 'pass' });
		const strict = { ...ZONES, '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; adkim=s'] } };
		expect(await authenticate(rawEmail, strict)).toMatchObject({
			result: 'fail',
			reason: 'The email is signed, but not by the domain in From.',
			signatures: [{ result: 'pass', aligned: false }],
		});
	});
});

describe('when the DNS fails', () => {
	const failing = [{ serverFailure: 'SERVFAIL' }, { unreachable: 'timed out' }];

	test.each(failing)(
		'for the key, it is not known, and worth another try (%j)',
		async (failure) => {
			const zones = { ...ZONES, 'test._domainkey.example.com': failure };
			expect(await check(signed(), zones)).toMatchObject({
				authentication: {
					result: 'unknown',
					reason: expect.stringContaining('DNS'),
					signatures: [{ result: 'unknown', reason: expect.stringContaining('DNS') }],
				},
				retryable: true,
			});
		},
	);

	test.each(failing)(
		'for the policy, the domain’s own signature still counts (%j)',
		async (failure) => {
			const zones = { ...ZONES, '_dmarc.example.com': failure };
			expect(await check(signed(), zones)).toMatchObject({
				authentication: { result: 'pass', policy: 'unknown' },
				retryable: false,
			});
		},
	);

	test('for the policy, a related domain’s signature may count or not', async () => {
		const zones = { ...ZONES, '_dmarc.example.com': { unreachable: 'timed out' } };
		const rawEmail = signed(EMAIL, { domain: 'news.example.com' });
		expect(await check(rawEmail, zones)).toMatchObject({
			authentication: { result: 'unknown' },
			retryable: true,
		});
	});

	test('for the policy of the organization above, its signature may count or not', async () => {
		const zones = { ...ZONES, '_dmarc.example.com': { serverFailure: 'SERVFAIL' } };
		const fromBelow = EMAIL.replace(/^(From:.*)@example\.com/im, '$1@sales.example.com');
		expect(await check(signed(fromBelow), zones)).toMatchObject({
			authentication: { result: 'unknown', domain: 'sales.example.com', policy: 'unknown' },
			retryable: true,
		});
	});

	test('for a signature that would prove nothing anyway, that changes nothing', async () => {
		const zones = { ...ZONES, 'test._domainkey.attacker.example': { unreachable: 'timed out' } };
		const rawEmail = signed(EMAIL, { domain: 'attacker.example' });
		expect(await check(rawEmail, zones)).toMatchObject({
			authentication: { result: 'fail' },
			retryable: false,
		});
	});

	test('where one signature fails and another could pass, it is not known', async () => {
		const zones = { ...ZONES, ...keyAt('new._domainkey.example.com', KEYS.other) };
		const rawEmail = signed(signed().replace('s=test', 's=new'), { selector: 'gone' });
		const gone = { ...zones, 'gone._domainkey.example.com': { serverFailure: 'SERVFAIL' } };
		expect(await check(rawEmail, gone)).toMatchObject({
			authentication: { result: 'unknown' },
			retryable: true,
		});
	});

	test('a cancelled execution ends the check', async () => {
		const resolver = {
			...createZoneResolver(ZONES),
			ask: () => Promise.reject(new Error('cancelled')),
		};
		await expect(check(signed(), ZONES, { resolver })).rejects.toThrow('cancelled');
	});
});

describe('where unproved mail is only to be kept out', () => {
	const ELSEWHERE = ['Received: from x by y.attacker.example', REPORT].join('\r\n');

	test.each([
		['that is not signed', EMAIL, 'none'],
		['that somebody else signed', signed(EMAIL, { domain: 'attacker.example' }), 'fail'],
		['with a report of nobody', `${ELSEWHERE}\r\n${EMAIL}`, 'none'],
	])('an email %s asks the DNS nothing', async (_what, rawEmail, result) => {
		const resolver = createZoneResolver({ '_dmarc.example.com': { unreachable: 'timed out' } });
		const options = { resolver, trustedServers: ['mx.example.test'], onlyForProof: true };
		expect(await check(rawEmail, ZONES, options)).toMatchObject({
			authentication: { result, policy: 'unknown' },
			retryable: false,
		});
		expect(resolver.asked).toEqual([]);
	});

	test.each([
		['a signature', signed(), ZONES],
		['a trusted report', `${REPORT}\r\n${EMAIL}`, ZONES],
	])('%s still proves a sender', async (_what, rawEmail, zones) => {
		const options = { trustedServers: ['mx.example.test'], onlyForProof: true };
		expect(await check(rawEmail, zones, options)).toMatchObject({
			authentication: { result: 'pass' },
		});
	});
});

test('each key is asked for once, at the same time as the policy', async () => {
	const resolver = createZoneResolver(ZONES);
	await check(signed(signed()), ZONES, { resolver });
	expect(resolver.asked.sort()).toEqual([
		'_dmarc.example.com TXT',
		'test._domainkey.example.com TXT',
	]);
});

test('what is checked is the time it is given', async () => {
	const later = new Date(NOW.getTime() + 3_600_000);
	const rawEmail = signed(EMAIL, { tags: { x: String(NOW.getTime() / 1000 + 60) } });
	expect(await authenticate(rawEmail)).toMatchObject({ result: 'pass' });
	expect(await authenticate(rawEmail, ZONES, { now: later })).toMatchObject({ result: 'fail' });
});
