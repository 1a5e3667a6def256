import { until } from '../../support/n8n';
import type { HostFact, ProbedHost } from '../probedHost';

const MEBIBYTE = 1024 * 1024;

async function deliver(host: ProbedHost, ...delivery: [string, { type?: string; body?: string }?]) {
	const workflow = await host.active();
	return await host.deliver(await host.address(workflow), ...delivery);
}

/** n8n's handling of deliveries to a published workflow. */
export const DELIVERY_FACTS: HostFact[] = [
	{
		statement:
			'With an empty responseData n8n asks for webhookResponse before it answers, answers with it, and saves the static data that were changed meanwhile',
		usedIn: 'trigger/delivery, trigger/subscription, node files',
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
			return [
				[answer, order[0], order.at(-1), object],
				[{ status: 200, body: { status: 'started' } }, 'asked', 'end', { value: 'first' }],
			];
		},
	},
	{
		statement:
			'webhookResponse without workflowData is answered with 200 and does not start the workflow',
		usedIn: 'trigger/delivery',
		async attempt(host) {
			const workflow = await host.active();
			const before = (await host.n8n.executions.list(workflow.id)).length;
			const { status, body } = await deliver(host, 'look');
			const started = (await host.n8n.executions.list(workflow.id)).length - before;
			return [
				[status, body.mode, started],
				[200, 'webhook', 0],
			];
		},
	},
	{
		statement:
			'With noWebhookResponse the answer that the node has written is what the sender gets',
		usedIn: 'trigger/delivery',
		attempt: async (host) => [
			await deliver(host, 'refuse'),
			{ status: 401, body: { refused: true } },
		],
	},
	{
		statement: 'What webhook received goes through execute of a node that has trigger, too',
		usedIn: 'node files',
		async attempt(host) {
			const workflow = await host.active();
			const mark = host.n8n.log.mark();
			await deliver(host, 'start');
			const { mode, item } = await host.reported(workflow, 'execute', mark);
			return [
				[mode, item?.mode],
				['webhook', 'webhook'],
			];
		},
	},
	{
		statement:
			'A body of the type application/json is parsed, and contentType names the type alone',
		usedIn: 'trigger/delivery',
		async attempt(host) {
			const delivery = { type: 'application/json; charset=utf-8', body: '{"a":1}' };
			const { contentType, body } = (await deliver(host, 'look', delivery)).body;
			return [
				[contentType, body],
				['application/json', { a: 1 }],
			];
		},
	},
	{
		statement:
			'A body of the type text/plain is a string; a charset that Node does not know is answered 422',
		usedIn: 'trigger/delivery',
		async attempt(host) {
			const body = '{"a":1}';
			const text = await deliver(host, 'look', { type: 'text/plain', body });
			const unknown = await deliver(host, 'look', { type: 'text/plain; charset=klingon', body });
			return [
				[text.body.body, unknown.status],
				[body, 422],
			];
		},
	},
	{
		statement:
			'A body of any other type, or none, is not read until readRawBody is called, which gives rawBody and encoding',
		usedIn: 'trigger/delivery',
		async attempt(host) {
			const body = '{"a":1}';
			const type = 'application/vnd.mail; charset=iso-8859-1';
			const other = await deliver(host, 'readRawBody', { type, body });
			const none = await deliver(host, 'readRawBody', { body });
			const fields = { type: 'application/x-www-form-urlencoded', body: 'a=1' };
			const form = await deliver(host, 'readRawBody', fields);
			return [
				[other.body.body, other.body.raw, other.body.encoding, none.body.raw, form.body.raw],
				[null, body, 'iso-8859-1', body, 'a=1'],
			];
		},
	},
	{
		statement:
			'readRawBody throws an error with the status 413 where the body is larger than N8N_PAYLOAD_SIZE_MAX',
		usedIn: 'trigger/delivery',
		async attempt(host) {
			const delivery = { type: 'application/octet-stream', body: 'a'.repeat(1.5 * MEBIBYTE) };
			const { status, body } = await deliver(host, 'readRawBody', delivery);
			return [
				[status, body.status],
				[200, 413],
			];
		},
	},
	{
		statement: 'A query parameter that is repeated is a list',
		usedIn: 'trigger, trigger/subscription',
		async attempt(host) {
			const { query } = (await deliver(host, 'look&token=a&token=b')).body;
			return [(query as { token?: unknown }).token, ['a', 'b']];
		},
	},
	{
		statement:
			'n8n fills in the defaults of parameters at the top, not those of options; a parameter that is not shown has no value',
		usedIn: 'trigger',
		async attempt(host) {
			const { filledIn, options, hidden } = (await deliver(host, 'look')).body;
			return [
				[filledIn, options, hidden],
				[7, {}, 'no value'],
			];
		},
	},
	{
		statement: "A line that a delivery writes with the context's logger is in n8n's log",
		usedIn: 'trigger/delivery',
		async attempt(host) {
			const mark = host.n8n.log.mark();
			await deliver(host, 'log&words=aloud');
			const log = () => host.n8n.log.text(mark);
			await until(() => log().includes('The probe says aloud'), {
				describe: 'the sentence is in the log',
				timeout: 5_000,
			});
			return ['logged', 'logged'];
		},
	},
	{
		statement: 'Hooks and deliveries are given the same ID of the n8n',
		usedIn: 'trigger',
		async attempt(host) {
			const { instanceId } = await host.reported(await host.active(), 'create');
			const { body } = await deliver(host, 'look');
			return [body.instanceId, instanceId ?? 'an ID'];
		},
	},
];
