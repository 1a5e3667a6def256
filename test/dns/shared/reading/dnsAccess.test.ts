import { askDns } from '../../../../nodes/EmailIdentity/shared/reading/dnsAccess';
import type { DnsRecordType } from '../../../../lib/dns/resolver/packet';
import { TestDns } from '../../support/testDns';
import { executeContext } from '../../../host/support';
import { actionNode } from '../../../host/operations/support/operation';

let dns: TestDns;

beforeAll(async () => {
	dns = await TestDns.start({
		'example.test': String.raw`
@ MX 10 Mail.Example.test.
@ MX 20 mail2
@ TXT "v=spf1 -all"
@ A 192.0.2.1
@ AAAA 2001:db8::1
parts TXT "v=DKIM1; " "p=abc"
bytes TXT "\195\169\"\\\000"
alias CNAME example.test.
elsewhere CNAME far.other.test.
long TXT ${`"${'k'.repeat(250)}" `.repeat(12)}
none MX 0 .
nowhere CNAME gone`,
		'other.test': 'far TXT "there"',
		'broken.test': 'servfail',
	});
});

afterAll(async () => await dns.stop());

const ask = async (name: string, type: DnsRecordType) => {
	const options = { addresses: [dns.address], limits: {} };
	return await askDns(executeContext({ type: actionNode }), options).ask(name, type);
};

describe('a real name server', () => {
	test.each([
		['example.test', 'MX', ['10 mail.example.test', '20 mail2.example.test']],
		['example.test', 'TXT', ['v=spf1 -all']],
		['EXAMPLE.test.', 'A', ['192.0.2.1']],
		['example.test', 'AAAA', ['2001:db8::1']],
		['example.test', 'NS', ['ns.example.test']],
		['parts.example.test', 'TXT', ['v=DKIM1; p=abc']],
		['bytes.example.test', 'TXT', ['\xe9"\\\x00']],
		['alias.example.test', 'CNAME', ['example.test']],
		['alias.example.test', 'TXT', ['v=spf1 -all']],
		['elsewhere.example.test', 'TXT', ['there']],
		['long.example.test', 'TXT', ['k'.repeat(3000)]],
		['none.example.test', 'MX', ['0 .']],
	] as const)('%s has %s', async (name, type, records) => {
		expect(await ask(name, type)).toEqual({ status: 'found', records });
	});

	test.each([
		['a name without records of this type', 'parts.example.test', { status: 'noData' }],
		['a name that is not there', 'nobody.example.test', { status: 'noSuchName' }],
		['an alias that leads nowhere', 'nowhere.example.test', { status: 'noSuchName' }],
		['a name that no name can be', 'two..dots.test', { status: 'noSuchName' }],
		['a domain whose server fails', 'broken.test', failure('SERVFAIL')],
		['a domain that is refused', 'unknown.test', failure('REFUSED')],
	])('%s', async (_case, name, answer) => {
		const { host } = new URL(dns.address);
		const reason = 'reason' in answer ? { reason: `${host} ${answer.reason}` } : {};
		expect(await ask(name, 'AAAA')).toEqual({ ...answer, ...reason });
	});
});

function failure(code: string): { status: string; reason: string } {
	return { status: 'failed', reason: `answered ${code}` };
}
