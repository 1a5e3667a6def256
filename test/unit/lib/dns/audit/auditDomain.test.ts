import { checkDomains } from '../../../../../lib/dns/audit/auditDomain';
import type { DnsResolver } from '../../../../../lib/dns/resolver/httpsResolver';
import { failed } from '../../../../../lib/dns/resolver/dnsOverHttps';
import { createZoneResolver, type Zones } from '../support/zoneResolver';

const named = (...names: string[]) =>
	names.map((name) => ({ name, receives: false, required: [] }));

const many = (count: number) =>
	named(...Array.from({ length: count }, (_, index) => `d${index}.example`));

const right = (name: string): Zones => ({
	[name]: { TXT: ['v=spf1 -all'] },
	[`_dmarc.${name}`]: { TXT: ['v=DMARC1; p=reject'] },
});

test('results are in the order of the domains', async () => {
	const zones: Zones = { ...right('b.example'), 'c.example': { TXT: ['v=spf1 -all'] } };
	const domains = named('a.example', 'b.example', 'c.example');
	const checks = await checkDomains(createZoneResolver(zones), domains);
	const codes = checks.map(({ problems }) => problems.map(({ code }) => code));
	expect(codes).toEqual([['domainGone'], [], ['dmarcMissing']]);
});

test('an unreachable resolver gets few queries for a thousand domains', async () => {
	const ask = jest.fn(async () => await Promise.resolve(failed('connection refused')));
	const checks = await checkDomains({ ask }, many(1000));
	expect(checks.map(({ status }) => status)).toEqual(Array(1000).fill('unknown'));
	expect(ask.mock.calls.length).toBeLessThan(100);
});

test('domains with failing servers do not stop the check of others', async () => {
	const zones: Zones = { ...right('good.example') };
	for (const { name } of many(30)) zones[name] = { failed: 'SERVFAIL' };
	zones['d0.example'] = { TXT: ['v=spf1 -all'] };
	const domains = [...many(30), ...named('good.example')];
	const checks = await checkDomains(createZoneResolver(zones), domains);
	expect(checks.at(-1)).toEqual({ status: 'checked', problems: [] });
});

test('a cancelled execution checks no further domain', async () => {
	const cancelling = new AbortController();
	const resolver = createZoneResolver({});
	const cancelled: DnsResolver = {
		ask: async (name, type) => {
			cancelling.abort(new Error('cancelled'));
			return await resolver.ask(name, type);
		},
	};

	await expect(checkDomains(cancelled, many(500), cancelling.signal)).rejects.toThrow('cancelled');
	expect(resolver.asked.length).toBeLessThan(500);
});
