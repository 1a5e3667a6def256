import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startDeliveryHost, type DeliveryHost } from './deliveries';
import { startScriptedDns, type ScriptedDns } from '../../../dns/scriptedDns';
import { composeMail, createSigner, delivered } from '../../../dns/signedMails';
import { forbidPrivateNetworks } from '../../rig';

const example = createSigner('example.com');
const evil = createSigner('evil.example');
const KEY = 's1._domainkey.example.com';
const FROM = { name: 'Ada', address: 'ada@example.com' };

const REQUIRE: INodeParameters = { senderCheck: 'require' };
const ADD: INodeParameters = { senderCheck: 'add' };

let doh: ScriptedDns;
let signed: string;
let unsigned: string;
const hosts: DeliveryHost[] = [];

beforeAll(async () => {
	signed = await composeMail({ from: FROM }, example);
	unsigned = await composeMail({ from: FROM });
});

beforeEach(async () => {
	doh = await startScriptedDns({ ...example.zones, ...evil.zones });
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

const authenticationsOf = (host: DeliveryHost) =>
	host.started().map(([items]) => (items?.[0]?.json.delivery as IDataObject).authentication);

const descriptionOf = (host: DeliveryHost) =>
	(host.started()[0]?.[0]?.[0]?.json.emailIdentityFilteredOut as IDataObject).description;

test.each([REQUIRE, ADD])('with %j, a signed email says what is proved', async (parameters) => {
	const host = await start(parameters);
	const answer = await host.post(delivered('m-1', signed));

	expect(await answer.json()).toEqual({ status: 'started' });
	expect(authenticationsOf(host)).toEqual([
		{
			...{ result: 'pass', reason: null, domain: 'example.com', policy: null, reported: null },
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
])('a Reply-To that %s for an answer', async (_what, parameters, kind, to) => {
	const mail = { from: FROM, replyTo: 'orders@example.com' };
	const raw =
		kind === 'added'
			? `Reply-To: orders@example.com\r\n${signed}`
			: await composeMail(mail, kind === 'signed' ? example : undefined);
	const host = await start(parameters);
	await host.post(delivered('m-1', raw));

	expect(host.started()[0]?.[0]?.[0]?.json).toMatchObject({ thread: { answer: { to } } });
});

/** More parts than are read. */
const crowded = (raw: string) =>
	`${raw.replace(
		/Content-Type: text\/plain[^\r]*\r\n/,
		'Content-Type: multipart/mixed; boundary=edge\r\n',
	)}${'--edge\r\n\r\nx\r\n'.repeat(2500)}--edge--\r\n`;

const UNPROVED: Array<[what: string, raw: () => Promise<string> | string, ...told: string[]]> = [
	['unsigned', () => unsigned, 'none', 'none', 'has no signature'],
	[
		'changed',
		() => signed.replace('invoice 42', 'invoice 43'),
		'fail',
		'fail',
		'no signature that',
	],
	[
		'signed by another',
		() => composeMail({ from: FROM }, evil),
		'fail',
		'fail',
		'no signature that',
	],
	[
		'signed with the key of another',
		() => composeMail({ from: FROM }, { ...example, privateKey: evil.privateKey }),
		...['fail', 'fail', 'no signature that'],
	],
	['without raw text', () => '', 'noRawEmail', 'unknown', 'has no raw email'],
	['unreadable', () => crowded(signed), 'unknown', 'unknown', 'could not be checked'],
];

test.each(UNPROVED)(
	'an email that is %s does not start the workflow with Require; Add Result tells why',
	async (_what, make, why, result, words) => {
		const [only, add, testing] = [
			await start(REQUIRE),
			await start(ADD),
			await start(REQUIRE, true),
		];
		const event = delivered('m-1', await make());
		Object.assign(event.data.message, { from: 'ada@example.com' });
		const [answer] = await Promise.all([only.post(event), add.post(event)]);

		expect([answer.status, await answer.json()]).toEqual([
			200,
			{ status: 'ignored', reason: 'filtered' },
		]);
		expect(only.started()).toEqual([]);
		expect(only.logLines().map(({ message }) => message)).toEqual([
			expect.stringMatching(new RegExp(`ignored: filtered \\(Sender Check: ${why}\\)$`)),
		]);
		expect(authenticationsOf(add)).toMatchObject([
			{ result, reason: expect.stringMatching(/\w+ .*\.$/) },
		]);
		await testing.post(event);
		expect(descriptionOf(testing)).toContain(words);
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

test('without Simplify, what is not proved does not start the workflow, and what is leaves the raw output as it is', async () => {
	const only = await start({ ...REQUIRE, simplify: false });
	const plain = await start({ simplify: false });
	await only.post(delivered('m-1', signed));
	await only.post(delivered('m-2', unsigned));
	await plain.post(delivered('m-1', signed));

	expect(only.started()).toHaveLength(1);
	expect(only.started()).toEqual(plain.started());
});

/** How the DNS fails, what the log says of the resolver then, and how it comes back. */
const FAILURES: Array<[what: string, says: string, fail: () => void, recover: () => void]> = [
	[
		'a resolver that gives no answer',
		// On a busy machine the delivery's time is up first.
		'took too long to respond|there was no (?:answer in time|time left)',
		() => doh.silent.add(KEY),
		() => doh.silent.delete(KEY),
	],
	[
		'a server of the domain that fails',
		'answered SERVFAIL',
		() => (doh.zones[KEY] = { serverFailure: 'SERVFAIL' }),
		() => (doh.zones[KEY] = example.zones[KEY]!),
	],
	[
		'a resolver that is a web page',
		'answered with HTTP status 404',
		() => (doh.status = 404),
		() => (doh.status = 200),
	],
	[
		'a resolver in a network that n8n may not ask',
		'is at an address that n8n does not allow requests to',
		() => forbidPrivateNetworks(true),
		() => forbidPrivateNetworks(false),
	],
];

test.each(FAILURES)(
	'%s lets nothing through, and is logged: the repeat starts the workflow, once',
	async (_what, says, fail, recover) => {
		const [only, add] = [await start(REQUIRE), await start(ADD)];
		const event = delivered('m-1', signed);
		fail();
		const [refused] = await Promise.all([only.post(event), add.post(event)]);

		expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
		expect(only.started()).toEqual([]);
		const why = new RegExp(`${new URL(doh.address).host} ${says}`);
		const lines = only.logLines();
		expect(lines).toEqual(
			[1, 2].map(() => ({
				...{ level: 'warn', message: expect.stringMatching(why), metadata: expect.anything() },
			})),
		);
		expect(lines.filter(({ message }) => message.includes('refused: 503'))).toHaveLength(1);
		expect(authenticationsOf(add)).toMatchObject([
			{ result: 'unknown', domain: 'example.com', reason: expect.stringMatching(why) },
		]);

		recover();
		const repeats = [await only.post(event), await only.post(event)];
		expect(repeats.map(({ status }) => status)).toEqual([200, 200]);
		expect(authenticationsOf(only)).toMatchObject([{ result: 'pass' }]);
	},
);

test('a DNS that comes back in time is asked again within the delivery', async () => {
	const host = await start(REQUIRE);
	doh.zones[KEY] = { serverFailure: 'SERVFAIL' };
	const answering = host.post(delivered('m-1', signed));
	await until(() => doh.asked.filter((question) => question === `${KEY} TXT`).length > 1);
	doh.zones[KEY] = example.zones[KEY]!;

	expect((await answering).status).toBe(200);
	expect(host.started()).toHaveLength(1);
});

test('a delivery that waits for the DNS holds up no other', async () => {
	doh.silent.add('s1._domainkey.evil.example');
	const host = await start(REQUIRE);
	const order: string[] = [];
	const waiting = host
		.post(delivered('slow', await composeMail({ from: 'bob@evil.example' }, evil)))
		.then(() => order.push('slow'));
	await until(() => doh.asked.some((question) => question.includes('evil.example')));
	await host.post(delivered('quick', signed)).then(() => order.push('quick'));
	await waiting;

	expect(order).toEqual(['quick', 'slow']);
	expect(host.started()).toHaveLength(1);
});

test('while you listen for a test event, the editor says that the DNS could not be asked', async () => {
	const host = await start(REQUIRE, true);
	doh.status = 500;
	await host.post(delivered('m-1', signed));

	expect(descriptionOf(host)).toContain('DNS query');
	expect(descriptionOf(host)).toContain(
		`${new URL(doh.address).host} answered with HTTP status 500`,
	);
});

test('a resolver whose address is none lets nothing through', async () => {
	const host = await start({ ...REQUIRE, advanced: { dnsResolver: 'dns.example.com' } });
	const answer = await host.post(delivered('m-1', signed));

	expect(answer.status).toBe(503);
	expect(host.logLines()).toMatchObject([
		{ message: expect.stringContaining('(DNS Resolver must be a complete URL such as') },
	]);
	expect(host.started()).toEqual([]);
});

test('a key that does not exist is an answer, and nothing is repeated', async () => {
	const host = await start(REQUIRE);
	doh.zones[KEY] = {};

	expect((await host.post(delivered('m-1', signed))).status).toBe(200);
	expect(host.started()).toEqual([]);
	expect(doh.asked.filter((question) => question === `${KEY} TXT`)).toHaveLength(1);
});

test('the key of a sender is asked for once as long as it is valid', async () => {
	const host = await start(REQUIRE);
	doh.zones['_dmarc.example.com'] = { TXT: ['v=DMARC1; p=reject'] };
	await host.post(delivered('m-1', signed));
	const questions = doh.asked.length;
	await host.post(delivered('m-2', await composeMail({ from: FROM, subject: 'Another' }, example)));

	expect(host.started()).toHaveLength(2);
	expect(doh.asked).toHaveLength(questions);
});

/** Lets everything else go on until something is so. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
