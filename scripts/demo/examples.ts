import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { completeNode, projectFolder } from '../../test/support/n8n';
import type {
	CredentialReference,
	N8n,
	NodeDefinition,
	StoredWorkflow,
	WorkflowDefinition,
} from '../../test/support/n8n';

const PACKAGE_PREFIX = 'n8n-nodes-email-identity.';
const CREDENTIAL = 'emailIdentityApi';

/** n8n's home folder in Docker, which is where the examples save files. */
export const HOME_IN_DOCKER = '/home/node';

/** A workflow that is shipped. */
export interface Example {
	/** Of its folder; a second workflow in there adds the name of its file. */
	name: string;
	workflow: WorkflowDefinition;
}

/** The workflows in `examples/`, as they are shipped. */
export async function readExamples(): Promise<Example[]> {
	const examples = join(projectFolder, 'examples');
	const files = await readdir(examples, { recursive: true });
	return await Promise.all(
		files
			.filter((file) => file.endsWith('.json'))
			.sort()
			.map(async (file) => ({
				name: file.replace(/[/\\]workflow\.json$|\.json$/, '').replace(/[/\\]/, '-'),
				workflow: JSON.parse(await readFile(join(examples, file), 'utf8')) as WorkflowDefinition,
			})),
	);
}

/**
 * Stores a workflow in n8n with the credential set in every node that needs it.
 *
 * @param home where its files are kept; the folder of that n8n unless given
 */
export async function importExample(
	n8n: N8n,
	{ workflow }: Example,
	credential: CredentialReference,
	home = n8n.userFolder,
): Promise<StoredWorkflow> {
	const { name, connections, settings } = workflow;
	const nodes = withFilesIn(home, workflow.nodes);
	return await n8n.workflows.create({
		name,
		connections,
		settings,
		nodes: nodes.map((node, index) => withCredential(completeNode(node, index), credential)),
	});
}

function withFilesIn(home: string, nodes: NodeDefinition[]): NodeDefinition[] {
	const path = JSON.stringify(home).slice(1, -1);
	return JSON.parse(JSON.stringify(nodes).replaceAll(HOME_IN_DOCKER, path)) as NodeDefinition[];
}

/** Makes the one folder that n8n 2 lets workflows write files into, as long as `N8N_RESTRICT_FILE_ACCESS_TO` is not set. */
export async function makeFilesFolder({ userFolder }: N8n): Promise<string> {
	const folder = join(userFolder, '.n8n-files');
	await mkdir(folder, { recursive: true });
	return folder;
}

function withCredential(node: NodeDefinition, credential: CredentialReference): NodeDefinition {
	const needsIt = node.type.startsWith(PACKAGE_PREFIX) || node.credentials?.[CREDENTIAL];
	if (!needsIt) return node;
	return { ...node, credentials: { ...node.credentials, [CREDENTIAL]: credential } };
}
