import { createHash } from 'node:crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeParameters,
	INodeType,
	INodeTypes,
	OnError,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

export interface TestCredential {
	baseUrl: string;
	apiKey: string;
	allowPrivateWebhookUrls?: boolean;
}

/** One node of one workflow in one n8n, as a test wants it. */
export interface NodeSetup {
	/** The node under test, `new EmailIdentity()` for instance. */
	type: INodeType;
	parameters?: INodeParameters;
	credential?: TestCredential;
	/** The node's name on the canvas; static data are kept under it. */
	name?: string;
	webhookId?: string;
	onError?: OnError;
	mode?: WorkflowExecuteMode;
	/** True for listening for a test event: the test address is handed out, and deliveries come in mode `manual`. */
	isTest?: boolean;
	workflow?: { id?: string; name?: string; active?: boolean };
	/** The node's static data as the database has them; never changed, read them back from the result. */
	staticData?: IDataObject;
	/** Ends in a slash in no case; n8n's own default is `http://localhost:5678/webhook`. */
	webhookBaseUrl?: string;
	webhookTestBaseUrl?: string;
	/** What `getInstanceId()` answers. */
	instanceId?: string;
	/** The hooks of one publishing: n8n 2.x hands all of them the workflow that it built for the first one. */
	publication?: { built?: BuiltWorkflow };
}

export interface BuiltWorkflow {
	workflow: Workflow;
	node: INode;
}

/** Each credential that a test fills in is another one of n8n's. Its ID stands in errors, where no key may. */
const credentialReference = ({ baseUrl, apiKey }: TestCredential) => ({
	id: createHash('sha256').update(`${baseUrl} ${apiKey}`).digest('hex').slice(0, 16),
	name: 'Credential of the test',
});

const START_NODE_TYPE = 'test.start';

const startNode: INodeType = {
	description: {
		displayName: 'Start',
		name: START_NODE_TYPE,
		group: ['trigger'],
		version: 1,
		description: 'Hands over the items of the test',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** n8n's register of node types with the node under test and a start node in it. */
function nodeTypesOf(type: INodeType): INodeTypes {
	const byName: Record<string, INodeType> = {
		[type.description.name]: type,
		[START_NODE_TYPE]: startNode,
	};
	const find = (name: string): INodeType => {
		const found = byName[name];
		if (found === undefined) throw new Error(`There is no node type ${name}`);
		return found;
	};
	return {
		getByName: find,
		getByNameAndVersion: find,
		getKnownTypes: () => ({}),
	};
}

function buildNode(setup: NodeSetup): INode {
	const { type, name = 'Node Under Test', parameters = {}, webhookId, onError, credential } = setup;
	const credentials = type.description.credentials ?? [];
	return {
		id: 'b3d4c6a2-6a5c-4df6-9c80-8ad9fbb0d6a1',
		name,
		type: type.description.name,
		typeVersion: [type.description.version].flat()[0] ?? 1,
		position: [200, 0],
		parameters,
		webhookId,
		onError,
		credentials:
			credential &&
			Object.fromEntries(credentials.map((each) => [each.name, credentialReference(credential)])),
	};
}

/** A workflow of a start node and the node under test, which n8n completes with parameter defaults. */
export function buildWorkflow(setup: NodeSetup): BuiltWorkflow {
	if (!setup.publication) return newWorkflow(setup);
	setup.publication.built ??= newWorkflow(setup);
	return setup.publication.built;
}

function newWorkflow(setup: NodeSetup): BuiltWorkflow {
	const node = buildNode(setup);
	const start: INode = {
		id: 'e7a2a6f8-63a1-46c5-b163-5e02a7a7de0b',
		name: 'Start',
		type: START_NODE_TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const workflow = new Workflow({
		id: setup.workflow?.id ?? 'workflow-1',
		name: setup.workflow?.name ?? 'Workflow of the test',
		active: setup.workflow?.active ?? false,
		nodes: [start, node],
		connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		nodeTypes: nodeTypesOf(setup.type),
		settings: { executionOrder: 'v1' },
		staticData: { [`node:${node.name}`]: structuredClone(setup.staticData ?? {}) },
	});
	return { workflow, node: workflow.getNode(node.name) ?? node };
}

/** The node's static data as n8n would save them now. */
export const staticDataOf = (workflow: Workflow, node: INode): IDataObject =>
	JSON.parse(JSON.stringify(workflow.staticData[`node:${node.name}`] ?? {})) as IDataObject;
