import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json, startScriptedServer, type ScriptedServer } from '../api/support/scriptedServer';
import { startScriptedDns, type ScriptedDns } from '../../dns/support/scriptedDns';
import { composeMail, createSigner } from '../../dns/support/signedMails';
import { startNode } from '../support';
import { actionNode, jsonOf, run } from './support/operation';

const signer = createSigner('example.com');

/** Returns raw emails, which the sandbox does not. */
let service: ScriptedServer;
let message: IDataObject;
let doh: ScriptedDns;

beforeAll(async () => {
	service = await startScriptedServer((request, response) => json(message)(request, response));
	doh = await startScriptedDns(signer.zones);
});

beforeEach(async () => {
	doh.asked.length = 0;
	const rawEmail = await composeMail({ from: 'Ada <ada@example.com>' }, signer);
	message = { id: 'm-1', subject: 'Hello', deliveredTo: 'inbox@example.org', rawEmail };
});

afterAll(async () => {
	await Promise.all([service.stop(), doh.stop()]);
});

const get = async (parameters: INodeParameters, setup: Parameters<typeof run>[2] = {}) =>
	await run(
		'message get',
		{ messageId: 'm-1', ...parameters },
		{ credential: { baseUrl: service.origin, apiKey: 'key' }, ...setup },
	);

const checked = (more: INodeParameters = {}): INodeParameters => ({
	options: { senderCheck: 'add', dnsResolver: doh.address, ...more },
});

const authenticationOf = ([item]: IDataObject[]) =>
	(item?.delivery as IDataObject).authentication as IDataObject | undefined;

test('Sender Check adds its result', async () => {
	const authentication = authenticationOf(jsonOf(await get(checked())));

	expect(authentication).toMatchObject({ result: 'pass', domain: 'example.com' });
});

test('the result of a trusted server counts, but says nothing of unsigned fields', async () => {
	message = {
		id: 'm-1',
		rawEmail: [
			'Authentication-Results: mx.example.com; dmarc=pass header.from=example.com',
			'From: Ada <ada@example.com>',
			'Subject: Report',
			'Content-Disposition: attachment; filename=x.exe',
			'',
			'Please pay.',
		].join('\r\n'),
	};
	const items = jsonOf(await get(checked({ trustedServers: 'mx.example.org, mx.example.com' })));
	expect(items[0]).toMatchObject({
		delivery: {
			authentication: {
				result: 'pass',
				signed: [],
				contentSigned: false,
				reported: { trusted: true },
			},
		},
		attachments: [],
	});
});

test('Sender Check is off by default and without Simplify: no DNS query', async () => {
	expect(
		authenticationOf(jsonOf(await get({ options: { dnsResolver: doh.address } }))),
	).toBeUndefined();
	expect(jsonOf(await get({ ...checked(), simplify: false }))).toEqual([message]);
	expect(doh.asked).toEqual([]);
});

test.each([
	[{ dnsResolver: 'dns.example.com' }, /^'DNS Resolver' .*complete URL/],
	[{ trustedServers: 'mx.example.org:25' }, /^'Trusted Mail Servers' .*"mx\.example\.org:25"/],
])('an invalid option is an error that names it: %j', async (options, message) => {
	const { error } = await get(checked(options));

	expect(error?.message).toMatch(message);
});

test('an execution that is stopped during the check returns nothing', async () => {
	let stop: () => unknown = () => undefined;
	const resolver = await startScriptedServer(() => stop());
	const options = checked({ dnsResolver: `${resolver.origin}/dns-query` });
	const running = await startNode({
		type: actionNode,
		credential: { baseUrl: service.origin, apiKey: 'key' },
		parameters: { resource: 'message', operation: 'get', messageId: 'm-1', ...options },
	});
	stop = running.cancel;

	const { outputs } = await running.finished.finally(resolver.stop);
	expect(outputs).toEqual([]);
});

test('a failing DNS is logged once for each workflow, with the reason', async () => {
	const unknown = createSigner('unknown.example');
	message.rawEmail = await composeMail({ from: 'ada@unknown.example' }, unknown);
	doh.status = 500;
	const { hostname, port } = new URL(doh.address);
	const runs = [
		await get(checked()),
		await get(checked()),
		await get(checked(), { workflow: { id: 'another', name: 'Another' } }),
	];
	doh.status = 200;

	const results = runs.map((execution) => authenticationOf(jsonOf(execution)));
	expect(results).toMatchObject(Array(3).fill({ result: 'unknown', policy: 'unknown' }));
	const lines = runs.flatMap(({ logLines }) => logLines.map(({ message }) => message));
	expect(lines.filter((line) => line.includes(`${hostname}:${port}`))).toMatchObject([
		expect.stringContaining('Email Identity "Node Under Test" of workflow "Workflow of the test"'),
		expect.stringContaining('of workflow "Another"'),
	]);
});
