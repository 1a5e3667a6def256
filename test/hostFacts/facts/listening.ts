import type { ProbedHost } from '../probedHost';
import { TRIGGER } from '../probedHost';
import { expecting, type HostFact } from '../hostFact';
import { inSource } from '../sources';

/** Listens for a test event with a new workflow; gives it and the test address. */
async function listening(host: ProbedHost, parameters: Record<string, unknown> = {}) {
	const workflow = await host.triggerWorkflow(parameters);
	const cancel = await host.n8n.workflows.listen(workflow.id, TRIGGER);
	return { workflow, cancel, address: await host.address(workflow) };
}

/** What n8n does with a trigger while somebody listens for a test event. */
export const LISTENING_FACTS: HostFact[] = [
	{
		name: 'hooks of a test event',
		statement:
			'create is called with mode manual, the test address and empty static data; after the event delete is, with mode internal, activation update and what this create stored',
		usedIn: ['trigger/subscription'],
		by: 'n8n',
		async attempt(host) {
			const { workflow, address } = await listening(host);
			await host.deliver(address, 'start');
			const deleted = await host.reported(workflow, ({ event }) => event === 'delete');
			const created = await host.reported(workflow, ({ event }) => event === 'create');
			return expecting(
				{
					create: [created.mode, created.activation, created.staticData],
					isTestAddress: new URL(address).pathname.startsWith('/webhook-test/'),
					delete: [deleted.mode, deleted.activation, deleted.staticData?.madeFor],
				},
				{
					create: ['manual', 'manual', {}],
					isTestAddress: true,
					delete: ['internal', 'update', 'manual'],
				},
			);
		},
	},
	{
		name: 'an item by hand beside an answer',
		statement:
			'Items with an answer of their own run execute in mode manual, and the sender gets that answer',
		usedIn: ['trigger/delivery', 'node files'],
		by: 'n8n',
		async attempt(host) {
			const { workflow, address } = await listening(host);
			const { status, body } = await host.deliver(address, 'startAndAnswer');
			const { mode, item } = await host.reported(workflow, ({ event }) => event === 'execute');
			return expecting(
				{ answer: [status, body], mode, item },
				{ answer: [200, { own: true }], mode: 'manual', item: { held: 'back' } },
			);
		},
	},
	{
		name: 'going on listening',
		statement: 'A test delivery that starts nothing does not end the listening',
		usedIn: ['trigger/delivery'],
		by: 'n8n',
		async attempt(host) {
			const { workflow, address, cancel } = await listening(host);
			const first = await host.deliver(address, 'look');
			const second = await host.deliver(address, 'look');
			await cancel();
			await host.reported(workflow, ({ event }) => event === 'delete');
			return expecting([first.status, second.status, second.body.mode], [200, 200, 'manual']);
		},
	},
	{
		name: 'reached while create runs',
		statement: 'The test address answers already while create runs for it',
		usedIn: ['trigger/sample'],
		by: 'n8n',
		async attempt(host) {
			const { workflow, cancel } = await listening(host, { callItself: true });
			const { mode } = await host.reported(workflow, ({ event }) => event === 'reached itself');
			await cancel();
			return expecting({ mode }, { mode: 'manual' });
		},
	},
	{
		name: 'registered once more',
		statement:
			'n8n registers the test address once more after create, with the static data of then',
		usedIn: ['trigger/sample'],
		by: 'source',
		attempt: async (host) =>
			inSource(
				host,
				'n8n/dist/webhooks/test-webhooks.js',
				/registrations\.register\([\s\S]{0,200}createWebhookIfNotExists\([\s\S]{0,200}registrations\.register\(/,
			),
	},
	{
		name: 'two minutes of listening',
		statement: 'n8n listens for a test event for two minutes',
		usedIn: ['trigger/subscription'],
		by: 'source',
		attempt: async (host) =>
			inSource(host, 'n8n/dist/constants.js', /TEST_WEBHOOK_TIMEOUT = 2 \* [\w.]+\.minutes\./),
	},
];
