import {
	chain,
	itemsOf,
	manualTrigger,
	N8n,
	type CredentialReference,
	type NodeDefinition,
} from '../../test/support/n8n';
import { ADDRESS, CREDENTIAL_TYPE, deploy } from '../../test/e2e/support/deployment';
import type { Sandbox } from '../../sandbox';

const HEADER_CREDENTIAL_TYPE = 'httpHeaderAuth';

/** Executions contain the long lists, so n8n needs memory. */
const ROOM_FOR_LONG_LISTS = { NODE_OPTIONS: '--max-old-space-size=8192' };

const START = 'Start';

/** A real n8n with a service. */
export interface ActionHost {
	n8n: N8n;
	sandbox: Sandbox;
	/** Our action node, for the service. */
	emailIdentity(parameters: Record<string, unknown>): NodeDefinition;
	/** n8n's HTTP Request node with its defaults, for a path of the service. */
	httpRequest(path: string): NodeDefinition;
	stop(): Promise<void>;
}

/** @param extraIdentities of the owner, beside the sandbox's own */
export async function startActionHost(extraIdentities = 0): Promise<ActionHost> {
	const n8n = await N8n.start({ release: '2', environment: ROOM_FOR_LONG_LISTS });
	try {
		const { sandbox, credential } = await deploy(n8n, 'fork', { extraIdentities });
		const header = await n8n.credentials.create(HEADER_CREDENTIAL_TYPE, {
			name: 'Authorization',
			value: `Bearer ${sandbox.accounts.owner.apiKey}`,
		});
		return {
			n8n,
			sandbox,
			emailIdentity: (parameters) => emailIdentityNode(parameters, credential),
			httpRequest: (path) => httpRequestNode(`${sandbox.baseUrl}${path}`, header),
			async stop() {
				await n8n.stop();
				await sandbox.stop();
			},
		};
	} catch (error) {
		await n8n.stop();
		throw error;
	}
}

function emailIdentityNode(
	parameters: Record<string, unknown>,
	credential: CredentialReference,
): NodeDefinition {
	return {
		name: 'Email Identity',
		type: 'n8n-nodes-email-identity.emailIdentity',
		parameters,
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
}

function httpRequestNode(url: string, header: CredentialReference): NodeDefinition {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `=${url}`,
			authentication: 'genericCredentialType',
			genericAuthType: HEADER_CREDENTIAL_TYPE,
			options: {},
		},
		credentials: { [HEADER_CREDENTIAL_TYPE]: header },
	};
}

/** @returns a node with an item for each entry of a list */
export function splitOut(name: string, fieldToSplitOut: string): NodeDefinition {
	const parameters = { fieldToSplitOut, options: {} };
	return { name, type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters };
}

/** Emails of the owner, of about 4 KB of JSON each; gives their IDs. */
export async function receiveMessages(sandbox: Sandbox, count: number): Promise<string[]> {
	const ids: string[] = [];
	for (let number = 0; number < count; number++) {
		const header = [
			'From: Ada <ada@example.com>',
			`To: ${ADDRESS}`,
			`Subject: Order ${number}`,
			`Message-ID: <${number}@example.com>`,
			'',
		];
		const line = 'Thank you for your order. Please find the invoice attached.';
		const email = [...header, ...Array<string>(20).fill(line)].join('\r\n');
		const { messages } = await sandbox.receiveMail(email, { to: ADDRESS });
		for (const { fields } of messages) ids.push(fields.id);
	}
	return ids;
}

/**
 * Stores a workflow whose nodes are measured: a start, one item for each ID, then the nodes.
 *
 * @param items how many the last node gives
 * @param ids each becomes `{{ $json.ids }}` of one item; one empty item without any
 * @returns runs it, and gives its milliseconds; rejects if it fails or gives another number of items
 */
export async function measurable(
	n8n: N8n,
	nodes: readonly [NodeDefinition, ...NodeDefinition[]],
	items: number,
	ids: readonly string[] = [],
): Promise<() => Promise<number>> {
	const before = [manualTrigger(START)];
	if (ids.length > 0) before.push(...itemFor(ids));
	const { id } = await n8n.workflows.create(chain('Measured', [...before, ...nodes]));
	const first = nodes[0].name;
	const last = nodes.at(-1)?.name ?? first;
	return async () => {
		const executionId = await n8n.workflows.run(id, START);
		const ended = await n8n.executions.ended(executionId);
		const given = itemsOf(ended, last).length;
		const begun = ended.nodes[first]?.[0];
		const done = ended.nodes[last]?.[0];
		if (given !== items || begun === undefined || done === undefined) {
			throw new Error(`${given} items came out.`);
		}
		return done.startTime + done.executionTime - begun.startTime;
	};
}

function itemFor(ids: readonly string[]): NodeDefinition[] {
	return [
		{
			name: 'IDs',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ ids }), options: {} },
		},
		splitOut('Items', 'ids'),
	];
}
