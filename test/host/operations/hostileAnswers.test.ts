import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

import type { INodeParameters } from 'n8n-workflow';

import { startScriptedServer, text, type ScriptedServer } from '../api/support/scriptedServer';
import type { NodeRun } from '../support';
import { chosen, run } from './support/operation';

const API_KEY = 'key-that-nobody-may-see-4711';
const ID = '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11';

/** One operation for each kind of request, with a right answer of the service for it. */
const OPERATIONS: Array<[name: string, parameters: INodeParameters, right: unknown]> = [
	['identity audit', {}, [{ id: ID, value: 'a@b.c' }]],
	['message get', { messageId: 'm1' }, { id: 'm1', subject: 'private' }],
	['webhook create', { url: 'https://a.example/' }, { id: ID, userId: ID }],
	['webhook update', { webhookId: chosen(ID), receiveFor: 'all' }, { id: ID }],
];

const HOSTILE: Array<string | Buffer> = [
	...[' \r\n ', '<!doctype html><title>Log in</title>', '{}', '[[]]', '['.repeat(100_000)],
	randomBytes(4096),
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

afterAll(async () => await server.stop());

beforeEach(() => {
	status = 200;
});

const ask = async (name: string, parameters: INodeParameters) =>
	await run(name, parameters, {
		credential: { baseUrl: `${server.origin}/api`, apiKey: API_KEY },
	});

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
