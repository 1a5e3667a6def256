import type { INodePropertyModeValidation } from 'n8n-workflow';
import { check } from 'recheck';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { json, startScriptedServer, type ScriptedServer } from '../api/scriptedServer';
import { runNode, searchList } from '../rig';
import { actionNode, chosen, itemsOf, jsonOf, requestLines, run } from './support/operation';

let sandbox: Sandbox;
let id: string;

beforeAll(async () => {
	sandbox = await startSandbox();
	id = sandbox.accounts.owner.identities[0]?.id ?? '';
});

afterAll(async () => {
	await sandbox.stop();
});

beforeEach(() => {
	sandbox.clearRecordings();
});

const get = async (locator: unknown, item = {}) =>
	await run(
		sandbox,
		{ resource: 'identity', operation: 'get', identityId: locator as string },
		{ items: itemsOf(item) },
	);

test.each([
	{ what: 'an entry of the list', locator: () => chosen(id, 'list') },
	{ what: 'an ID', locator: () => chosen(id) },
	{
		what: 'an ID in capitals with blanks around it',
		locator: () => chosen(` ${id.toUpperCase()} `),
	},
	{
		what: 'an address',
		locator: () => chosen(`https://mail.example/identities/${id}?tab=dns`, 'url'),
	},
	{ what: 'an address pasted as ID', locator: () => chosen(`https://mail.example/i/${id}/`) },
	{ what: 'an expression', locator: () => chosen('={{ $json.id }}') },
	{ what: 'an expression in place of the whole field', locator: () => '={{ $json.id }}' },
])('$what leads to the identity', async ({ locator }) => {
	expect(jsonOf(await get(locator(), { id }))).toMatchObject([{ id }]);
	expect(requestLines(sandbox)).toEqual([`GET /identities/${id}`]);
});

test.each([
	{ what: 'the ID of another service', entered: '507f1f77bcf86cd799439011' },
	{ what: 'an ID with capitals', entered: 'Id_AbC' },
	{ what: 'a number', entered: 42 },
	{ what: 'an address', entered: 'sales@example.test' },
	{ what: 'an ID that only looks like an address', entered: 'urn:id:7' },
	{ what: 'a path', entered: '../webhooks' },
	{ what: 'an ID with something after it', entered: '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11x' },
])('$what is taken as the service gave it, as one segment of the path', async ({ entered }) => {
	const path = `/identities/${encodeURIComponent(entered)}`;
	await get(chosen('={{ $json.entered }}'), { entered });
	await get(chosen(String(entered)));
	await get(chosen(String(entered), 'list'));

	expect(requestLines(sandbox)).toEqual([`GET ${path}`, `GET ${path}`, `GET ${path}`]);
});

test.each([
	{ address: 'https://mail.example/identities/Id_7/', id: 'Id_7' },
	{ address: 'https://mail.example/Id%2F7?tab=dns#top', id: 'Id/7' },
	{ address: ' http://mail.example/a/b/100% ', id: '100%' },
])('the address $address leads to the ID at its end', async ({ address, id }) => {
	await get(chosen(address, 'url'));

	expect(requestLines(sandbox)).toEqual([`GET /identities/${encodeURIComponent(id)}`]);
});

test.each([
	{ what: 'nothing', entered: '', message: /No identity was chosen/ },
	{ what: 'blanks', entered: ' \n', message: /No identity was chosen/ },
	{ what: 'null', entered: null, message: /No identity was chosen/ },
	{ what: 'an address without a path', entered: 'https://mail.example/', message: /is not an ID/ },
	{ what: 'a list', entered: ['a'], message: /is not an ID/ },
	{ what: 'a dot', entered: '..', message: /not a valid identity ID/ },
])(
	'an expression that gives $what is refused before anything is sent',
	async ({ entered, message }) => {
		const { error } = await get(chosen('={{ $json.entered }}'), { entered });

		expect(error?.message).toMatch(message);
		expect(sandbox.requests()).toEqual([]);
	},
);

test.each([
	{ mode: 'id', value: '  ', message: /Enter the ID as the service gave it/ },
	{ mode: 'url', value: 'https://mail.example/', message: /last part of the address/ },
	{ mode: 'url', value: 'mail.example/id', message: /last part of the address/ },
])('n8n itself refuses "$value" typed as $mode', async ({ mode, value, message }) => {
	const { error } = await get(chosen(value, mode));

	expect(error?.message).toMatch(message);
	expect(sandbox.requests()).toEqual([]);
});

test('what the editor checks takes a time that grows with the length only', async () => {
	const fields = actionNode.description.properties.filter(({ type }) => type === 'resourceLocator');
	const validations = fields.flatMap(({ modes = [] }) =>
		modes.flatMap(({ validation = [] }) => validation as INodePropertyModeValidation[]),
	);
	const patterns = validations.map(({ properties }) => (properties as { regex: string }).regex);
	const complexities = await Promise.all(
		[...new Set(patterns)].map(async (pattern) => (await check(`^${pattern}$`, '')).status),
	);

	expect(complexities).toEqual(['safe', 'safe']);
});

describe('a service whose IDs are no UUIDs', () => {
	const ID = 'wh_7/Ä';
	const PATH = `/api/webhooks/${encodeURIComponent(ID)}`;
	let server: ScriptedServer;
	const asked: string[] = [];

	beforeAll(async () => {
		server = await startScriptedServer((request, response) => {
			asked.push(`${request.method} ${request.url}`);
			const entry = { id: ID, url: 'https://a.example/', events: ['message.received'] };
			const body = request.url === '/api/webhooks' ? [entry] : entry;
			json(request.url === '/api/me' ? { userId: 'usr_1' } : body)(request, response);
		});
	});

	afterAll(async () => {
		await server.stop();
	});

	const credential = () => ({ baseUrl: `${server.origin}/api`, apiKey: 'key' });

	test.each([
		['get', {}, 'GET'],
		['pause', {}, 'PATCH'],
		['resume', {}, 'PATCH'],
		['update', { updateFields: { description: 'x' } }, 'PATCH'],
		['delete', {}, 'DELETE'],
	])('%s takes an entry of the drop-down', async (operation, fields, method) => {
		asked.length = 0;
		const { results } = await searchList(
			{ type: actionNode, credential: credential() },
			'searchWebhooks',
		);
		const webhookId = chosen(String(results[0]?.value), 'list');
		const parameters = { resource: 'webhook', operation, webhookId, ...fields };
		const { error } = await runNode({ type: actionNode, credential: credential(), parameters });

		expect(error).toBeUndefined();
		expect(asked).toEqual(['GET /api/webhooks', `${method} ${PATH}`]);
	});

	test('Create or Update changes it', async () => {
		asked.length = 0;
		const { outputs } = await runNode({
			type: actionNode,
			credential: credential(),
			parameters: {
				resource: 'webhook',
				operation: 'upsert',
				url: 'https://a.example/',
				receiveFor: 'one',
				identityId: chosen('Id_7'),
			},
		});

		expect(outputs[0]).toMatchObject([{ json: { id: ID } }]);
		expect(asked).toEqual(['GET /api/identities/Id_7', 'GET /api/webhooks', `PATCH ${PATH}`]);
	});
});

test.each([
	['a/b c', 'a%2Fb%20c'],
	['<id@host>', '%3Cid%40host%3E'],
	['../me', '..%2Fme'],
	['ü?x=1#y', '%C3%BC%3Fx%3D1%23y'],
])('the message ID %s stays one segment of the path', async (messageId, segment) => {
	await run(sandbox, { resource: 'message', operation: 'get', messageId: `=${messageId}` });

	expect(sandbox.requests().map(({ path }) => path)).toEqual([`/messages/${segment}`]);
});

test.each(['', ' ', '.', '..'])('the message ID "%s" is refused at once', async (messageId) => {
	const { error } = await run(
		sandbox,
		{ resource: 'message', operation: 'get', messageId: '={{ $json.messageId }}' },
		{ items: itemsOf({ messageId }) },
	);

	expect(error?.message).toMatch(/ID/);
	expect(sandbox.requests()).toEqual([]);
});
