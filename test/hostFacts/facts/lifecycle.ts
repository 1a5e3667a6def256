import { ActivationFailed } from '../../e2e/driver';
import { TRIGGER } from '../probedHost';
import { expecting, type HostFact } from '../hostFact';
import { inSource } from '../sources';

/** What n8n calls when a workflow is switched on and off, and when it starts. */
export const LIFECYCLE_FACTS: HostFact[] = [
	{
		name: 'create after checkExists',
		statement: 'Activation calls checkExists, and create where that answers no',
		usedIn: ['node files'],
		by: 'n8n',
		async attempt(host) {
			const workflow = await host.active();
			const hooks = host
				.reports(workflow)
				.map(({ event }) => event)
				.filter((event) => event === 'checkExists' || event === 'create');
			return expecting(hooks, ['checkExists', 'create']);
		},
	},
	{
		name: 'what create throws',
		statement: 'An activation fails with the message that create throws, and delete is called then',
		usedIn: ['trigger/subscription'],
		by: 'n8n',
		async attempt(host) {
			const workflow = await host.triggerWorkflow({ failWith: 'No room for a subscription' });
			const failure = await host.n8n.workflows
				.activate(workflow.id)
				.catch((error: unknown) => error);
			const events = host.reports(workflow).map(({ event }) => event);
			return expecting(
				{
					said:
						failure instanceof ActivationFailed &&
						failure.message.includes('No room for a subscription'),
					deletedAfterwards: events.lastIndexOf('delete') > events.lastIndexOf('create'),
				},
				{ said: true, deletedAfterwards: true },
			);
		},
	},
	{
		name: 'all hooks at every start',
		statement:
			'At its start n8n calls trigger, checkExists and create of an active workflow, with activation init',
		usedIn: ['trigger/subscription'],
		by: 'n8n',
		async attempt(host) {
			const workflow = await host.active();
			const mark = host.n8n.log.mark();
			await host.n8n.restart();
			const called = ['checkExists', 'create', 'trigger'];
			for (const event of called) {
				await host.reported(workflow, (report) => report.event === event, mark);
			}
			const activations = host
				.reports(workflow, mark)
				.filter(({ event }) => called.includes(event))
				.map(({ event, activation }) => `${event} ${activation}`);
			return expecting(activations.sort(), ['checkExists init', 'create init', 'trigger init']);
		},
	},
	{
		name: 'registerCron',
		statement: 'A trigger context schedules with registerCron, until the workflow is switched off',
		usedIn: ['trigger/subscription'],
		by: 'n8n',
		async attempt(host) {
			const [stays, goes] = [
				await host.triggerWorkflow({ scheduled: true }),
				await host.triggerWorkflow({ scheduled: true }),
			];
			const { workflows, log } = host.n8n;
			await workflows.activate(stays.id);
			await workflows.activate(goes.id);
			const isTick = ({ event }: { event: string }) => event === 'scheduled';
			await host.reported(goes, isTick);
			await workflows.deactivate(goes.id);
			const mark = log.mark();
			// Two more ticks of the one are two chances for the other.
			await host.reported(stays, isTick, mark);
			await host.reported(stays, isTick, log.mark());
			const late = host.reports(goes, mark).filter(isTick).length;
			await workflows.deactivate(stays.id);
			return expecting({ ticksAfterwards: late }, { ticksAfterwards: 0 });
		},
	},
	{
		name: 'renaming a node',
		statement:
			"A renamed node keeps its address and loses its static data, which are kept by the node's name",
		usedIn: ['trigger'],
		by: 'n8n',
		async attempt(host) {
			const workflow = await host.triggerWorkflow();
			const { workflows, log } = host.n8n;
			await workflows.activate(workflow.id);
			const before = await host.address(workflow);
			await workflows.deactivate(workflow.id);
			await workflows.updateNode(workflow.id, TRIGGER, { name: 'Renamed' });
			const mark = log.mark();
			await workflows.activate(workflow.id);
			const { url, staticData } = await host.reported(
				workflow,
				({ event }) => event === 'create',
				mark,
			);
			await workflows.deactivate(workflow.id);
			return expecting(
				{ sameAddress: url === before, staticData },
				{ sameAddress: true, staticData: {} },
			);
		},
	},
	{
		name: 'the last part of an address',
		statement: "The address ends in the node's webhook ID and the path of its webhook, /webhook",
		usedIn: ['trigger/subscription'],
		by: 'n8n',
		async attempt(host) {
			const workflow = await host.active();
			const path = new URL(await host.address(workflow)).pathname;
			const { webhookId } = workflow.nodes[0]!;
			return expecting(path, `/webhook/${webhookId}/webhook`);
		},
	},
	{
		name: 'activation as a leader',
		statement: 'An n8n that becomes the leader of several activates with leadershipChange',
		usedIn: ['trigger/subscription'],
		by: 'source',
		attempt: async (host) =>
			inSource(host, 'n8n/dist/active-workflow-manager.js', /leadershipChange/),
	},
	{
		name: 'the address of test events',
		statement:
			"The newer line gives test events N8N_WEBHOOK_URL, or else the editor's address, which it takes from WEBHOOK_URL only where N8N_EDITOR_BASE_URL is not set",
		usedIn: ['trigger/subscription'],
		line: '2',
		by: 'source',
		attempt: async (host) =>
			inSource(
				host,
				'n8n/dist/services/url.service.js',
				/getTestWebhookBaseUrl\(\) \{\s*let base = this\.globalConfig\.webhookUrl \|\| this\.getInstanceBaseUrl\(\);[\s\S]*getInstanceBaseUrl\(\) \{\s*const \w+ = this\.trimQuotes\(this\.globalConfig\.editorBaseUrl\) \|\| this\.getWebhookBaseUrl\(\)/,
			),
	},
	{
		name: 'five attempts',
		statement: 'The newer line tries an activation that fails five times',
		usedIn: ['trigger/subscription'],
		line: '2',
		by: 'source',
		attempt: async (host) =>
			inSource(host, 'n8n/dist/constants.js', /TRIGGER_ACTIVATION_MAX_ATTEMPTS = 5;/),
	},
	{
		name: 'the word that ends retries',
		statement: 'An n8n of the older line gives up at its start where a failure says Authorization',
		usedIn: ['trigger/subscription'],
		line: '1',
		by: 'source',
		attempt: async (host) =>
			inSource(host, 'n8n/dist/active-workflow-manager.js', /message\.includes\('Authorization'\)/),
	},
];
