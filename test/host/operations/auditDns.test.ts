import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startScriptedDns, type ScriptedDns } from '../../dns/support/scriptedDns';
import { jsonOf, run, sandbox, useSandbox } from './support/operation';

const SPF = 'v=spf1 include:_spf.service.test ~all';
const SERVICE_SPF = { TXT: ['v=spf1 ip4:198.51.100.0/24 -all'] };

/** As the service's page shows them. */
const RECORDS = [
	{ type: 'MX', name: 'shop.test', value: 'mx.service.test', priority: 10 },
	{ type: 'TXT', name: 'shop.test', value: SPF },
	{ type: 'CNAME', name: 'em.shop.test', value: 'bounce.service.test' },
];

useSandbox();

let dns: ScriptedDns;

beforeEach(async () => {
	dns = await startScriptedDns(
		{
			'shop.test': { MX: ['10 MX.Service.test'], TXT: [SPF] },
			'em.shop.test': { CNAME: ['bounce.service.test'] },
			'_dmarc.shop.test': { TXT: ['v=DMARC1; p=reject'] },
			'_spf.service.test': SERVICE_SPF,
			'bounce.service.test': SERVICE_SPF,
		},
		{ seconds: 0 },
	);
	sandbox.accounts.owner.identities.forEach(({ id }) => sandbox.removeIdentity(id));
	sandbox.addIdentity({
		value: 'shop.test',
		kind: 'domain',
		status: 'verified',
		incomingDomain: true,
		dnsRecords: RECORDS,
	});
});

afterEach(async () => await dns.stop());

const audit = async (options: INodeParameters = {}): Promise<IDataObject[]> => {
	const auditOptions = { checkDns: true, dnsResolver: dns.address, ...options };
	return jsonOf(await run('identity audit', { auditOptions }));
};

it('a domain with the right records has no finding; a missing record is one', async () => {
	expect(await audit()).toMatchObject([{ healthy: true, dns: 'checked', findings: [] }]);

	delete dns.zones['em.shop.test'];
	const expected = 'bounce.service.test';
	const record = { type: 'CNAME', name: 'em.shop.test', expected, found: null };
	expect(await audit()).toMatchObject([
		{
			healthy: false,
			summary: expect.stringContaining(expected),
			findings: [{ code: 'dnsRecordMissing', severity: 'error', record }],
		},
	]);
});

it('sends no query for an address, and none without Check DNS', async () => {
	sandbox.addIdentity({ value: 'person@gmail.test', kind: 'email', meta: { provider: 'google' } });
	expect(await audit()).toMatchObject([{ dns: 'checked' }, { dns: null }]);
	expect(dns.asked.filter((question) => question.includes('gmail'))).toEqual([]);

	dns.asked.length = 0;
	expect(await audit({ checkDns: false })).toMatchObject([{ dns: null }, { dns: null }]);
	expect(dns.asked).toEqual([]);
});
