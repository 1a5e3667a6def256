import { startSandbox, type Sandbox } from '../../../sandbox';
import { chosen, itemsOf, jsonOf, requestLines, run } from './support/operation';

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
	{ what: 'no ID', entered: 'sales@example.test', message: /is not an ID/ },
	{ what: 'nothing', entered: '', message: /No identity was chosen/ },
	{
		what: 'an ID with something after it',
		entered: '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11x',
		message: /is not an ID/,
	},
	{ what: 'a path', entered: '../webhooks', message: /is not an ID/ },
	{ what: 'a number', entered: 42, message: /is not an ID/ },
	{ what: 'null', entered: null, message: /No identity was chosen/ },
])(
	'an expression that gives $what is refused before anything is sent',
	async ({ entered, message }) => {
		const { error } = await get(chosen('={{ $json.entered }}'), { entered });

		expect(error?.message).toMatch(message);
		expect(sandbox.requests()).toEqual([]);
	},
);

test('n8n itself refuses a typed value that is no ID', async () => {
	const { error } = await get(chosen('no-id'));

	expect(error?.message).toMatch(/An ID is a UUID/);
	expect(sandbox.requests()).toEqual([]);
});

test.each([
	{ messageId: 'a/b c', path: '/messages/a%2Fb%20c' },
	{ messageId: '<id@host>', path: '/messages/%3Cid%40host%3E' },
	{ messageId: '../me', path: '/messages/..%2Fme' },
	{ messageId: 'ü?x=1#y', path: '/messages/%C3%BC%3Fx%3D1%23y' },
])('the message ID $messageId stays one segment of the path', async ({ messageId, path }) => {
	await run(sandbox, { resource: 'message', operation: 'get', messageId: `=${messageId}` });

	expect(sandbox.requests().map((request) => request.path)).toEqual([path]);
});

test.each(['', ' ', '.', '..'])(
	'the message ID "%s" is refused before anything is sent',
	async (messageId) => {
		const { error } = await run(
			sandbox,
			{ resource: 'message', operation: 'get', messageId: '={{ $json.messageId }}' },
			{ items: itemsOf({ messageId }) },
		);

		expect(error?.message).toMatch(/ID/);
		expect(sandbox.requests()).toEqual([]);
	},
);
