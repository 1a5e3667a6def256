import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startScriptedServer, text, type ScriptedServer } from '../api/scriptedServer';
import { logLinesSince, runNode, type NodeRun } from '../rig';
import { actionNode, chosen } from './support/operation';

const API_KEY = 'key-that-nobody-may-see-4711';
const ID = '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11';

/** One operation for each kind of request, with a right answer of the service for it. */
const OPERATIONS: Array<[name: string, parameters: INodeParameters, right: unknown]> = [
	['user get', {}, { userId: ID }],
	['identity audit', {}, [{ id: ID, value: 'a@b.c' }]],
	['message get', { messageId: 'm1' }, { id: 'm1', subject: 'private' }],
	['webhook create', { url: 'https://a.example/' }, { id: ID, userId: ID }],
	[
		'webhook upsert',
		{ url: 'https://a.example/' },
		[{ id: ID, url: 'https://a.example/', events: ['message.received'] }],
	],
	['webhook getAll', {}, { webhooks: [{ id: ID, url: 'x' }] }],
	['webhook update', { webhookId: chosen(ID), receiveFor: 'all' }, { id: ID }],
];

const nested = (depth: number, open: string, close: string) =>
	open.repeat(depth) + '1' + close.repeat(depth);

const HOSTILE: Array<string | Buffer> = [
	' \r\n ',
	'<!doctype html><title>Log in</title>',
	randomBytes(4096),
	'null',
	'{}',
	'[[]]',
	'[null]',
	'[{"name":"x"}]',
	'{"id":true,"userId":true}',
	'{"id":{},"userId":[]}',
	`{"success":false,"error":"no","data":{"id":"${ID}"}}`,
	nested(100_000, '{"data":', '}'),
	nested(100_000, '[', ']'),
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

describe.each(OPERATIONS)('%s', (name, parameters, right) => {
	test('takes the right answer, and any other and half of it for an error', async () => {
		const whole = (body = JSON.stringify(right));
		expect(await ask(name, parameters)).toMatchObject({ error: undefined, outputs: [[{}]] });

		for (const hostile of [...HOSTILE, whole.slice(0, whole.length / 2)]) {
			body = hostile;
			expectGoodError(await ask(name, parameters));
		}
	});

	test('explains refusals without repeating secrets', async () => {
		for (const given of [401, 404, 422, 500]) {
			status = given;
			body = JSON.stringify({
				error: true,
				message: `Bearer ${API_KEY} was refused`,
				data: { error: { issues: [{ path: `field.${API_KEY}`, message: API_KEY }] } },
			});
			expectGoodError(await ask(name, parameters));
		}
	});
});

test('whatever JSON comes, it is an error or an object with an ID', async () => {
	const field = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(ID));
	const names = 'id url events enabled meta dns_records created_at value from attachments data';
	const entry = fc.dictionary(fc.constantFrom(...names.split(' ')), field);
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
		{ numRuns: 100 },
	);
});

test('the key went out in the header only, and into no line of the log', () => {
	expect(new Set(server.keys)).toEqual(new Set([`Bearer ${API_KEY}`]));
	expect(server.requests.join('\n')).not.toContain(API_KEY);
	expect(inspect(logLinesSince(), { depth: 20, maxArrayLength: null })).not.toContain(API_KEY);
});
