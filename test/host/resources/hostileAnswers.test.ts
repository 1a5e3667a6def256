import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startScriptedServer, text, type ScriptedServer } from '../api/scriptedServer';
import { logLinesSince, runNode, type NodeRun } from '../rig';
import { actionNode, chosen } from './support/operation';

const API_KEY = 'key-that-nobody-may-see-4711';
const ID = '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11';

/** Every operation, with a right answer of the service for it. */
const OPERATIONS: Array<{ name: string; parameters: INodeParameters; right: unknown }> = [
	{ name: 'user get', parameters: {}, right: { userId: ID } },
	{
		name: 'identity get',
		parameters: { identityId: chosen(ID) },
		right: { id: ID, value: 'a@b.c' },
	},
	{ name: 'identity getAll', parameters: {}, right: [{ id: ID, value: 'a@b.c' }] },
	{ name: 'identity audit', parameters: {}, right: [{ id: ID, value: 'a@b.c' }] },
	{ name: 'message get', parameters: { messageId: 'm1' }, right: { id: 'm1', subject: 'private' } },
	{
		name: 'webhook create',
		parameters: { url: 'https://a.example/' },
		right: { id: ID, userId: ID },
	},
	{
		name: 'webhook upsert',
		parameters: { url: 'https://a.example/' },
		right: [{ id: ID, url: 'https://a.example/', events: ['message.received'] }],
	},
	{ name: 'webhook get', parameters: { webhookId: chosen(ID) }, right: { id: ID, url: 'x' } },
	{ name: 'webhook getAll', parameters: {}, right: { webhooks: [{ id: ID, url: 'x' }] } },
	{
		name: 'webhook pause',
		parameters: { webhookId: chosen(ID) },
		right: { id: ID, enabled: false },
	},
	{
		name: 'webhook resume',
		parameters: { webhookId: chosen(ID) },
		right: { id: ID, enabled: true },
	},
	{
		name: 'webhook update',
		parameters: { webhookId: chosen(ID), receiveFor: 'all' },
		right: { id: ID },
	},
];

const nested = (depth: number, open: string, close: string) =>
	open.repeat(depth) + '1' + close.repeat(depth);

const HOSTILE: Array<{ what: string; body: string | Buffer }> = [
	{ what: 'blanks', body: ' \r\n ' },
	{ what: 'a web page', body: '<!doctype html><title>Log in</title>' },
	{ what: 'binary', body: randomBytes(4096) },
	{ what: 'null', body: 'null' },
	{ what: 'a number', body: '42' },
	{ what: 'a text', body: '"hello"' },
	{ what: 'an empty object', body: '{}' },
	{ what: 'a list of lists', body: '[[]]' },
	{ what: 'a list of nulls', body: '[null]' },
	{ what: 'objects without an ID', body: '[{"name":"x"}]' },
	{ what: 'an ID that is empty', body: '{"id":"","userId":""}' },
	{ what: 'an ID that is yes', body: '{"id":true,"userId":true}' },
	{ what: 'an ID that is an object', body: '{"id":{},"userId":[]}' },
	{
		what: 'a failure with status 200',
		body: `{"success":false,"error":"no","data":{"id":"${ID}"}}`,
	},
	{ what: 'deep objects', body: nested(100_000, '{"data":', '}') },
	{ what: 'deep lists', body: nested(100_000, '[', ']') },
	{ what: 'a huge text', body: JSON.stringify('x'.repeat(5_000_000)) },
];

let server: ScriptedServer;
let body: string | Buffer;
let status: number;

beforeAll(async () => {
	server = await startScriptedServer((request, response) =>
		text(body, status, { 'content-type': 'application/json', 'retry-after': '0' })(
			request,
			response,
		),
	);
});

afterAll(async () => {
	await server.stop();
});

beforeEach(() => {
	status = 200;
});

const ask = async (name: string, parameters: INodeParameters): Promise<NodeRun> => {
	const [resource = '', operation = ''] = name.split(' ');
	return await runNode({
		type: actionNode,
		credential: { baseUrl: `${server.origin}/api`, apiKey: API_KEY },
		parameters: { resource, operation, ...parameters },
	});
};

/** An error as users need it: a sentence, what to do, the item, and no secret anywhere in it. */
function expectGoodError({ error, outputs }: NodeRun): void {
	expect(outputs).toEqual([]);
	expect(error?.message).toMatch(/^[A-Z].{10,}/);
	expect(error).toMatchObject({
		description: expect.stringMatching(/.{10,}/),
		context: { itemIndex: 0 },
	});
	const everything = inspect(error, { depth: 20, showHidden: true, maxStringLength: Infinity });
	expect(everything).not.toContain(API_KEY);
	expect(everything).not.toContain('private');
}

describe.each(OPERATIONS)('$name', ({ name, parameters, right }) => {
	test('accepts the right answer', async () => {
		body = JSON.stringify(right);
		const { error, outputs } = await ask(name, parameters);

		expect(error).toBeUndefined();
		expect(outputs[0]).toHaveLength(1);
	});

	test.each(HOSTILE)('takes $what for an error', async (hostile) => {
		({ body } = hostile);
		expectGoodError(await ask(name, parameters));
	});

	test('takes the right answer, cut anywhere, for an error', async () => {
		const whole = JSON.stringify(right);
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: whole.length - 1 }), async (length) => {
				body = whole.slice(0, length);
				expectGoodError(await ask(name, parameters));
			}),
			{ numRuns: 12 },
		);
	});

	test.each([400, 401, 403, 404, 409, 418, 422, 500])(
		'explains status %d without repeating secrets',
		async (given) => {
			status = given;
			body = JSON.stringify({
				error: true,
				message: `Bearer ${API_KEY} was refused`,
				data: { error: { issues: [{ path: `field.${API_KEY}`, message: API_KEY }] } },
			});
			expectGoodError(await ask(name, parameters));
		},
	);
});

test('whatever JSON comes, it is an error or an object with an ID', async () => {
	const field = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(ID));
	const entry = fc.record(
		{
			id: field,
			url: field,
			events: field,
			enabled: field,
			meta: field,
			dns_records: field,
			created_at: field,
			owner_id: field,
			value: field,
			from: field,
			attachments: field,
			data: field,
		},
		{ requiredKeys: [] },
	);
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom('identity get', 'webhook get', 'message get'),
			fc.oneof(entry, fc.array(entry), fc.record({ data: entry, success: fc.boolean() })),
			async (name, answer) => {
				body = JSON.stringify(answer);
				const result = await ask(name, {
					identityId: chosen(ID),
					webhookId: chosen(ID),
					messageId: 'm1',
				});
				if (result.error === undefined) {
					const json = result.outputs[0]?.[0]?.json;
					const { id } = (name === 'message get' ? json?.delivery : json) as IDataObject;
					expect(id).toEqual(expect.stringMatching(/./));
				} else {
					expectGoodError(result);
				}
			},
		),
		{ numRuns: 150 },
	);
});

test('a service that stays overloaded ends in an error that says so', async () => {
	status = 503;
	body = '';
	const run = await ask('user get', {});

	expectGoodError(run);
	expect(run.error?.message).toBe('The service is not available at the moment');
});

test('the key went out in the header only, and into no line of the log', () => {
	expect(new Set(server.keys)).toEqual(new Set([`Bearer ${API_KEY}`]));
	expect(server.requests.join('\n')).not.toContain(API_KEY);
	expect(inspect(logLinesSince(), { depth: 20, maxArrayLength: null })).not.toContain(API_KEY);
});
