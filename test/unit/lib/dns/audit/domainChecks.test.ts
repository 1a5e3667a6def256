import { checkDomains } from '../../../../../lib/dns/audit/auditDomain';
import type { DnsResolver } from '../../../../../lib/dns/resolver/httpsResolver';
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
	const resolver = createZoneResolver({
		...right('b.example'),
		'c.example': { TXT: ['v=spf1 -all'] },
	});
	const checks = await checkDomains(resolver, named('a.example', 'b.example', 'c.example'));

	expect(checks.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
		['domainGone'],
		[],
		['dmarcMissing'],
	]);
});

test('an unreachable resolver gets few queries for a thousand domains', async () => {
	const asked: string[] = [];
	const dead: DnsResolver = {
		ask: async (name) => {
			asked.push(name);
			return await Promise.resolve({ status: 'failed', reason: 'connection refused' });
		},
	};
	const checks = await checkDomains(dead, many(1000));

	expect(checks).toHaveLength(1000);
	expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['unknown']));
	expect(asked.length).toBeLessThan(100);
});

test('domains with failing servers do not stop the check of others', async () => {
	const zones: Zones = { ...right('good.example') };
	for (const { name } of many(30)) zones[name] = { failed: 'SERVFAIL' };
	zones['d0.example'] = { TXT: ['v=spf1 -all'] };
	const checks = await checkDomains(createZoneResolver(zones), [
		...many(30),
		...named('good.example'),
	]);

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
