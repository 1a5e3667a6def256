import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { startScriptedServer, type ScriptedServer } from '../api/support/scriptedServer';
import { itemsOf, jsonOf, run } from './support/operation';

const MEGABYTE = 1024 * 1024;
const MESSAGES = 10;
const SIZE = 4 * MEGABYTE;

/** An email with one large file, as `GET /messages/{id}` answers it. */
const ANSWER = Buffer.from(
	JSON.stringify({
		id: 'm1',
		rawEmail: [
			'Subject: The plans for the new house',
			'Content-Type: application/pdf; name=plans.pdf',
			'Content-Transfer-Encoding: base64',
			'',
			`${'QUJD'.repeat(19)}\r\n`.repeat(SIZE / 78),
		].join('\r\n'),
	}),
);

let server: ScriptedServer;
let collectGarbage: () => void;
/** Bytes in use beside those before the run, each time a request arrives. */
let inUse: number[];
let before: number;

const bytesInUse = () => {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
};

beforeAll(async () => {
	setFlagsFromString('--expose-gc');
	collectGarbage = runInNewContext('gc') as () => void;
	server = await startScriptedServer((_request, response) => {
		inUse.push(bytesInUse() - before);
		response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
	});
});

afterAll(async () => await server.stop());

test('memory grows with the requests at a time, not with the number of items', async () => {
	inUse = [];
	before = bytesInUse();
	const result = await run(
		'message get',
		{ messageId: 'm1', options: { maxConcurrentRequests: 1 } },
		{
			credential: { baseUrl: `${server.origin}/api`, apiKey: 'key' },
			...itemsOf(...Array.from({ length: MESSAGES }, () => ({}))),
		},
	);

	expect(jsonOf(result)).toHaveLength(MESSAGES);
	expect(jsonOf(result)[0]).toMatchObject({ attachments: [{ fileName: 'plans.pdf' }] });
	expect(inUse).toHaveLength(MESSAGES);
	const [early = 0, late = 0] = [inUse.slice(0, 5), inUse.slice(5)].map((some) =>
		Math.max(...some),
	);
	expect(late - early).toBeLessThan(SIZE);
});
