import { until } from '../../e2e/driver';
import { expecting, type HostFact } from '../hostFact';
import type { ProbedHost } from '../probedHost';
import { inSource } from '../sources';

const MEBIBYTE = 1024 * 1024;

async function deliver(host: ProbedHost, ...delivery: [string, { type?: string; body?: string }?]) {
	const workflow = await host.active();
	return await host.deliver(await host.address(workflow), ...delivery);
}

/** What n8n does with what is delivered to a published workflow. */
export const DELIVERY_FACTS: HostFact[] = [
	{
		name: 'static data from a getter',
		statement:
			'With an empty responseData n8n asks for webhookResponse before it answers, answers with it, and saves the static data that were changed meanwhile',
		usedIn: ['trigger/delivery', 'node files'],
		by: 'n8n',
		async attempt(host) {
			const workflow = await host.active();
			const mark = host.n8n.log.mark();
			const answer = await deliver(host, 'start');
			const order = host
				.reports(workflow, mark)
				.map(({ event }) => event)
				.filter((event) => event === 'asked' || event === 'end');
			const { body } = await deliver(host, 'look');
			const { object } = body.staticData as { object?: unknown };
			return expecting(
				{ answer, asked: order[0], answered: order.at(-1), object },
				{
					answer: { status: 200, body: { status: 'started' } },
					asked: 'asked',
					answered: 'end',
					object: { value: 'first' },
				},
			);
		},
	},
	{
		name: 'a key inside static data',
		statement:
			'Static data are saved where a key at the top is set; a key inside an object may be lost',
		usedIn: ['trigger', 'trigger/subscription'],
		by: 'n8n',
		async attempt(host) {
			await deliver(host, 'start');
			const top = await deliver(host, 'look');
			await deliver(host, 'start&nested=second');
			const inside = await deliver(host, 'look');
			const valueIn = ({ body }: typeof top) =>
				(body.staticData as { object?: { value: string } }).object?.value;
			return {
				holds: valueIn(top) === 'first',
				seen: `at the top: saved; inside: ${valueIn(inside) === 'second' ? 'saved, too' : 'lost'}`,
			};
		},
	},
	{
		name: 'an answer that starts nothing',
		statement: 'webhookResponse without workflowData is answered with 200 and starts nothing',
		usedIn: ['trigger/delivery'],
		by: 'n8n',
		async attempt(host) {
			const workflow = await host.active();
			const before = (await host.n8n.executions.list(workflow.id)).length;
			const { status, body } = await deliver(host, 'look');
			const started = (await host.n8n.executions.list(workflow.id)).length - before;
			return expecting(
				{ status, mode: body.mode, started },
				{ status: 200, mode: 'webhook', started: 0 },
			);
		},
	},
	{
		name: 'an answer of our own',
		statement:
			'With noWebhookResponse the answer that the node has written is what the sender gets',
		usedIn: ['trigger/delivery'],
		by: 'n8n',
		attempt: async (host) =>
			expecting(await deliver(host, 'refuse'), { status: 401, body: { refused: true } }),
	},
	{
		name: 'execute of a trigger with a webhook',
		statement: 'What webhook received goes through execute of a node that has trigger, too',
		usedIn: ['node files'],
		by: 'n8n',
		async attempt(host) {
			const workflow = await host.active();
			const mark = host.n8n.log.mark();
			await deliver(host, 'start');
			const { mode, item } = await host.reported(
				workflow,
				({ event }) => event === 'execute',
				mark,
			);
			return expecting([mode, item?.mode], ['webhook', 'webhook']);
		},
	},
	{
		name: 'JSON bodies',
		statement:
			'A body of the type application/json is parsed, and contentType names the type alone',
		usedIn: ['trigger/delivery'],
		by: 'n8n',
		async attempt(host) {
			const delivery = { type: 'application/json; charset=utf-8', body: '{"a":1}' };
			const { contentType, body } = (await deliver(host, 'look', delivery)).body;
			return expecting({ contentType, body }, { contentType: 'application/json', body: { a: 1 } });
		},
	},
	{
		name: 'text bodies',
		statement:
			'A body of the type text/plain is a string; a charset that Node does not know is answered 422',
		usedIn: ['trigger/delivery'],
		by: 'n8n',
		async attempt(host) {
			const body = '{"a":1}';
			const text = await deliver(host, 'look', { type: 'text/plain', body });
			const unknown = await deliver(host, 'look', { type: 'text/plain; charset=klingon', body });
			return expecting([text.body.body, unknown.status], [body, 422]);
		},
	},
	{
		name: 'readRawBody',
		statement:
			'A body of any other type, or none, is not read until readRawBody is called, which gives rawBody and encoding',
		usedIn: ['trigger/delivery'],
		by: 'n8n',
		async attempt(host) {
			const body = '{"a":1}';
			const other = await deliver(host, 'readRawBody', {
				type: 'application/vnd.mail; charset=iso-8859-1',
				body,
			});
			const none = await deliver(host, 'readRawBody', { body });
			const form = await deliver(host, 'readRawBody', {
				type: 'application/x-www-form-urlencoded',
				body: 'a=1',
			});
			return expecting(
				[other.body.body, other.body.raw, other.body.encoding, none.body.raw, form.body.raw],
				[null, body, 'iso-8859-1', body, 'a=1'],
			);
		},
	},
	{
		name: 'bodies above the limit',
		statement:
			'readRawBody throws an error with the status 413 where the body is larger than N8N_PAYLOAD_SIZE_MAX',
		usedIn: ['trigger/delivery'],
		by: 'n8n',
		async attempt(host) {
			const delivery = { type: 'application/octet-stream', body: 'a'.repeat(1.5 * MEBIBYTE) };
			const { status, body } = await deliver(host, 'readRawBody', delivery);
			return expecting([status, body.status], [200, 413]);
		},
	},
	{
		name: 'a repeated query parameter',
		statement: 'A query parameter that is repeated is a list',
		usedIn: ['trigger', 'trigger/subscription'],
		by: 'n8n',
		async attempt(host) {
			const { query } = (await deliver(host, 'look&token=a&token=b')).body;
			return expecting((query as { token?: unknown }).token, ['a', 'b']);
		},
	},
	{
		name: 'defaults of parameters',
		statement: 'n8n fills in the defaults of parameters at the top, and not those of options',
		usedIn: ['trigger'],
		by: 'n8n',
		async attempt(host) {
			const { filledIn, options } = (await deliver(host, 'look')).body;
			return expecting({ filledIn, options }, { filledIn: 7, options: {} });
		},
	},
	{
		name: 'parameters that are not shown',
		statement: 'A parameter that is not shown has no value, not its default either',
		usedIn: ['trigger'],
		by: 'n8n',
		async attempt(host) {
			const { hidden } = (await deliver(host, 'look')).body;
			return expecting({ hidden }, { hidden: 'no value' });
		},
	},
	{
		name: 'a line in the log',
		statement: "What a delivery gives to the context's logger stands in n8n's log",
		usedIn: ['trigger/delivery'],
		by: 'n8n',
		async attempt(host) {
			const mark = host.n8n.log.mark();
			await deliver(host, 'log&words=aloud');
			const isLogged = await until(() => host.n8n.log.text(mark).includes('The probe says aloud'), {
				describe: 'the sentence is in the log',
				timeout: 5_000,
			}).catch(() => false);
			return expecting({ isLogged }, { isLogged: true });
		},
	},
	{
		name: 'the instance ID',
		statement: 'Hooks and deliveries are given the same ID of the n8n',
		usedIn: ['trigger'],
		by: 'n8n',
		async attempt(host) {
			const workflow = await host.active();
			const { instanceId } = await host.reported(workflow, ({ event }) => event === 'create');
			const { body } = await deliver(host, 'look');
			return expecting(
				{ known: !!instanceId, same: body.instanceId === instanceId },
				{ known: true, same: true },
			);
		},
	},
	{
		name: 'version 1 and its expression',
		statement:
			'For a trigger below version 2 n8n looks for a parameter options.binaryData before it reads the body',
		usedIn: ['node files'],
		by: 'source',
		attempt: async (host) =>
			inSource(host, 'n8n/dist/webhooks/webhook-helpers.js', /typeVersion[\s\S]{0,400}binaryData/),
	},
];
