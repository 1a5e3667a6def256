import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startDeliveryHost, type DeliveryHost } from './deliveries';
import { startScriptedDns, type ScriptedDns } from '../../../dns/scriptedDns';
import { composeMail, createSigner, delivered } from '../../../dns/signedMails';

const example = createSigner('example.com');
const evil = createSigner('evil.example');

const FROM = { name: 'Ada', address: 'ada@example.com' };

let doh: ScriptedDns;
const hosts: DeliveryHost[] = [];

beforeEach(async () => {
	doh = await startScriptedDns({ ...example.zones, ...evil.zones });
});

afterEach(async () => {
	await Promise.all(hosts.splice(0).map(async (host) => await host.stop()));
	await doh.stop();
});

const start = async (parameters: INodeParameters = {}, isTest = false) => {
	const advanced = { dnsResolver: doh.address, ...(parameters.advanced as IDataObject) };
	const host = await startDeliveryHost({ ...parameters, advanced }, { isTest });
	hosts.push(host);
	return host;
};

const ONLY: INodeParameters = { senderCheck: 'require' };
const CHECK: INodeParameters = { senderCheck: 'add' };

const bodyOf = async (response: Response) => (await response.json()) as IDataObject;

const authenticationsOf = (host: DeliveryHost) =>
	host.started().map(([items]) => (items?.[0]?.json.delivery as IDataObject).authentication);

const PROVED = {
	result: 'pass',
	reason: null,
	domain: 'example.com',
	signatures: [
		{ domain: 'example.com', selector: 's1', result: 'pass', reason: null, aligned: true },
	],
	policy: null,
	reported: null,
};

test.each([
	['Require', ONLY],
	['Add Result', CHECK],
])('with %s, a signed email starts the workflow and says what is proved', async (_what, chosen) => {
	const host = await start(chosen);
	const answer = await host.post(delivered('m-1', await composeMail({ from: FROM }, example)));

	expect(await bodyOf(answer)).toEqual({ status: 'started' });
	expect(authenticationsOf(host)).toEqual([PROVED]);
});

const changed = (raw: string) => raw.replace('invoice 42', 'invoice 43');

const UNPROVED: Array<[why: string, what: string, raw: () => Promise<string>]> = [
	['none', 'an unsigned email', async () => await composeMail({ from: FROM })],
	[
		'fail',
		'an email with one letter changed',
		async () => changed(await composeMail({ from: FROM }, example)),
	],
	[
		'fail',
		'an email that somebody else signed',
		async () => await composeMail({ from: FROM }, evil),
	],
	[
		'fail',
		'an email with the key of another domain',
		async () => await composeMail({ from: FROM }, { ...example, privateKey: evil.privateKey }),
	],
];

test.each(UNPROVED)('by "%s", %s does not start the workflow', async (why, _what, raw) => {
	const host = await start(ONLY);
	const answer = await host.post(delivered('m-1', await raw()));

	expect(answer.status).toBe(200);
	expect(await bodyOf(answer)).toEqual({ status: 'ignored', reason: 'filtered' });
	expect(host.started()).toEqual([]);
	expect(host.logLines().map(({ message }) => message)).toEqual([
		expect.stringMatching(
			new RegExp(`: 1 delivery was ignored: filtered \\(Sender Check: ${why}\\)$`),
		),
	]);
});

test.each(UNPROVED)('with Add Result, "%s" is what is told of %s', async (why, _w, raw) => {
	const host = await start(CHECK);
	await host.post(delivered('m-1', await raw()));

	expect(authenticationsOf(host)).toMatchObject([
		{ result: why, reason: expect.stringMatching(/\w+ .*\.$/) },
	]);
});

test('Off lets everything through and does not ask the DNS', async () => {
	const host = await start({ senderCheck: 'off' });
	await host.post(delivered('m-1', await composeMail({ from: FROM })));

	expect(authenticationsOf(host)).toEqual([undefined]);
	expect(doh.asked).toEqual([]);
});

test('the DNS is asked for nothing that another filter filters out', async () => {
	const host = await start({ ...ONLY, filters: { from: 'bob@example.com' } });
	await host.post(delivered('m-1', await composeMail({ from: FROM }, example)));

	expect(host.started()).toEqual([]);
	expect(doh.asked).toEqual([]);
});

test('an email without a raw text proves nothing', async () => {
	const [only, check] = [await start(ONLY), await start(CHECK)];
	const message = { id: 'm-1', from: 'ada@example.com', deliveredTo: 'inbox@example.org' };
	const event = { event: 'message.received', data: { message, rawEmail: '' } };
	await Promise.all([only.post(event), check.post(event)]);

	expect(only.started()).toEqual([]);
	expect(only.logLines()[0]?.message).toMatch(/\(Sender Check: noRawEmail\)$/);
	expect(authenticationsOf(check)).toMatchObject([
		{ result: 'unknown', reason: expect.stringContaining('no raw email') },
	]);
});

test('an email that cannot be parsed proves nothing of what else is known of it', async () => {
	const parts = '--edge\r\n\r\nx\r\n'.repeat(2500);
	const raw = await composeMail(
		{ from: FROM, raw: undefined, headers: { 'x-many': 'parts' } },
		example,
	);
	const crowded = raw.replace(
		/Content-Type: text\/plain[^\r]*\r\n/,
		'Content-Type: multipart/mixed; boundary=edge\r\n',
	);
	const [only, check] = [await start(ONLY), await start(CHECK)];
	const event = delivered('m-1', `${crowded}${parts}--edge--\r\n`);
	await Promise.all([only.post(event), check.post(event)]);

	expect(only.started()).toEqual([]);
	expect(check.started()).toMatchObject([[[{ json: { parsed: false } }]]]);
	expect(authenticationsOf(check)).toMatchObject([{ result: 'unknown' }]);
});

describe('with Simplify off', () => {
	test('what is not proved does not start the workflow, and what is leaves the raw output as it is', async () => {
		const [only, plain] = [
			await start({ ...ONLY, simplify: false }),
			await start({ simplify: false }),
		];
		const signed = delivered('m-1', await composeMail({ from: FROM }, example));
		const unsigned = delivered('m-2', await composeMail({ from: FROM }));
		for (const event of [signed, unsigned]) await only.post(event);
		await plain.post(signed);

		expect(only.started()).toHaveLength(1);
		expect(only.started()).toEqual(plain.started());
	});

	test('Check Sender does nothing, as there is nowhere to put it', async () => {
		const host = await start({ ...CHECK, simplify: false });
		await host.post(delivered('m-1', await composeMail({ from: FROM }, example)));

		expect(host.started()).toHaveLength(1);
		expect(doh.asked).toEqual([]);
	});
});

const REPORTED: Record<string, RegExp> = {
	none: /has no signature/,
	fail: /no signature that proves/,
};

test.each(UNPROVED)(
	'while you listen for a test event, "%s" is reported: %s',
	async (why, _what, raw) => {
		const host = await start(ONLY, true);
		await host.post(delivered('m-1', await raw()));
		const { description } = host.started()[0]?.[0]?.[0]?.json.emailIdentityFilteredOut as IDataObject;

		expect(description).toMatch(REPORTED[why]!);
	},
);
