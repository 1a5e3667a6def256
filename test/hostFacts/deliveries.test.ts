import { until } from '../support/n8n';
import { fact, onProbedHost } from './support/probedHost';

const MEBIBYTE = 1024 * 1024;

const host = onProbedHost();

/** Delivers to a published workflow. */
async function deliver(...delivery: [query: string, { type?: string; body?: string }?]) {
	return await host.deliver(await host.address(await host.active()), ...delivery);
}

fact(
	'trigger/delivery, trigger/subscription, node files',
	'With an empty responseData n8n asks for webhookResponse before it answers, answers with it, and saves the static data that were changed meanwhile',
	async () => {
		const workflow = await host.active();
		const mark = host.n8n.log.mark();
		const answer = await deliver('start');
		expect(answer).toEqual({ status: 200, body: { status: 'started' } });
		const events = host.reports(workflow, mark).map(({ event }) => event);
		expect(events.indexOf('asked')).toBeGreaterThanOrEqual(0);
		expect(events.indexOf('end')).toBeGreaterThan(events.indexOf('asked'));
		const { body } = await deliver('look');
		expect(body.staticData).toMatchObject({ object: { value: 'first' } });
	},
);

fact(
	'trigger/delivery',
	'webhookResponse without workflowData is answered with 200 and does not start the workflow',
	async () => {
		const { id } = await host.active();
		const before = await host.n8n.executions.list(id);
		expect(await deliver('look')).toMatchObject({ status: 200, body: { mode: 'webhook' } });
		expect(await host.n8n.executions.list(id)).toHaveLength(before.length);
	},
);

fact(
	'trigger/delivery',
	'With noWebhookResponse the sender gets the answer that the node has written',
	async () => {
		expect(await deliver('refuse')).toEqual({ status: 401, body: { refused: true } });
	},
);

fact(
	'node files',
	'n8n passes what webhook received to execute, also in a node that has trigger',
	async () => {
		const workflow = await host.active();
		const mark = host.n8n.log.mark();
		await deliver('start');
		const executed = await host.reported(workflow, 'execute', mark);
		expect(executed).toMatchObject({ mode: 'webhook', item: { mode: 'webhook' } });
	},
);

fact(
	'trigger/delivery',
	'A body of the type application/json is parsed, and contentType names the type alone',
	async () => {
		const type = 'application/json; charset=utf-8';
		const { body } = await deliver('look', { type, body: '{"a":1}' });
		expect(body).toMatchObject({ contentType: 'application/json', body: { a: 1 } });
	},
);

fact(
	'trigger/delivery',
	'A body of the type text/plain is a string; a charset that Node.js does not know is answered 422',
	async () => {
		const body = '{"a":1}';
		expect((await deliver('look', { type: 'text/plain', body })).body.body).toBe(body);
		const unknown = await deliver('look', { type: 'text/plain; charset=klingon', body });
		expect(unknown.status).toBe(422);
	},
);

fact(
	'trigger/delivery',
	'A body of any other type, or none, is not read until readRawBody is called, which gives rawBody and encoding',
	async () => {
		const body = '{"a":1}';
		const type = 'application/vnd.mail; charset=iso-8859-1';
		const other = await deliver('readRawBody', { type, body });
		expect(other.body).toMatchObject({ body: null, raw: body, encoding: 'iso-8859-1' });
		expect((await deliver('readRawBody', { body })).body.raw).toBe(body);
		const form = { type: 'application/x-www-form-urlencoded', body: 'a=1' };
		expect((await deliver('readRawBody', form)).body.raw).toBe('a=1');
	},
);

fact(
	'trigger/delivery',
	'readRawBody throws an error with the status 413 if the body is larger than N8N_PAYLOAD_SIZE_MAX',
	async () => {
		const large = { type: 'application/octet-stream', body: 'a'.repeat(1.5 * MEBIBYTE) };
		const answer = await deliver('readRawBody', large);
		expect(answer).toMatchObject({ status: 200, body: { status: 413 } });
	},
);

fact('trigger, trigger/subscription', 'A query parameter that is repeated is a list', async () => {
	const { body } = await deliver('look&token=a&token=b');
	expect(body.query).toMatchObject({ token: ['a', 'b'] });
});

fact(
	'trigger',
	'n8n fills in the defaults of parameters at the top, not those of options; a parameter that is not shown has no value',
	async () => {
		const { body } = await deliver('look');
		expect(body).toMatchObject({ filledIn: 7, hidden: 'no value' });
		expect(body.options).toEqual({});
	},
);

fact(
	'trigger/delivery',
	"A line that a delivery writes with the context's logger is in n8n's log",
	async () => {
		const mark = host.n8n.log.mark();
		await deliver('log&words=aloud');
		await until(
			'the line is in the log',
			() => host.n8n.log.text(mark).includes('The probe says aloud'),
			5_000,
		);
	},
);

fact('trigger', 'Hooks and deliveries get the same instance ID', async () => {
	const { instanceId } = await host.reported(await host.active(), 'create');
	expect(instanceId).toEqual(expect.any(String));
	expect((await deliver('look')).body.instanceId).toBe(instanceId);
});
