import { randomUUID } from 'node:crypto';
import type { Line } from './host';
import { publicationOf } from './publication';
import type { Session } from './session';
import { completeNode } from './workflowDefinition';
import type { NodeDefinition, WorkflowDefinition } from './workflowDefinition';

/** A workflow as n8n stores it. */
export interface StoredWorkflow extends WorkflowDefinition {
	id: string;
	versionId: string;
	active: boolean;
	isArchived?: boolean;
}

/** Workflows of an n8n, through its REST API, the same way on both lines. */
export class Workflows {
	constructor(
		private readonly session: Session,
		private readonly line: Line,
	) {}

	/** Stores a workflow, inactive; nodes get the IDs that the editor would give them. */
	async create(definition: WorkflowDefinition): Promise<StoredWorkflow> {
		return await this.session.call('POST', '/rest/workflows', {
			...definition,
			active: false,
			nodes: definition.nodes.map(completeNode),
			settings: { executionOrder: 'v1', ...definition.settings },
		});
	}

	async get(id: string): Promise<StoredWorkflow> {
		return await this.session.call('GET', `/rest/workflows/${id}`);
	}

	/**
	 * Saves changes as the editor does. On 1.x a change to an active workflow takes effect at once, on 2.x
	 * when it is activated again.
	 */
	async update(id: string, changes: Partial<WorkflowDefinition>): Promise<StoredWorkflow> {
		const { versionId, name, nodes, connections, settings } = await this.get(id);
		return await this.session.call('PATCH', `/rest/workflows/${id}`, {
			name,
			nodes,
			connections,
			settings,
			versionId,
			...changes,
		});
	}

	/** Saves a workflow with one node changed; give `name` to rename it (connections follow). */
	async updateNode(
		id: string,
		name: string,
		changes: Partial<NodeDefinition>,
	): Promise<StoredWorkflow> {
		const { nodes, connections } = await this.get(id);
		const renamed = changes.name ?? name;
		const text = JSON.stringify(connections).replaceAll(
			JSON.stringify(name),
			JSON.stringify(renamed),
		);
		return await this.update(id, {
			nodes: nodes.map((node) => (node.name === name ? { ...node, ...changes } : node)),
			connections: JSON.parse(text) as WorkflowDefinition['connections'],
		});
	}

	/**
	 * Switches a workflow on, in its saved version, and waits until it is on.
	 *
	 * @throws ActivationFailed with what n8n shows the user
	 */
	async activate(id: string): Promise<void> {
		const { versionId } = await this.get(id);
		await publicationOf(this.line).activate(this.session, id, versionId);
	}

	/** Switches a workflow off and waits until n8n has done what belongs to it. */
	async deactivate(id: string): Promise<void> {
		const { versionId } = await this.get(id);
		await publicationOf(this.line).deactivate(this.session, id, versionId);
	}

	/** Archives a workflow, which deactivates it. */
	async archive(id: string): Promise<void> {
		await this.session.call('POST', `/rest/workflows/${id}/archive`, {});
		await publicationOf(this.line).settled(this.session, id);
	}

	/** Deletes a workflow for good; n8n wants it archived before. */
	async delete(id: string): Promise<void> {
		const { isArchived } = await this.get(id);
		if (!isArchived) await this.archive(id);
		await this.session.call('DELETE', `/rest/workflows/${id}`);
	}

	/** Starts a workflow with the editor's button; gives the execution's ID. */
	async run(id: string, trigger: string): Promise<string> {
		const { executionId } = await this.start(id, trigger, randomUUID());
		if (!executionId) throw new Error(`n8n did not start workflow ${id} from "${trigger}".`);
		return executionId;
	}

	/**
	 * Makes a trigger node listen for a test event, as the editor's "Listen for test event" does.
	 *
	 * @returns a function that cancels listening
	 */
	async listen(id: string, trigger: string): Promise<() => Promise<void>> {
		const pushRef = randomUUID();
		const { waitingForWebhook } = await this.start(id, trigger, pushRef);
		if (!waitingForWebhook) throw new Error(`"${trigger}" of workflow ${id} does not listen.`);
		return async () => {
			await this.session.call('DELETE', `/rest/test-webhook/${id}`, undefined, {
				'push-ref': pushRef,
			});
		};
	}

	private async start(
		id: string,
		trigger: string,
		pushRef: string,
	): Promise<{ executionId?: string; waitingForWebhook?: boolean }> {
		const workflowData = await this.get(id);
		return await this.session.call(
			'POST',
			`/rest/workflows/${id}/run`,
			{ workflowData, triggerToStartFrom: { name: trigger } },
			{ 'push-ref': pushRef },
		);
	}
}
