import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { dialects, startSandbox, type Sandbox } from '../../../sandbox';
import { TestDns } from '../../dns';
import type { Zone } from '../../dns';
import { rsaKey } from '../../unit/dns/audit/rightDomains';
import { jsonOf, run } from './support/operation';

const KEY = rsaKey();

const SPF = 'v=spf1 include:_spf.service.test ~all';

/** As the service's page shows them; the key in the parts that a zone file has. */
const RECORDS = [
	{ type: 'MX', name: 'shop.test', value: 'mx.service.test', priority: 10 },
	{ type: 'TXT', name: 'shop.test', value: SPF },
	{ type: 'TXT', name: 's1._domainkey.shop.test', value: KEY },
	{ type: 'CNAME', name: 'em.shop.test', value: 'bounce.service.test' },
];

const RIGHT: Zone = [
	['@', 'MX', '10 MX.Service.test.'],
	['@', 'TXT', 'v=spf1 ip4:192.0.2.1 include:_spf.service.test -all'],
	['s1._domainkey', 'TXT', [KEY.slice(0, 250), KEY.slice(250)]],
	['em', 'CNAME', 'bounce.service.test.'],
	['_dmarc', 'TXT', 'v=DMARC1; p=reject'],
];

const SERVICE: Zone = [
	['_spf', 'TXT', 'v=spf1 ip4:198.51.100.0/24 -all'],
	['bounce', 'TXT', 'v=spf1 ip4:198.51.100.0/24 -all'],
];

/** What stands at a name in the place of what is right. */
const without = (...names: string[]): Zone =>
	(RIGHT as readonly (readonly [string, ...unknown[]])[]).filter(
		([name, type]) => !names.includes(`${name} ${String(type)}`),
	) as unknown as Zone;

let dns: TestDns;
let sandbox: Sandbox;

beforeAll(async () => {
	dns = await TestDns.start({
		'shop.test': RIGHT,
		'service.test': SERVICE,
		'co.uk': [],
		'broken.test': 'servfail',
	});
});

beforeEach(async () => {
	sandbox = await startService('observed');
	await dns.setZone('shop.test', RIGHT);
});

afterEach(async () => await sandbox.stop());
afterAll(async () => await dns?.stop());

const runAudit = async (options: INodeParameters) =>
	await run(sandbox, {
		...{ resource: 'identity', operation: 'audit' },
		auditOptions: { checkDns: true, dnsResolver: dns.address, ...options },
	});

const audit = async (options: INodeParameters = {}): Promise<IDataObject[]> =>
	jsonOf(await runAudit(options));

const codesOf = ([result]: IDataObject[]): string[] =>
	(result?.findings as Array<{ code: string }>).map(({ code }) => code);

/** A service with one domain, whose records it lists. */
async function startService(dialect: keyof typeof dialects): Promise<Sandbox> {
	const service = await startSandbox({ dialect });
	service.accounts.owner.identities.forEach(({ id }) => service.removeIdentity(id));
	service.addIdentity({
		...{ value: 'shop.test', kind: 'domain', status: 'verified' },
		...{ incomingDomain: true, dnsRecords: RECORDS },
	});
	return service;
}

it.each(Object.keys(dialects) as Array<keyof typeof dialects>)(
	'finds nothing where all is right, and a record that is taken away, at a service that speaks %s',
	async (dialect) => {
		await sandbox.stop();
		sandbox = await startService(dialect);

		expect(await audit()).toMatchObject([
			{ healthy: true, dns: 'checked', summary: 'shop.test: no problem found', findings: [] },
		]);

		await dns.setZone('shop.test', without('em CNAME'));
		expect(await audit()).toMatchObject([
			{
				healthy: false,
				summary: expect.stringContaining(
					'type CNAME, name em.shop.test (without the domain, where the form adds it), value bounce.service.test',
				),
				findings: [
					{
						...{ code: 'dnsRecordMissing', severity: 'error' },
						record: {
							...{ type: 'CNAME', name: 'em.shop.test' },
							...{ expected: 'bounce.service.test', found: null },
						},
					},
				],
			},
		]);
	},
);

it('is told of each record when all are gone', async () => {
	await dns.setZone('shop.test', []);

	expect(codesOf(await audit())).toEqual([
		...['mxMissing', 'dnsRecordMissing', 'dnsRecordMissing', 'dnsRecordMissing'],
		'dmarcMissing',
	]);
});

it('calls unknown what could not be asked, and the domain not at fault', async () => {
	sandbox.addIdentity({ value: 'broken.test', kind: 'domain', incomingDomain: true });

	expect(await audit({ minimumSeverity: 'info' })).toMatchObject([
		{ healthy: true, dns: 'checked' },
		{
			...{ healthy: true, dns: 'unknown' },
			summary: 'broken.test: no problem found, but its DNS could not be looked at',
			findings: [{ code: 'dnsUnknown', severity: 'info' }],
		},
	]);
});

it('goes on when nobody answers at the address of the resolver', async () => {
	const [result] = await audit({ dnsResolver: 'http://127.0.0.1:9/dns-query' });

	expect(result).toMatchObject({ healthy: true, dns: 'unknown', findings: [] });
});

it('looks at domains that are gone', async () => {
	sandbox.addIdentity({ value: 'expired.co.uk', kind: 'domain', incomingDomain: true });
	const [, gone] = await audit();

	expect(gone).toMatchObject({ healthy: false, findings: [{ code: 'domainGone' }] });
});

it('says what to enter for a subdomain of which there is nothing yet', async () => {
	sandbox.addIdentity({
		...{ value: 'news.shop.test', kind: 'domain', incomingDomain: false },
		dnsRecords: [{ type: 'TXT', name: 's1._domainkey.news.shop.test', value: KEY }],
	});
	const [, subdomain] = await audit();

	expect(codesOf([subdomain!])).toEqual(['dnsRecordMissing', 'spfMissing']);
	expect(subdomain?.summary).not.toMatch(/does not exist|registered/);
});

it('leaves out what is not severe enough, and who has nothing', async () => {
	await dns.setZone('shop.test', [
		...without('_dmarc TXT'),
		['_dmarc', 'TXT', 'v=DMARC1; p=none'],
	] as Zone);

	expect(codesOf(await audit({ minimumSeverity: 'info' }))).toEqual(['dmarcPolicyNone']);
	expect(await audit({ onlyWithFindings: true })).toEqual([]);
});

it('asks nothing about addresses', async () => {
	sandbox.addIdentity({ value: 'person@gmail.test', kind: 'email', meta: { provider: 'google' } });
	sandbox.addIdentity({ value: 'sales@elsewhere.test', kind: 'email', smtpAccountId: 'smtp' });
	const results = await audit();

	expect(results.map(({ value, dns: status }) => [value, status])).toEqual([
		['shop.test', 'checked'],
		['person@gmail.test', null],
		['sales@elsewhere.test', null],
	]);
	const asked = (await dns.questions()).map(({ name }) => name);
	expect(asked.filter((name) => /gmail|elsewhere/.test(name))).toEqual([]);
});

it('asks nothing, and says nothing, without Check DNS', async () => {
	const before = (await dns.questions()).length;
	await dns.setZone('shop.test', []);
	const [result] = await audit({ checkDns: false });

	expect(result).toMatchObject({ dns: null, findings: [], summary: 'shop.test: no problem found' });
	expect(await dns.questions()).toHaveLength(before);
});

it('refuses an address of a resolver that it would not ask', async () => {
	const { error } = await runAudit({ dnsResolver: 'http://dns.elsewhere.net/dns-query' });

	expect(error?.message).toMatch(/DNS Resolver dns\.elsewhere\.net must start with https/);
	expect(sandbox.requests()).toEqual([]);
});
