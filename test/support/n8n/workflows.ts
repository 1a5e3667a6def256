import { randomUUID } from 'node:crypto';
import type { Line } from './host';
import { RestError } from './session';
import type { Session } from './session';
import { GiveUp, until } from './until';
import { completeNode } from './workflowDefinition';
import type { NodeDefinition, WorkflowDefinition } from './workflowDefinition';

export interface StoredWorkflow extends WorkflowDefinition {
	id: string;
	versionId: string;
	active: boolean;
	isArchived?: boolean;
}

/** n8n could not publish a workflow; the message is what it shows the user. */
export class ActivationFailed extends Error {
	override name = 'ActivationFailed';
}

interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: { nodeId: string; status: string; errorMessage: string | null }[];
}

/** The words of the trigger at the deadline of publishing or listening. */
const TOOK_TOO_LONG = /The service took too long to respond/;

const MAX_ATTEMPTS = 5;

/** Tries again, as people would, if the machine is so busy that the trigger gives up its service. */
async function onBusyMachine<T>(work: () => Promise<T>): Promise<T> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await work();
		} catch (error) {
			const isTooSlow = TOOK_TOO_LONG.test((error as Error).message);
			if (!isTooSlow || attempt === MAX_ATTEMPTS) throw error;
		}
	}
}

/** Workflows of an n8n, the same way on both lines. */
export class Workflows {
	constructor(
		private readonly session: Session,
		private readonly line: Line,
	) {}

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
		return await this.patch(id, { name, nodes, connections, settings, versionId, ...changes });
	}

	/** Saves a workflow with one node changed; with `name` it is renamed, in connections too. */
	async updateNode(id: string, name: string, changes: Partial<NodeDefinition>) {
		const { nodes, connections } = await this.get(id);
		const [before, after] = [name, changes.name ?? name].map((one) => JSON.stringify(one));
		const renamed = JSON.stringify(connections).replaceAll(before!, after!);
		return await this.update(id, {
			nodes: nodes.map((node) => (node.name === name ? { ...node, ...changes } : node)),
			connections: JSON.parse(renamed) as WorkflowDefinition['connections'],
		});
	}

	/**
	 * Publishes the saved version of a workflow, and waits until it is active.
	 *
	 * @throws ActivationFailed with what n8n shows the user
	 */
	async activate(id: string): Promise<void> {
		await onBusyMachine(async () => await this.publish(id));
	}

	/** 2.x answers before the workflow is active. */
	private async publish(id: string): Promise<void> {
		const { versionId } = await this.get(id);
		try {
			if (this.line === '1') await this.patch(id, { active: true, versionId });
			else await this.session.call('POST', `/rest/workflows/${id}/activate`, { versionId });
		} catch (error) {
			if (error instanceof RestError) throw new ActivationFailed(error.message);
			throw error;
		}
		await this.settled(id, ({ status, triggers }) => {
			if (status === 'failed' || status === 'partial') {
				const reasons = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
				throw new GiveUp(new ActivationFailed(reasons.join('; ')));
			}
			return status === 'published';
		});
	}

	async deactivate(id: string): Promise<void> {
		const { versionId } = await this.get(id);
		if (this.line === '1') await this.patch(id, { active: false, versionId });
		else await this.session.call('POST', `/rest/workflows/${id}/deactivate`, {});
		await this.settled(id);
	}

	async publication(id: string): Promise<PublicationStatus> {
		return await this.session.call('GET', `/rest/workflows/${id}/publication-status`);
	}

	private async settled(
		id: string,
		isDone = ({ status }: PublicationStatus) => status !== 'in_progress',
	): Promise<void> {
		if (this.line === '1') return;
		await until(`workflow ${id} is published or unpublished`, async () => {
			try {
				return isDone(await this.publication(id));
			} catch (error) {
				// Earlier releases of 2.x publish before they answer, and do not have this address.
				if (error instanceof RestError && error.status === 404) return true;
				throw error;
			}
		});
	}

	private async patch(id: string, changes: object): Promise<StoredWorkflow> {
		return await this.session.call('PATCH', `/rest/workflows/${id}`, changes);
	}

	async archive(id: string): Promise<void> {
		await this.session.call('POST', `/rest/workflows/${id}/archive`, {});
		await this.settled(id);
	}

	/** Deletes a workflow for good; n8n requires that it was archived before. */
	async delete(id: string): Promise<void> {
		const { isArchived } = await this.get(id);
		if (!isArchived) await this.archive(id);
		await this.session.call('DELETE', `/rest/workflows/${id}`);
	}

	/** Starts a workflow with the editor's button. @returns the execution's ID */
	async run(id: string, trigger: string): Promise<string> {
		const { executionId } = await this.start(id, trigger, randomUUID());
		if (!executionId) throw new Error(`n8n did not start workflow ${id} from "${trigger}".`);
		return executionId;
	}

	/** Clicks "Listen for test event". @returns a function that cancels */
	async listen(id: string, trigger: string): Promise<() => Promise<void>> {
		const pushRef = randomUUID();
		const { waitingForWebhook } = await onBusyMachine(
			async () => await this.start(id, trigger, pushRef),
		);
		if (!waitingForWebhook) throw new Error(`"${trigger}" of workflow ${id} does not listen.`);
		const headers = { 'push-ref': pushRef };
		return async () =>
			await this.session.call('DELETE', `/rest/test-webhook/${id}`, undefined, headers);
	}

	private async start(id: string, trigger: string, pushRef: string) {
		type Started = { executionId?: string; waitingForWebhook?: boolean };
		const body = { workflowData: await this.get(id), triggerToStartFrom: { name: trigger } };
		const headers = { 'push-ref': pushRef };
		return await this.session.call<Started>('POST', `/rest/workflows/${id}/run`, body, headers);
	}
}
