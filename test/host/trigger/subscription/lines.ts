import type { WorkflowActivateMode } from 'n8n-workflow';
import { Crashed, Instance, type StoredWorkflow, type TriggerNode } from './instance';

/** n8n 2.x tries five times, with pauses. */
const ATTEMPTS_OF_2 = 2;

/**
 * n8n 1.x (`active-workflow-manager.js`, `workflow.service.js`, `webhooks/test-webhooks.js` of 1.123.81):
 * saving an active workflow takes everything down and sets it up again; after a failed activation `delete`
 * gets the static data of the database, and the workflow is inactive.
 */
export class InstanceOf1 extends Instance {
	async activate(workflow: StoredWorkflow): Promise<boolean> {
		if (workflow.published) return false;
		workflow.published = workflow.draft;
		await this.add(workflow, 'activate');
		return true;
	}

	async deactivate(workflow: StoredWorkflow): Promise<boolean> {
		if (!workflow.published) return false;
		await this.remove(workflow);
		workflow.published = undefined;
		return true;
	}

	async save(workflow: StoredWorkflow, node: TriggerNode): Promise<boolean> {
		const wasActive = workflow.published !== undefined;
		if (wasActive) await this.remove(workflow);
		workflow.draft = node;
		if (!wasActive) return false;
		workflow.published = node;
		await this.add(workflow, 'update');
		return true;
	}

	isRegistered(workflow: StoredWorkflow): boolean {
		return workflow.published !== undefined;
	}

	protected async comeUp(): Promise<void> {
		for (const workflow of this.workflows) {
			if (workflow.published) await this.add(workflow, 'init');
		}
	}

	/** All of them (`registrations.deregisterAll`), also those of other workflows, which `delete` is never called for. */
	protected stopListening(): void {
		this.listening.clear();
	}

	private async add(workflow: StoredWorkflow, activation: WorkflowActivateMode): Promise<void> {
		const node = workflow.published ?? workflow.draft;
		const call = { mode: 'trigger', activation } as const;
		const { staticData, error } = await this.create(workflow, node, call);
		if (error) {
			await this.delete(workflow, node);
			if (activation !== 'init') workflow.published = undefined;
			throw error;
		}
		workflow.staticData[node.name] = staticData;
		await this.trigger(workflow, node, activation);
	}

	private async remove(workflow: StoredWorkflow): Promise<void> {
		await this.delete(workflow, workflow.published ?? workflow.draft);
		this.forgetTrigger(workflow);
	}
}

/**
 * n8n 2.x (`workflows/publication/`, `workflows/triggers/`, `webhooks/test-webhooks.js` of 2.41.1): only a
 * changed node is taken down and set up again; a failed set-up is followed by `delete` with what `create`
 * left, and tried again; `trigger` runs beside `create`; the workflow stays published when all fail.
 */
export class InstanceOf2 extends Instance {
	/** What the outbox still has to do, by workflow ID: survives a crash. */
	private readonly outbox = new Map<string, () => Promise<void>>();

	/** IDs of the workflows whose webhook rows are there: survive a crash too. */
	private readonly registered = new Set<string>();

	async activate(workflow: StoredWorkflow): Promise<boolean> {
		return await this.publish(workflow, workflow.published, 'activate');
	}

	async deactivate(workflow: StoredWorkflow): Promise<boolean> {
		const old = workflow.published;
		if (!old) return false;
		workflow.published = undefined;
		await this.work(workflow, async () => await this.tearDown(workflow, old));
		return true;
	}

	async save(workflow: StoredWorkflow, node: TriggerNode): Promise<boolean> {
		workflow.draft = node;
		if (!workflow.published) return false;
		return await this.publish(workflow, workflow.published, 'update');
	}

	isRegistered(workflow: StoredWorkflow): boolean {
		return this.registered.has(workflow.id);
	}

	protected async comeUp(): Promise<void> {
		for (const workflow of this.workflows) {
			const unfinished = this.outbox.get(workflow.id);
			if (unfinished) await this.finish(workflow, unfinished);
			else if (workflow.published) await this.setUp(workflow, workflow.published, 'init');
		}
	}

	protected stopListening(workflow: StoredWorkflow): void {
		this.listening.delete(workflow.id);
	}

	private async publish(
		workflow: StoredWorkflow,
		old: TriggerNode | undefined,
		activation: WorkflowActivateMode,
	): Promise<boolean> {
		const node = workflow.draft;
		workflow.published = node;
		const isChanged = old && JSON.stringify(old) !== JSON.stringify(node);
		if (old && !isChanged && this.registered.has(workflow.id)) return false;
		await this.work(workflow, async () => {
			if (isChanged) await this.tearDown(workflow, old);
			await this.setUp(workflow, node, activation);
		});
		return true;
	}

	private async work(workflow: StoredWorkflow, task: () => Promise<void>): Promise<void> {
		this.outbox.set(workflow.id, task);
		try {
			await task();
			this.outbox.delete(workflow.id);
		} catch (error) {
			if (!(error instanceof Crashed)) this.outbox.delete(workflow.id);
			throw error;
		}
	}

	/** What was begun before a crash; a failure is shown in the editor, and does not keep n8n from starting. */
	private async finish(workflow: StoredWorkflow, task: () => Promise<void>): Promise<void> {
		try {
			await this.work(workflow, task);
		} catch (error) {
			if (error instanceof Crashed) throw error;
			this.world.story.push(`  n8n says: ${(error as Error).message}`);
		}
	}

	private async tearDown(workflow: StoredWorkflow, node: TriggerNode): Promise<void> {
		this.forgetTrigger(workflow);
		this.registered.delete(workflow.id);
		await this.delete(workflow, node);
	}

	private async setUp(
		workflow: StoredWorkflow,
		node: TriggerNode,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const [registered] = await Promise.allSettled([
			this.register(workflow, node, activation),
			this.trigger(workflow, node, activation),
		]);
		if (registered.status === 'rejected') throw registered.reason;
	}

	private async register(
		workflow: StoredWorkflow,
		node: TriggerNode,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const call = { mode: 'trigger', activation } as const;
		for (let attempt = 1; ; attempt++) {
			this.registered.add(workflow.id);
			const { staticData, error } = await this.create(workflow, node, call);
			if (!error) {
				workflow.staticData[node.name] = staticData;
				return;
			}
			this.registered.delete(workflow.id);
			await this.delete(workflow, node, staticData);
			if (attempt === ATTEMPTS_OF_2) throw error;
		}
	}
}
