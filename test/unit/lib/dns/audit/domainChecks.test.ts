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

test('domains keep their order', async () => {
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

test('a resolver that nobody can reach is not asked about a thousand domains', async () => {
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

test('a domain whose servers fail keeps no other from being looked at', async () => {
	const zones: Zones = { ...right('good.example') };
	for (const { name } of many(30)) zones[name] = { failed: 'SERVFAIL' };
	zones['d0.example'] = { TXT: ['v=spf1 -all'] };
	const checks = await checkDomains(createZoneResolver(zones), [
		...many(30),
		...named('good.example'),
	]);

	expect(checks.at(-1)).toEqual({ status: 'checked', problems: [] });
});

test('a cancelled execution looks at no further domain', async () => {
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
