import { createZoneResolver } from '../lib/dns/support/zoneResolver';
import { ATTACKS, HEADER_LIMITS, TRUSTED } from '../lib/proof/support/attacks';
import {
	above,
	authenticate,
	check,
	EMAIL,
	emailOf,
	HEADER,
	signed,
	ZONES,
	type SignOptions,
} from '../lib/proof/support/senders';

test.each(ATTACKS)('$name: $result', async ({ rawEmail, zones, result, domain, reason = /./ }) => {
	const because: unknown = result === 'pass' ? null : expect.stringMatching(reason);
	expect(await check(rawEmail, zones, TRUSTED, HEADER_LIMITS)).toMatchObject({
		authentication: { result, domain, reason: because },
		retryable: false,
	});
});

describe('many signatures', () => {
	const junk = (count: number, domain: string) =>
		Array.from(
			{ length: count },
			(_, index) =>
				`DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=s${index}; h=From; bh=AAAA; b=AAAA`,
		).join('\r\n');

	test.each([
		['of others', above(junk(150, 'attacker.example'), signed()), 'pass', 6],
		['in the name of the domain', above(junk(1000, 'example.com'), EMAIL), 'fail', 7],
		['in its name, one of which is good', above(junk(3, 'example.com'), signed()), 'pass', 6],
	])(
		'%s cause few DNS queries and do not displace a good one',
		async (_who, rawEmail, result, most) => {
			const resolver = createZoneResolver(ZONES);
			const { authentication } = await check(rawEmail, ZONES, { resolver });
			expect(authentication.result).toBe(result);
			expect(authentication.signatures.length).toBeLessThanOrEqual(8);
			expect(resolver.asked.length).toBeLessThanOrEqual(most);
		},
	);
});

test('reasons contain nothing from the email', async () => {
	const secret = 'geheim';
	const signing = (options: SignOptions) => signed(EMAIL, options);
	const emails = [
		signed(emailOf([`X: ${secret}`, ...HEADER], secret), { selector: 'gone' }),
		signed(EMAIL.replace('Ada <ada', `${secret}, ${secret}`)),
		signing({ tags: { q: secret, i: `${secret}@x.example` } }),
		signing({ write: (tags) => `${tags}; ${secret}` }),
		above(`DKIM-Signature: ${secret}=${secret}`, EMAIL),
	];
	for (const rawEmail of emails) {
		const { reason, signatures } = await authenticate(rawEmail);
		expect(reason).not.toBeNull();
		expect(JSON.stringify([reason, signatures.map((one) => one.reason)])).not.toContain(secret);
	}
});
