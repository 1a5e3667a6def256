import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startDeliveryHost, type DeliveryHost } from './deliveries';
import { startScriptedDns, type ScriptedDns } from '../../../dns/scriptedDns';
import { forbidPrivateNetworks } from '../../rig';
import { composeMail, createSigner, delivered } from '../../../dns/signedMails';

const signer = createSigner('example.com');
const KEY = 's1._domainkey.example.com';
const FROM = 'Ada <ada@example.com>';

const ONLY: INodeParameters = { senderCheck: 'require' };
const CHECK: INodeParameters = { senderCheck: 'add' };

let doh: ScriptedDns;
let signed: string;
const hosts: DeliveryHost[] = [];

beforeAll(async () => {
	signed = await composeMail({ from: FROM }, signer);
});

beforeEach(async () => {
	doh = await startScriptedDns({ ...signer.zones });
});

afterEach(async () => {
	forbidPrivateNetworks(false);
	await Promise.all(hosts.splice(0).map(async (host) => await host.stop()));
	await doh.stop();
});

const start = async (parameters: INodeParameters, isTest = false) => {
	const advanced = { dnsResolver: doh.address, ...(parameters.advanced as IDataObject) };
	const host = await startDeliveryHost({ ...parameters, advanced }, { isTest });
	hosts.push(host);
	return host;
};

/** How the DNS fails, what is said of the resolver then, and how it comes back. */
const FAILURES: Array<[what: string, says: string, fail: () => void, mend: () => void]> = [
	[
		'a resolver that gives no answer',
		'took too long to answer',
		() => doh.silent.add(KEY),
		() => doh.silent.delete(KEY),
	],
	[
		'a server of the domain that fails',
		'answered SERVFAIL',
		() => (doh.zones[KEY] = { serverFailure: 'SERVFAIL' }),
		() => (doh.zones[KEY] = signer.zones[KEY]!),
	],
	[
		'a resolver that is a web page',
		'answered with HTTP status 404',
		() => (doh.status = 404),
		() => (doh.status = 200),
	],
	[
		'a resolver in a network that n8n may not ask',
		'is an address that n8n does not allow requests to',
		() => forbidPrivateNetworks(true),
		() => forbidPrivateNetworks(false),
	],
];

test.each(FAILURES)(
	'%s lets nothing through, and is told of: the repeat starts the workflow, once',
	async (_what, says, fail, mend) => {
		const [only, check] = [await start(ONLY), await start(CHECK)];
		const event = delivered('m-1', signed);
		fail();
		const [refused] = await Promise.all([only.post(event), check.post(event)]);

		expect(refused.status).toBe(503);
		expect(refused.headers.get('retry-after')).toBe('60');
		expect(only.started()).toEqual([]);
		const why = `${new URL(doh.address).host} ${says}`;
		const lines = only.logLines();
		expect(lines.map(({ level, message }) => [level, message.includes(why)])).toEqual([
			['warn', true],
			['warn', true],
		]);
		expect(lines.filter(({ message }) => message.includes('refused: 503'))).toHaveLength(1);
		// Whoever only wants to know is told that nobody does.
		const authentication = {
			...{ result: 'unknown', domain: 'example.com' },
			reason: expect.stringContaining(why),
		};
		expect(check.started()).toMatchObject([[[{ json: { delivery: { authentication } } }]]]);

		mend();
		const repeats = [await only.post(event), await only.post(event)];
		expect(repeats.map(({ status }) => status)).toEqual([200, 200]);
		expect(only.started()).toMatchObject([
			[[{ json: { delivery: { authentication: { result: 'pass' } } } }]],
		]);
	},
);

test('a DNS that comes back in time is asked again within the delivery', async () => {
	const host = await start(ONLY);
	doh.zones[KEY] = { serverFailure: 'SERVFAIL' };
	const answering = host.post(delivered('m-1', signed));
	await until(() => doh.asked.filter((question) => question === `${KEY} TXT`).length > 1);
	doh.zones[KEY] = signer.zones[KEY]!;

	expect((await answering).status).toBe(200);
	expect(host.started()).toHaveLength(1);
});

test('a delivery that waits for the DNS holds up no other', async () => {
	const slow = createSigner('slow.example');
	Object.assign(doh.zones, slow.zones);
	doh.silent.add('s1._domainkey.slow.example');
	const host = await start(ONLY);
	const order: string[] = [];
	const waiting = host
		.post(delivered('slow', await composeMail({ from: 'bob@slow.example' }, slow)))
		.then(() => order.push('slow'));
	await until(() => doh.asked.some((question) => question.includes('slow.example')));
	await host.post(delivered('quick', signed)).then(() => order.push('quick'));
	await waiting;

	expect(order).toEqual(['quick', 'slow']);
	expect(host.started()).toHaveLength(1);
});

test('while you listen for a test event, the editor says that the DNS could not be asked', async () => {
	const host = await start(ONLY, true);
	doh.status = 500;
	await host.post(delivered('m-1', signed));
	const { description } = host.started()[0]?.[0]?.[0]?.json.emailIdentityFilteredOut as IDataObject;

	expect(description).toContain('DNS could not be asked');
	expect(description).toContain(`${new URL(doh.address).host} answered with HTTP status 500`);
});

test('a resolver whose address is none lets nothing through', async () => {
	const host = await start({ ...ONLY, advanced: { dnsResolver: 'dns.example.com' } });
	const answer = await host.post(delivered('m-1', signed));

	expect(answer.status).toBe(503);
	expect(host.logLines()).toMatchObject([
		{ message: expect.stringContaining('(DNS Resolver must be a complete address such as') },
	]);
	expect(host.started()).toEqual([]);
});

test('what DNS says that there is not is an answer, and nothing is repeated', async () => {
	const host = await start(ONLY);
	doh.zones[KEY] = {};
	const answer = await host.post(delivered('m-1', signed));

	expect([answer.status, await answer.json()]).toEqual([
		200,
		{ status: 'ignored', reason: 'filtered' },
	]);
	expect(doh.asked.filter((question) => question === `${KEY} TXT`)).toHaveLength(1);
});

test('the key of a sender is asked for once as long as it holds', async () => {
	const host = await start(ONLY);
	doh.zones['_dmarc.example.com'] = { TXT: ['v=DMARC1; p=reject'] };
	await host.post(delivered('m-1', signed));
	const questions = doh.asked.length;
	await host.post(delivered('m-2', await composeMail({ from: FROM, subject: 'Another' }, signer)));

	expect(host.started()).toHaveLength(2);
	expect(doh.asked).toHaveLength(questions);
});

/** Lets everything else go on until something is so. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
