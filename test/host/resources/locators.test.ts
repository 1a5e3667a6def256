import type { INodePropertyModeValidation } from 'n8n-workflow';
import { check } from 'recheck';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { json, startScriptedServer } from '../api/scriptedServer';
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
	{ what: 'nothing', entered: '', message: /No identity is selected/ },
	{ what: 'blanks', entered: ' \n', message: /No identity is selected/ },
	{ what: 'null', entered: null, message: /No identity is selected/ },
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
	{ mode: 'id', value: '  ', message: /Enter the ID from the service/ },
	{ mode: 'url', value: 'https://mail.example/', message: /last part of the URL/ },
	{ mode: 'url', value: 'mail.example/id', message: /last part of the URL/ },
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

test.each([
	['<id@host>', ['/messages/%3Cid%40host%3E']],
	['../me', ['/messages/..%2Fme']],
	['', []],
	['.', []],
])('of the message ID "%s" the service is asked for %j', async (messageId, paths) => {
	const get = { resource: 'message', operation: 'get', messageId: '={{ $json.messageId }}' };
	const { error } = await run(sandbox, get, { items: itemsOf({ messageId }) });

	if (paths.length === 0) expect(error?.message).toMatch(/ID/);
	expect(sandbox.requests().map(({ path }) => path)).toEqual(paths);
});

test('a webhook whose ID is no UUID is changed as the list gives it', async () => {
	const id = 'wh_7/Ä';
	const entry = { id, url: 'https://a.example/', events: ['message.received'] };
	const server = await startScriptedServer((request, response) =>
		json(request.url === '/webhooks' ? [entry] : entry)(request, response),
	);
	const credential = { baseUrl: server.origin, apiKey: 'key' };
	const { results } = await searchList({ type: actionNode, credential }, 'searchWebhooks');
	const webhookId = chosen(String(results[0]?.value), 'list');
	const outputs: unknown[] = [];
	for (const operation of ['pause', 'upsert', 'delete']) {
		const parameters = { resource: 'webhook', operation, webhookId, url: entry.url };
		outputs.push((await runNode({ type: actionNode, credential, parameters })).outputs[0]);
	}
	await server.stop();

	expect(outputs).toMatchObject([[{ json: { id } }], [{ json: { id } }], [{ json: {} }]]);
	const path = `/webhooks/${encodeURIComponent(id)}`;
	expect(server.requests).toEqual(expect.arrayContaining([`PATCH ${path}`, `DELETE ${path}`]));
});
