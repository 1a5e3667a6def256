import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

import { json, startScriptedServer, text, type Answer } from '../api/support/scriptedServer';
import { run } from './support/operation';

const API_KEY = 'key-that-nobody-may-see-4711';

const MESSAGE = { id: 'm1', subject: 'private' };

const REFUSAL = {
	error: true,
	message: `Bearer ${API_KEY} was refused`,
	data: { error: { issues: [{ path: `field.${API_KEY}`, message: API_KEY }] } },
};

const getMessage = async (answer: Answer) => {
	const server = await startScriptedServer(answer);
	const credential = { baseUrl: `${server.origin}/api`, apiKey: API_KEY };
	return await run('message get', { messageId: 'm1' }, { credential }).finally(server.stop);
};

test.each<[string, Answer]>([
	['blank', text(' \r\n ')],
	['a web page', text('<!doctype html><title>Log in</title>')],
	['an empty object', json({})],
	['nested lists', text('['.repeat(100_000))],
	['binary', (_request, response) => void response.writeHead(200).end(randomBytes(4096))],
	['half of a message', text(JSON.stringify(MESSAGE).slice(0, -9))],
	...[401, 404, 422].map((status): [string, Answer] => [`status ${status}`, json(REFUSAL, status)]),
])('a response that is %s is an error of the item, without secrets', async (_what, answer) => {
	expect(await getMessage(json(MESSAGE))).toMatchObject({ error: undefined, outputs: [[{}]] });
	const { error, outputs } = await getMessage(answer);

	expect(outputs).toEqual([]);
	expect(error).toMatchObject({
		message: expect.stringMatching(/^[A-Z].{10,}/),
		description: expect.stringMatching(/.{10,}/),
		context: { itemIndex: 0 },
	});
	const everything = inspect(error, { depth: 20, showHidden: true, maxStringLength: Infinity });
	expect(everything).not.toMatch(new RegExp(`${API_KEY}|private`));
});
