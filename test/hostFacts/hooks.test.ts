import { ActivationFailed } from '../support/n8n';
import { fact, onProbedHost, TRIGGER } from './support/probedHost';

const host = onProbedHost();

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
	'trigger/delivery',
	'A test delivery that does not start the workflow does not end the listening',
	async () => {
		const workflow = await host.triggerWorkflow();
		const cancel = await host.n8n.workflows.listen(workflow.id, TRIGGER);
		const address = await host.address(workflow);
		const seen = { status: 200, body: { mode: 'manual' } };
		expect(await host.deliver(address, 'look')).toMatchObject(seen);
		expect(await host.deliver(address, 'look')).toMatchObject(seen);
		await cancel();
		await host.reported(workflow, 'delete');
	},
);
