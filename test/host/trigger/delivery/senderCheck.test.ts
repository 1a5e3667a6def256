import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startDeliveryHost, type TriggerHost } from './support/deliveries';
import { startScriptedDns, type ScriptedDns } from '../../../dns/support/scriptedDns';
import { composeMail, createSigner, delivered } from '../../../dns/support/signedMails';

const example = createSigner('example.com');
const KEY = 's1._domainkey.example.com';
const FROM = { name: 'Ada', address: 'ada@example.com' };

const REQUIRE: INodeParameters = { senderCheck: 'require' };
const ADD: INodeParameters = { senderCheck: 'add' };

let doh: ScriptedDns;
let signed: string;
let unsigned: string;

beforeAll(async () => {
	signed = await composeMail({ from: FROM }, example);
	unsigned = await composeMail({ from: FROM });
});

beforeEach(async () => {
	doh = await startScriptedDns(example.zones);
});

afterEach(async () => {
	Container.get(SsrfProtectionConfig).enabled = false;
	await doh.stop();
});

const start = async (parameters: INodeParameters, isTest = false) => {
	const advanced = { dnsResolver: doh.address, ...(parameters.advanced as IDataObject) };
	return await startDeliveryHost({ ...parameters, advanced }, { isTest });
};

const authenticationsOf = (host: TriggerHost) =>
	host.started().map(([items]) => (items?.[0]?.json.delivery as IDataObject).authentication);

const errorOf = (host: TriggerHost) =>
	(host.started()[0]?.[0]?.[0]?.json.emailIdentityReport as IDataObject).error as IDataObject;

test.each([REQUIRE, ADD])('a signed email has the result with %j', async (parameters) => {
	const host = await start(parameters);
	const answer = await host.post(delivered('m-1', signed));

	expect(await answer.json()).toEqual({ status: 'started' });
	expect(authenticationsOf(host)).toEqual([
		{
			result: 'pass',
			reason: null,
			domain: 'example.com',
			signed: expect.arrayContaining(['from', 'subject', 'content-type']),
			contentSigned: true,
			policy: null,
			reported: null,
			signatures: [
				{ domain: 'example.com', selector: 's1', result: 'pass', reason: null, aligned: true },
			],
		},
	]);
});

test.each<[string, INodeParameters, string, string]>([
	['is signed counts', ADD, 'signed', 'orders@example.com'],
	['was added to a signed email does not count', ADD, 'added', 'ada@example.com'],
	['nobody signed does not count where senders are checked', ADD, 'unsigned', 'ada@example.com'],
	['nobody signed counts where they are not', {}, 'unsigned', 'orders@example.com'],
])('a Reply-To that %s for thread.answer', async (_what, parameters, kind, to) => {
	const mail = { from: FROM, replyTo: 'orders@example.com' };
	const raw =
		kind === 'added'
			? `Reply-To: orders@example.com\r\n${signed}`
			: await composeMail(mail, kind === 'signed' ? example : undefined);
	const host = await start(parameters);
	await host.post(delivered('m-1', raw));

	expect(host.started()[0]?.[0]?.[0]?.json).toMatchObject({ thread: { answer: { to } } });
});

test.each<[what: string, raw: () => string, result: string, log: string]>([
	['unsigned', () => unsigned, 'none', '(Sender Check: none)'],
	['changed', () => signed.replace('invoice 42', '43'), 'fail', '(Sender Check: fail)'],
	['without raw text', () => '', 'unknown', '(Sender Check: noRawEmail)'],
])(
	'an email that is %s does not start the workflow with Require, and has the reason with Add Result',
	async (_what, raw, result, log) => {
		const [only, add, testing] = [
			await start(REQUIRE),
			await start(ADD),
			await start(REQUIRE, true),
		];
		const event = delivered('m-1', raw());
		Object.assign(event.data.message, { from: 'ada@example.com' });
		const posts = [only, add, testing].map(async (host) => await host.post(event));
		const [answer] = await Promise.all(posts);

		expect(await answer?.json()).toEqual({ status: 'ignored', reason: 'filtered' });
		expect(only.started()).toEqual([]);
		expect(JSON.stringify(only.logLines())).toContain(log);
		const [authentication] = authenticationsOf(add) as Array<{ result: string; reason: string }>;
		expect(authentication).toMatchObject({ result, reason: expect.stringMatching(/\w+ .*\.$/) });
		expect(errorOf(testing).description).toContain(authentication?.reason);
		expect(errorOf(testing).message).toMatch(/it does not pass 'Sender Check'$/);
	},
);

test.each<[string, INodeParameters, number]>([
	['Off', { senderCheck: 'off' }, 1],
	['Add Result without Simplify, which has no place for it', { ...ADD, simplify: false }, 1],
	['another filter that filters it out', { ...REQUIRE, filters: { from: 'bob@example.com' } }, 0],
])('the DNS is not asked with %s', async (_what, parameters, started) => {
	const host = await start(parameters);
	await host.post(delivered('m-1', signed));

	expect(host.started()).toHaveLength(started);
	expect(JSON.stringify(host.started())).not.toContain('authentication');
	expect(doh.asked).toEqual([]);
});

test('Require with Simplify off starts the workflow only with proved emails, and does not change the output', async () => {
	const only = await start({ ...REQUIRE, simplify: false });
	const plain = await start({ simplify: false });
	await only.post(delivered('m-1', signed));
	await only.post(delivered('m-2', unsigned));
	await plain.post(delivered('m-1', signed));

	expect(only.started()).toHaveLength(1);
	expect(only.started()).toEqual(plain.started());
});

test('a DNS that fails lets no email through and is logged, and a repeat starts the workflow once', async () => {
	const [only, add, testing] = [await start(REQUIRE), await start(ADD), await start(REQUIRE, true)];
	const event = delivered('m-1', signed);
	doh.zones[KEY] = { failed: 'SERVFAIL' };
	const [refused] = await Promise.all([only.post(event), add.post(event), testing.post(event)]);

	expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
	expect(only.started()).toEqual([]);
	const why = `${new URL(doh.address).host} answered SERVFAIL`;
	const warnings = only.logLines().filter(({ level }) => level === 'warn');
	expect(warnings.map(({ message }) => message.includes(why))).toEqual([true, true]);
	expect(authenticationsOf(add)).toMatchObject([
		{ result: 'unknown', domain: 'example.com', reason: expect.stringContaining(why) },
	]);
	expect(errorOf(testing).description).toContain(why);

	doh.zones[KEY] = example.zones[KEY]!;
	const repeats = [await only.post(event), await only.post(event)];
	expect(repeats.map(({ status }) => status)).toEqual([200, 200]);
	expect(authenticationsOf(only)).toMatchObject([{ result: 'pass' }]);
});

test.each([
	['whose address is none', 'dns.example.com', "'DNS Resolver' must"],
	['in a network that n8n may not ask', undefined, 'does not allow requests to'],
])('a resolver %s lets no email through', async (_what, dnsResolver, says) => {
	Container.get(SsrfProtectionConfig).enabled = dnsResolver === undefined;
	const host = await start({ ...REQUIRE, advanced: { ...(dnsResolver && { dnsResolver }) } });

	expect((await host.post(delivered('m-1', signed))).status).toBe(503);
	expect(host.logLines()).toMatchObject([{ message: expect.stringContaining(says) }]);
	expect(host.started()).toEqual([]);
});
