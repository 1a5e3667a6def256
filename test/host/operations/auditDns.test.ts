import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startScriptedDns, type ScriptedDns } from '../../dns/support/scriptedDns';
import { jsonOf, run, sandbox, useSandbox } from './support/operation';

useSandbox();

let dns: ScriptedDns;

beforeEach(async () => {
	dns = await startScriptedDns({ 'shop.test': { TXT: ['v=spf1 -all'] } });
	sandbox.accounts.owner.identities.forEach(({ id }) => sandbox.removeIdentity(id));
	sandbox.addIdentity({ value: 'shop.test', kind: 'domain', status: 'verified' });
});

afterEach(async () => await dns.stop());

const audit = async (options: INodeParameters = {}): Promise<IDataObject[]> => {
	const auditOptions = { checkDns: true, dnsResolver: dns.address, ...options };
	return jsonOf(await run('identity audit', { auditOptions }));
};

it('sends no query for an address, and none without Check DNS', async () => {
	sandbox.addIdentity({ value: 'person@gmail.test', kind: 'email', meta: { provider: 'google' } });
	expect(await audit()).toMatchObject([{ dns: 'checked' }, { dns: null }]);
	expect(dns.asked.filter((question) => question.includes('gmail'))).toEqual([]);

	dns.asked.length = 0;
	expect(await audit({ checkDns: false })).toMatchObject([{ dns: null }, { dns: null }]);
	expect(dns.asked).toEqual([]);
});
