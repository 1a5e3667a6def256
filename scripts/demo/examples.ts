import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { completeNode, projectFolder } from '../../test/e2e/driver';
import type {
	CredentialReference,
	N8n,
	NodeDefinition,
	StoredWorkflow,
	WorkflowDefinition,
} from '../../test/e2e/driver';

const PACKAGE_PREFIX = 'n8n-nodes-email-identity.';
const CREDENTIAL = 'emailIdentityApi';

/** Node types that start a workflow by themselves, unlike the editor's button. */
const STARTS_BY_ITSELF = /trigger$|\.webhook$/i;
const STARTED_BY_HAND = 'n8n-nodes-base.manualTrigger';

/** The workflows in `examples/`, as they are shipped. */
export async function readExamples(): Promise<WorkflowDefinition[]> {
	const folder = join(projectFolder, 'examples');
	const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
	return await Promise.all(
		files.map(
			async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as WorkflowDefinition,
		),
	);
}

/** Stores a workflow in n8n with the credential set in every node that needs it. */
export async function importExample(
	n8n: N8n,
	example: WorkflowDefinition,
	credential: CredentialReference,
): Promise<StoredWorkflow> {
	const { name, connections, settings, nodes } = example;
	return await n8n.workflows.create({
		name,
		connections,
		settings,
		nodes: nodes.map((node, index) => withCredential(completeNode(node, index), credential)),
	});
}

/** Whether a workflow can be switched on with nothing but this package's credential. */
export function canBeActivated({ nodes }: WorkflowDefinition): boolean {
	return nodes.some(startsByItself) && !nodes.some(needsAnotherCredential);
}

/** The node that starts a workflow when an email comes in, if there is one. */
export function emailTriggerOf({ nodes }: WorkflowDefinition): NodeDefinition | undefined {
	return nodes.find(({ type }) => type === `${PACKAGE_PREFIX}emailIdentityTrigger`);
}

function withCredential(node: NodeDefinition, credential: CredentialReference): NodeDefinition {
	const needsIt = node.type.startsWith(PACKAGE_PREFIX) || node.credentials?.[CREDENTIAL];
	if (!needsIt) return node;
	return { ...node, credentials: { ...node.credentials, [CREDENTIAL]: credential } };
}

function startsByItself({ type, disabled }: NodeDefinition): boolean {
	return STARTS_BY_ITSELF.test(type) && type !== STARTED_BY_HAND && !disabled;
}

function needsAnotherCredential({ credentials = {} }: NodeDefinition): boolean {
	return Object.keys(credentials).some((type) => type !== CREDENTIAL);
}
