import { ActivationFailed } from '../support/n8n';
import { fact, onProbedHost, TRIGGER } from './support/probedHost';

const host = onProbedHost();

/** Listens for a test event with a new workflow; returns it and the test address. */
async function listening(parameters: Record<string, unknown> = {}) {
	const workflow = await host.triggerWorkflow(parameters);
	const cancel = await host.n8n.workflows.listen(workflow.id, TRIGGER);
	return { workflow, cancel, address: await host.address(workflow) };
}

fact('node files', 'Activation calls checkExists, and create if that returns false', async () => {
	const events = host.reports(await host.active()).map(({ event }) => event);
	const hooks = events.filter((event) => event === 'checkExists' || event === 'create');
	expect(hooks).toEqual(['checkExists', 'create']);
});

fact(
	'trigger/subscription',
	'An activation fails with the message that create throws, and delete is called then',
	async () => {
		const failWith = 'No room for a subscription';
		const workflow = await host.triggerWorkflow({ failWith });
		const activation = host.n8n.workflows.activate(workflow.id);
		await expect(activation).rejects.toBeInstanceOf(ActivationFailed);
		await expect(activation).rejects.toThrow(failWith);
		const events = host.reports(workflow).map(({ event }) => event);
		expect(events.lastIndexOf('delete')).toBeGreaterThan(events.lastIndexOf('create'));
	},
);

fact(
	'trigger/subscription',
	'At its start n8n calls trigger, checkExists and create of an active workflow, with activation init',
	async () => {
		const workflow = await host.active();
		const mark = host.n8n.log.mark();
		await host.n8n.restart();
		for (const event of ['checkExists', 'create', 'trigger']) {
			expect(await host.reported(workflow, event, mark)).toMatchObject({ activation: 'init' });
		}
	},
);

fact(
	'trigger/subscription',
	'A trigger context schedules with registerCron until the workflow is deactivated',
	async () => {
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
		expect(host.reports(goes, mark).filter(({ event }) => event === 'scheduled')).toEqual([]);
		await workflows.deactivate(stays.id);
	},
);

fact(
	'trigger/subscription',
	'saveFailedExecution of a trigger context records a failed execution and calls the error workflow; the workflow stays active',
	async () => {
		const errorTrigger = { name: 'Error Trigger', type: 'n8n-nodes-base.errorTrigger' };
		const workflow = await host.triggerWorkflow({ failsLater: true }, errorTrigger);
		const { workflows, executions } = host.n8n;
		await workflows.activate(workflow.id);
		const made = await executions.atLeast(workflow.id, 2);
		const seen = made.map(({ mode, status }) => `${mode} ${status}`);
		expect(seen.sort()).toEqual(['error success', 'trigger error']);
		await host.reported(workflow, 'goes on');
		expect(await host.deliver(await host.address(workflow), 'look')).toMatchObject({ status: 200 });
		await workflows.deactivate(workflow.id);
	},
	'2',
);

fact(
	'trigger, trigger/subscription',
	"The address ends in the node's webhook ID and the path of its webhook, /webhook; a renamed node keeps it and loses its static data",
	async () => {
		const workflow = await host.triggerWorkflow();
		const path = `/webhook/${workflow.nodes[0]!.webhookId}/webhook`;
		const { workflows, log } = host.n8n;
		await workflows.activate(workflow.id);
		expect(new URL(await host.address(workflow)).pathname).toBe(path);
		await workflows.deactivate(workflow.id);
		await workflows.updateNode(workflow.id, TRIGGER, { name: 'Renamed' });
		const mark = log.mark();
		await workflows.activate(workflow.id);
		const { url, staticData } = await host.reported(workflow, 'create', mark);
		await workflows.deactivate(workflow.id);
		expect(new URL(url!).pathname).toBe(path);
		expect(staticData).toEqual({});
	},
);

fact(
	'trigger/subscription',
	'For a test event n8n calls create with mode manual, the test address and empty static data; after the event it calls delete with mode internal, activation update and what this create stored',
	async () => {
		const { workflow, address } = await listening();
		expect(new URL(address).pathname).toMatch(/^\/webhook-test\//);
		await host.deliver(address, 'start');
		const deleted = { mode: 'internal', activation: 'update', staticData: { madeFor: 'manual' } };
		expect(await host.reported(workflow, 'delete')).toMatchObject(deleted);
		const created = await host.reported(workflow, 'create');
		expect(created).toMatchObject({ mode: 'manual', activation: 'manual' });
		expect(created.staticData).toEqual({});
	},
);

fact(
	'trigger/delivery, node files',
	'Items with an answer of their own run execute in mode manual, and the sender gets that answer',
	async () => {
		const { workflow, address } = await listening();
		const answer = await host.deliver(address, 'startAndAnswer');
		expect(answer).toEqual({ status: 200, body: { own: true } });
		const executed = await host.reported(workflow, 'execute');
		expect(executed).toMatchObject({ mode: 'manual', item: { held: 'back' } });
	},
);

fact(
	'trigger/delivery',
	'A test delivery that does not start the workflow does not end the listening',
	async () => {
		const { workflow, address, cancel } = await listening();
		const seen = { status: 200, body: { mode: 'manual' } };
		expect(await host.deliver(address, 'look')).toMatchObject(seen);
		expect(await host.deliver(address, 'look')).toMatchObject(seen);
		await cancel();
		await host.reported(workflow, 'delete');
	},
);

fact('trigger/sampleEmail.ts', 'The test address answers while create runs for it', async () => {
	const { workflow, cancel } = await listening({ callItself: true });
	expect(await host.reported(workflow, 'reached itself')).toMatchObject({ mode: 'manual' });
	await cancel();
});
