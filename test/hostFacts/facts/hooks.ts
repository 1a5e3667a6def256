import { ActivationFailed } from '../../support/n8n';
import { TRIGGER, type HostFact, type ProbedHost } from '../probedHost';

/** Listens for a test event with a new workflow; gives it and the test address. */
async function listening(host: ProbedHost, parameters: Record<string, unknown> = {}) {
	const workflow = await host.triggerWorkflow(parameters);
	const cancel = await host.n8n.workflows.listen(workflow.id, TRIGGER);
	return { workflow, cancel, address: await host.address(workflow) };
}

/** n8n's calls when a workflow is published and unpublished, when n8n starts, and when a user listens for a test event. */
export const HOOK_FACTS: HostFact[] = [
	{
		statement: 'Activation calls checkExists, and create where that answers no',
		usedIn: 'node files',
		async attempt(host) {
			const hooks = host
				.reports(await host.active())
				.map(({ event }) => event)
				.filter((event) => event === 'checkExists' || event === 'create');
			return [hooks, ['checkExists', 'create']];
		},
	},
	{
		statement: 'An activation fails with the message that create throws, and delete is called then',
		usedIn: 'trigger/subscription',
		async attempt(host) {
			const words = 'No room for a subscription';
			const workflow = await host.triggerWorkflow({ failWith: words });
			const failure: unknown = await host.n8n.workflows.activate(workflow.id).catch((e) => e);
			const events = host.reports(workflow).map(({ event }) => event);
			const isSaid = failure instanceof ActivationFailed && failure.message.includes(words);
			const isDeleted = events.lastIndexOf('delete') > events.lastIndexOf('create');
			return [
				[isSaid, isDeleted],
				[true, true],
			];
		},
	},
	{
		statement:
			'At its start n8n calls trigger, checkExists and create of an active workflow, with activation init',
		usedIn: 'trigger/subscription',
		async attempt(host) {
			const workflow = await host.active();
			const mark = host.n8n.log.mark();
			await host.n8n.restart();
			const called = ['checkExists', 'create', 'trigger'];
			for (const event of called) await host.reported(workflow, event, mark);
			const activations = host
				.reports(workflow, mark)
				.filter(({ event }) => called.includes(event))
				.map(({ event, activation }) => `${event} ${activation}`);
			return [activations.sort(), ['checkExists init', 'create init', 'trigger init']];
		},
	},
	{
		statement: 'A trigger context schedules with registerCron, until the workflow is switched off',
		usedIn: 'trigger/subscription',
		async attempt(host) {
			const { workflows, log } = host.n8n;
			const stays = await host.triggerWorkflow({ scheduled: true });
			const goes = await host.triggerWorkflow({ scheduled: true });
			await workflows.activate(stays.id);
			await workflows.activate(goes.id);
			await host.reported(goes, 'scheduled');
			await workflows.deactivate(goes.id);
			const mark = log.mark();
			// Two more ticks of the one are two chances for the other.
			await host.reported(stays, 'scheduled', mark);
			await host.reported(stays, 'scheduled', log.mark());
			const late = host.reports(goes, mark).filter(({ event }) => event === 'scheduled');
			await workflows.deactivate(stays.id);
			return [late, []];
		},
	},
	{
		statement:
			'saveFailedExecution of a trigger context records a failed execution and calls the error workflow; the workflow stays active',
		usedIn: 'trigger/subscription',
		line: '2',
		async attempt(host) {
			const errorTrigger = { name: 'Error Trigger', type: 'n8n-nodes-base.errorTrigger' };
			const workflow = await host.triggerWorkflow({ failsLater: true }, errorTrigger);
			const { workflows, executions } = host.n8n;
			await workflows.activate(workflow.id);
			const made = await executions.atLeast(workflow.id, 2);
			await host.reported(workflow, 'goes on');
			const { status } = await host.deliver(await host.address(workflow), 'look');
			await workflows.deactivate(workflow.id);
			const seen = made.map((execution) => `${execution.mode} ${execution.status}`).sort();
			return [
				[...seen, status],
				['error success', 'trigger error', 200],
			];
		},
	},
	{
		statement:
			"The address ends in the node's webhook ID and the path of its webhook, /webhook; a renamed node keeps it and loses its static data",
		usedIn: 'trigger, trigger/subscription',
		async attempt(host) {
			const workflow = await host.triggerWorkflow();
			const { workflows, log } = host.n8n;
			await workflows.activate(workflow.id);
			const before = new URL(await host.address(workflow)).pathname;
			await workflows.deactivate(workflow.id);
			await workflows.updateNode(workflow.id, TRIGGER, { name: 'Renamed' });
			const mark = log.mark();
			await workflows.activate(workflow.id);
			const { url, staticData } = await host.reported(workflow, 'create', mark);
			await workflows.deactivate(workflow.id);
			const path = `/webhook/${workflow.nodes[0]!.webhookId}/webhook`;
			return [
				[before, new URL(url!).pathname, staticData],
				[path, path, {}],
			];
		},
	},
	{
		statement:
			'For a test event create is called with mode manual, the test address and empty static data; after the event delete is, with mode internal, activation update and what this create stored',
		usedIn: 'trigger/subscription',
		async attempt(host) {
			const { workflow, address } = await listening(host);
			await host.deliver(address, 'start');
			const deleted = await host.reported(workflow, 'delete');
			const created = await host.reported(workflow, 'create');
			return [
				[
					[created.mode, created.activation, created.staticData],
					new URL(address).pathname.startsWith('/webhook-test/'),
					[deleted.mode, deleted.activation, deleted.staticData?.madeFor],
				],
				[['manual', 'manual', {}], true, ['internal', 'update', 'manual']],
			];
		},
	},
	{
		statement:
			'Items with an answer of their own run execute in mode manual, and the sender gets that answer',
		usedIn: 'trigger/delivery, node files',
		async attempt(host) {
			const { workflow, address } = await listening(host);
			const answer = await host.deliver(address, 'startAndAnswer');
			const { mode, item } = await host.reported(workflow, 'execute');
			return [
				[answer, mode, item],
				[{ status: 200, body: { own: true } }, 'manual', { held: 'back' }],
			];
		},
	},
	{
		statement: 'A test delivery that does not start the workflow does not end the listening',
		usedIn: 'trigger/delivery',
		async attempt(host) {
			const { workflow, address, cancel } = await listening(host);
			const first = await host.deliver(address, 'look');
			const second = await host.deliver(address, 'look');
			await cancel();
			await host.reported(workflow, 'delete');
			return [
				[first.status, second.status, second.body.mode],
				[200, 200, 'manual'],
			];
		},
	},
	{
		statement: 'The test address answers already while create runs for it',
		usedIn: 'trigger/sampleEmail.ts',
		async attempt(host) {
			const { workflow, cancel } = await listening(host, { callItself: true });
			const { mode } = await host.reported(workflow, 'reached itself');
			await cancel();
			return [mode, 'manual'];
		},
	},
];
