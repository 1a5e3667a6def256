import type { WorkflowActivateMode } from 'n8n-workflow';
import { Crashed, Instance, type TriggerNode, type Workflow } from './instance';

/** Five in n8n, with pauses. */
const ATTEMPTS_OF_2 = 2;

/**
 * n8n 1.x (`active-workflow-manager.js`, `workflow.service.js`, `webhooks/test-webhooks.js` of 1.123.81):
 * saving an active workflow takes everything down and sets it up again; after a failed activation `delete`
 * gets the static data of the database, and the workflow is inactive.
 */
export class InstanceOf1 extends Instance {
	async activate(workflow: Workflow): Promise<boolean> {
		if (workflow.published) return false;
		await this.add(workflow, workflow.draft, 'activate');
		return true;
	}

	async deactivate(workflow: Workflow): Promise<boolean> {
		const { published } = workflow;
		if (!published) return false;
		await this.delete(workflow, published);
		workflow.tick = workflow.published = undefined;
		return true;
	}

	async save(workflow: Workflow, changes: Partial<TriggerNode>): Promise<boolean> {
		const wasActive = await this.deactivate(workflow);
		workflow.draft = { ...workflow.draft, ...changes };
		if (wasActive) await this.add(workflow, workflow.draft, 'update');
		return wasActive;
	}

	protected async comeUp(): Promise<void> {
		for (const workflow of this.workflows) {
			if (workflow.published) await this.add(workflow, workflow.published, 'init');
		}
	}

	/** Of all workflows (`registrations.deregisterAll`), without calling `delete` for the others. */
	protected stopListening(): void {
		for (const workflow of this.workflows) workflow.listening = undefined;
	}

	private async add(
		workflow: Workflow,
		node: TriggerNode,
		activation: WorkflowActivateMode,
	): Promise<void> {
		workflow.published = node;
		workflow.isRegistered = true;
		const { staticData, error } = await this.create(workflow, node, { activation });
		if (error) {
			await this.delete(workflow, node);
			if (activation !== 'init') workflow.published = undefined;
			throw error;
		}
		workflow.staticData[node.name] = staticData;
		await this.trigger(workflow, node, activation);
	}
}

/**
 * n8n 2.x (`workflows/publication/`, `workflows/triggers/`, `webhooks/test-webhooks.js` of 2.41.1): only a
 * changed node is taken down and set up again; a failed set-up is followed by `delete` with what `create`
 * left, and tried again; `trigger` runs beside `create`; the workflow stays published when all fail.
 */
export class InstanceOf2 extends Instance {
	async activate(workflow: Workflow): Promise<boolean> {
		return await this.publish(workflow, workflow.published, 'activate');
	}

	async deactivate(workflow: Workflow): Promise<boolean> {
		const old = workflow.published;
		if (!old) return false;
		workflow.published = undefined;
		await this.work(workflow, async () => await this.tearDown(workflow, old));
		return true;
	}

	async save(workflow: Workflow, changes: Partial<TriggerNode>): Promise<boolean> {
		workflow.draft = { ...workflow.draft, ...changes };
		if (!workflow.published) return false;
		return await this.publish(workflow, workflow.published, 'update');
	}

	protected async comeUp(): Promise<void> {
		for (const workflow of this.workflows) {
			const { outbox, published } = workflow;
			if (!outbox && published) await this.setUp(workflow, published, 'init');
			if (!outbox) continue;
			// A failure is shown in the editor, and does not keep n8n from starting.
			await this.work(workflow, outbox).catch((error: Error) => {
				if (error instanceof Crashed) throw error;
				this.world.story.push(`  n8n says: ${error.message}`);
			});
		}
	}

	protected stopListening(workflow: Workflow): void {
		workflow.listening = undefined;
	}

	private async publish(
		workflow: Workflow,
		old: TriggerNode | undefined,
		activation: WorkflowActivateMode,
	): Promise<boolean> {
		const node = workflow.draft;
		workflow.published = node;
		const isChanged = old && JSON.stringify(old) !== JSON.stringify(node);
		if (old && !isChanged && workflow.isRegistered) return false;
		await this.work(workflow, async () => {
			if (isChanged) await this.tearDown(workflow, old);
			await this.setUp(workflow, node, activation);
		});
		return true;
	}

	private async work(workflow: Workflow, task: () => Promise<void>): Promise<void> {
		workflow.outbox = task;
		try {
			await task();
			workflow.outbox = undefined;
		} catch (error) {
			if (!(error instanceof Crashed)) workflow.outbox = undefined;
			throw error;
		}
	}

	private async tearDown(workflow: Workflow, node: TriggerNode): Promise<void> {
		workflow.tick = undefined;
		workflow.isRegistered = false;
		await this.delete(workflow, node);
	}

	private async setUp(
		workflow: Workflow,
		node: TriggerNode,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const triggering = this.trigger(workflow, node, activation);
		const publication = {};
		for (let attempt = 1; ; attempt++) {
			workflow.isRegistered = true;
			const call = { activation, publication };
			const { staticData, error } = await this.create(workflow, node, call);
			await triggering;
			if (!error) {
				workflow.staticData[node.name] = staticData;
				return;
			}
			workflow.isRegistered = false;
			await this.delete(workflow, node, staticData, publication);
			if (attempt === ATTEMPTS_OF_2) throw error;
		}
	}
}
