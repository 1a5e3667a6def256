import type { Zones } from '../zoneResolver';
import { authenticate, check, EMAIL, emailOf, HEADER, signed, ZONES } from './senders';

const TRUSTED = { trustedServers: ['MX.example.test '] };
const RECEIVED =
	'Received: from mail.example.com (mail.example.com [192.0.2.1]) by mx.example.test (Postfix) with ESMTPS id 1; Sat, 21 Nov 2026 10:00:00 +0000';
const FORGED_HOP = 'Received: from x by y.attacker.example; Sat, 21 Nov 2026 09:00:00 +0000';
const PASSED = results('dmarc=pass (p=REJECT) header.from=example.com');

function results(said: string, server = 'mx.example.test'): string {
	return `Authentication-Results: ${server};\r\n\t${said}`;
}

const email = (...above: string[]) => [...above, EMAIL].join('\r\n');

test('what a trusted server wrote proves the sender', async () => {
	for (const rawEmail of [email(PASSED, RECEIVED), email(RECEIVED, PASSED), email(PASSED)]) {
		expect(await authenticate(rawEmail, ZONES, TRUSTED)).toMatchObject({
			result: 'pass',
			reason: null,
			domain: 'example.com',
			reported: { server: 'mx.example.test', trusted: true, dkim: null, spf: null, dmarc: 'pass' },
		});
	}
});

test('what nobody trusts is told, and counts for nothing', async () => {
	expect(await authenticate(email(PASSED))).toMatchObject({
		result: 'none',
		reported: { server: 'mx.example.test', trusted: false, dmarc: 'pass' },
	});
	const others = { trustedServers: ['other.example.test', 'example.test', ''] };
	expect(await authenticate(email(PASSED), ZONES, others)).toMatchObject({ result: 'none' });
});

test('it helps where a signature was broken on the way', async () => {
	const broken = signed().replace('100 to Ada', '100 to\r\nAda');
	expect(await authenticate([PASSED, RECEIVED, broken].join('\r\n'), ZONES, TRUSTED)).toMatchObject(
		{
			result: 'pass',
			signatures: [{ result: 'fail' }],
		},
	);
});

describe('a forged one', () => {
	test.each([
		['below the one of the server', [results('dmarc=fail header.from=example.com'), PASSED]],
		['below the one of another server', [results('dmarc=fail', 'mx.other.test'), PASSED]],
		['below a hop of somebody else', [RECEIVED, FORGED_HOP, PASSED]],
		[
			'below a hop with a comment within a comment',
			['Received: from x (a (b) by mx.example.test ) by y.attacker.example', PASSED],
		],
		[
			'below a hop with a comment without an end',
			['Received: from x ( by mx.example.test ', PASSED],
		],
		[
			'below a hop that greeted with the server’s name',
			[
				'Received: from x by mx.example.test (unknown [192.0.2.9]) by y.service.test (Postfix) with SMTP id 2',
				PASSED,
			],
		],
		[
			'below a hop that greeted with the server’s name and the beginning of a comment',
			[
				'Received: from x by mx.example.test ( (unknown [192.0.2.9]) by y.service.test (Postfix)',
				PASSED,
			],
		],
		[
			'below a hop whose comment opens in the greeting and ends in an address',
			[
				'Received: from x by mx.example.test ( (unknown [192.0.2.9]) by y.service.test with SMTP for <a)@example.test>',
				PASSED,
			],
		],
		[
			'below a hop whose quotes open in the greeting and end in an address',
			[
				'Received: from x by mx.example.test " (unknown [192.0.2.9]) by y.service.test for <"@example.test>',
				PASSED,
			],
		],
		[
			'below a hop with a bracket that closes nothing',
			['Received: from x) by mx.example.test (Postfix)', PASSED],
		],
		[
			'below a hop with quotes that do not end',
			['Received: from "x by mx.example.test (Postfix)', PASSED],
		],
		['below a hop of nobody', ['Received: nonsense', PASSED]],
		[
			'below a hop that hides its server',
			['Received: from x (by mx.example.test) by y.attacker.example', PASSED],
		],
		[
			'of a server with a similar name',
			[results('dmarc=pass', 'mx.example.test.attacker.example')],
		],
		['of a server within a comment', [results('dmarc=pass', 'attacker.example (mx.example.test)')]],
		[
			'with the server’s name behind its results',
			['Authentication-Results: attacker.example; mx.example.test; dmarc=pass'],
		],
		['without a server', ['Authentication-Results: dmarc=pass header.from=example.com']],
		['that is endless', [results(`x=${'y'.repeat(20_000)}; dmarc=pass`)]],
	])('%s counts for nothing', async (_name, above) => {
		expect(await authenticate(email(...above), ZONES, TRUSTED)).toMatchObject({ result: 'none' });
	});
});

describe('what it has to say', () => {
	test.each([
		['dmarc=pass', 'pass'],
		['dmarc=pass header.from=ada@example.com', 'pass'],
		['dkim=pass header.d=example.com', 'pass'],
		['dkim=pass header.i=@mail.example.com header.s=x', 'pass'],
		['dkim=fail header.d=example.com; dkim=pass header.d=example.com', 'pass'],
		['DMARC=Pass header.from=example.com', 'pass'],
		['dmarc=pass header.from=attacker.example', 'none'],
		['dkim=pass header.d=attacker.example', 'none'],
		['dkim=pass', 'none'],
		['dkim=fail header.d=example.com', 'none'],
		['spf=pass smtp.mailfrom=example.com', 'none'],
		['arc=pass header.d=example.com', 'none'],
		['dmarc=fail (dmarc=pass) header.from=example.com', 'none'],
		['dmarc="fail; dmarc=pass"', 'none'],
		['x=y (comment; dmarc=pass)', 'none'],
		['dmarc=passed', 'none'],
		['none', 'none'],
	])('%s: %s', async (said, result) => {
		expect(await authenticate(email(results(said)), ZONES, TRUSTED)).toMatchObject({ result });
	});

	test('a strict policy wants the same domain', async () => {
		const zones = { '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; adkim=s'] } };
		const rawEmail = email(results('dkim=pass header.d=mail.example.com'));
		expect(await authenticate(rawEmail, zones, TRUSTED)).toMatchObject({ result: 'none' });
		const relaxed = { '_dmarc.example.com': { TXT: ['v=DMARC1; p=none'] } };
		expect(await authenticate(rawEmail, relaxed, TRUSTED)).toMatchObject({ result: 'pass' });
	});

	describe('while the policy cannot be asked for', () => {
		const zones: Zones = { ...ZONES, '_dmarc.example.com': { unreachable: 'timed out' } };
		const related = results('dkim=pass header.d=mail.example.com');
		const broken = signed().replace('100 to Ada', '100 to\r\nAda');
		const below = (said: string, rawEmail: string) => [said, rawEmail].join('\r\n');

		test.each([
			['is gone', EMAIL],
			['was broken', broken],
		])('a related domain may count where the signature %s', async (_what, rawEmail) => {
			expect(await check(below(related, rawEmail), zones, TRUSTED)).toMatchObject({
				authentication: {
					result: 'unknown',
					reason: expect.stringMatching('DNS'),
				},
				retryable: true,
			});
		});

		test.each([
			['the same domain proves it', results('dkim=pass header.d=example.com'), EMAIL, 'pass'],
			['what the server found by the policy proves it', PASSED, EMAIL, 'pass'],
			['its own signature proves it', related, signed(), 'pass'],
			['another domain never does', results('dkim=pass header.d=x.example'), EMAIL, 'none'],
			['a doubled field never does', related, emailOf(['Subject: 900', ...HEADER]), 'none'],
		])('%s', async (_what, said, rawEmail, result) => {
			expect(await check(below(said, rawEmail), zones, TRUSTED)).toMatchObject({
				authentication: { result },
				retryable: false,
			});
		});

		test('a related domain in the name of a server that is not trusted never counts', async () => {
			expect(await check(below(related, EMAIL), zones)).toMatchObject({
				authentication: { result: 'none' },
				retryable: false,
			});
		});
	});

	test('only results that the standard has are repeated', async () => {
		const said = 'dkim=geheim; spf=softfail; dmarc=temperror';
		expect(await authenticate(email(results(said)))).toMatchObject({
			reported: { dkim: null, spf: 'softfail', dmarc: 'temperror' },
		});
	});
});

test('it proves nobody where From does not name one, or a field stands twice', async () => {
	const two = emailOf(['From: eve@attacker.example', ...HEADER]);
	expect(await check([PASSED, two].join('\r\n'), ZONES, TRUSTED)).toMatchObject({
		authentication: { result: 'none', domain: null },
	});
	const subjects = emailOf(['Subject: Please pay 900', ...HEADER]);
	expect(await authenticate([PASSED, subjects].join('\r\n'), ZONES, TRUSTED)).toMatchObject({
		result: 'none',
	});
});
