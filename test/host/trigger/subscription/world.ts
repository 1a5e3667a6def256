import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	startSandbox,
	type DialectName,
	type Sandbox,
	type StoredIdentity,
	type StoredWebhook,
} from '../../../../sandbox';

/** The trigger node of a workflow, as one version of the workflow has it. */
export interface TriggerNode {
	name: string;
	webhookId: string;
	parameters: INodeParameters;
	/** Which credential of its n8n it uses. */
	credential: 'first' | 'second';
}

/** A workflow as the database of an n8n has it. */
export interface StoredWorkflow {
	id: string;
	name: string;
	/** As saved in the editor. */
	draft: TriggerNode;
	/** As activated; undefined while inactive. */
	published?: TriggerNode;
	/** By node name, as n8n keys them. */
	staticData: Record<string, IDataObject>;
}

export type AccountName = 'owner' | 'other';

/** The service and the clock that all n8n of a test share. */
export interface World {
	sandbox: Sandbox;
	/** All that there were in the beginning. */
	identities: readonly StoredIdentity[];
	/** Milliseconds since 1970. */
	now: number;
	/** What happened so far, for the reader of a failure. */
	story: string[];
}

/** Subscriptions that no trigger node made: eight of other integrations, five that look like a node's own. */
export function foreignSubscriptions(webhookId: string): Array<{ url: string }> {
	return [
		...Array.from({ length: 8 }, (_, index) => ({ url: `https://crm.example/hooks/${index}` })),
		{ url: `https://first.example/webhook/${webhookId}/webhook/archive` },
		{ url: `https://elsewhere.example/webhook/${webhookId}/webhook` },
		{ url: 'https://gateway.example/in/a?key=own%20key' },
		{ url: 'https://gateway.example/in/a?key=own%20key&token=of-somebody' },
		{ url: `https://gateway.example/in/a?key=own%20key&node=${webhookId}&token=of-somebody` },
	];
}

export async function startWorld(dialect: DialectName): Promise<World> {
	const sandbox = await startSandbox({ dialect, recordings: 1000 });
	const { identities } = sandbox.dumpState();
	return { sandbox, identities, now: Date.parse('2026-01-01T00:00:00Z'), story: [] };
}

/** Subscriptions by ID, for comparing. */
export function subscriptionsById({ sandbox }: World): Map<string, StoredWebhook> {
	return new Map(sandbox.webhooks().map((webhook) => [webhook.id, webhook]));
}
