import { createHash } from 'node:crypto';
import type {
	IConnections,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IRunData,
	ITaskData,
	NodeConnectionType,
	OnError,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

export interface TestCredential {
	baseUrl: string;
	apiKey: string;
	allowPrivateWebhookUrls?: boolean;
}

/** A node of the workflow that has run before the node under test, or has not. */
export interface OtherNode {
	name: string;
	/** Any name of a node type. */
	type: string;
	/** What it put out in this execution; absent if it did not run. */
	items?: INodeExecutionData[];
	/** The nodes that its inputs got their items from; default: none, as for a trigger. */
	sources?: string[];
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
	/** How often n8n runs the node if it fails, by Retry On Fail; default: once. */
	maxTries?: number;
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
	/** Nodes beside the start node and the node under test, which do not run themselves; default: none. */
	others?: OtherNode[];
	/** As `From > To`, or `From > To: ai_tool`; default: from the start node to the node under test. */
	connections?: string[];
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

/** A node type that hands over its items. */
const plainType = (name: string): INodeType => ({
	description: {
		displayName: name,
		name,
		group: ['trigger'],
		version: 1,
		description: 'Hands over the items of the test',
		defaults: { name },
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
});

/** n8n's register of node types with the node under test, a start node and the others in it. */
function nodeTypesOf({ type, others = [] }: NodeSetup): INodeTypes {
	const names = [START_NODE_TYPE, ...others.map((other) => other.type)];
	const types = new Map(names.map((name) => [name, plainType(name)]));
	types.set(type.description.name, type);
	const find = (name: string): INodeType => {
		const found = types.get(name);
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
	const { maxTries = 1 } = setup;
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
		retryOnFail: maxTries > 1,
		maxTries,
		waitBetweenTries: 0,
		credentials:
			credential &&
			Object.fromEntries(credentials.map((each) => [each.name, credentialReference(credential)])),
	};
}

function plainNode(name: string, type: string): INode {
	return { id: `id of ${name}`, name, type, typeVersion: 1, position: [0, 0], parameters: {} };
}

const CONNECTION = /^(.+) > (.+?)(?:: (\w+))?$/;

function toConnections(lines: string[]): IConnections {
	const connections: IConnections = {};
	for (const line of lines) {
		const [, from = '', node = '', type = 'main'] = CONNECTION.exec(line) ?? [];
		const [targets = []] = ((connections[from] ??= {})[type] ??= [[]]);
		targets?.push({ node, type: type as NodeConnectionType, index: 0 });
	}
	return connections;
}

/** A workflow of a start node, the node under test and the others, which n8n completes with parameter defaults. */
export function buildWorkflow(setup: NodeSetup): BuiltWorkflow {
	if (!setup.publication) return newWorkflow(setup);
	setup.publication.built ??= newWorkflow(setup);
	return setup.publication.built;
}

function newWorkflow(setup: NodeSetup): BuiltWorkflow {
	const node = buildNode(setup);
	const start = plainNode('Start', START_NODE_TYPE);
	const others = (setup.others ?? []).map(({ name, type }) => plainNode(name, type));
	const workflow = new Workflow({
		id: setup.workflow?.id ?? 'workflow-1',
		name: setup.workflow?.name ?? 'Workflow of the test',
		active: setup.workflow?.active ?? false,
		nodes: [start, node, ...others],
		connections: toConnections(setup.connections ?? [`Start > ${node.name}`]),
		nodeTypes: nodeTypesOf(setup),
		settings: { executionOrder: 'v1' },
		staticData: { [`node:${node.name}`]: structuredClone(setup.staticData ?? {}) },
	});
	return { workflow, node: workflow.getNode(node.name) ?? node };
}

/** The node's static data as n8n would save them now. */
export const staticDataOf = (workflow: Workflow, node: INode): IDataObject =>
	JSON.parse(JSON.stringify(workflow.staticData[`node:${node.name}`] ?? {})) as IDataObject;

/** What n8n knows of the nodes that ran before the node under test. */
export function runDataOf(setup: NodeSetup, itemsOfStart: INodeExecutionData[]): IRunData {
	const runData: IRunData = { Start: [taskWith(itemsOfStart)] };
	for (const { name, items, sources } of setup.others ?? []) {
		if (items !== undefined) runData[name] = [taskWith(items, sources)];
	}
	return runData;
}

function taskWith(items: INodeExecutionData[], sources: string[] = []): ITaskData {
	return {
		startTime: Date.now(),
		executionIndex: 0,
		executionTime: 0,
		executionStatus: 'success',
		source: sources.map((previousNode) => ({ previousNode })),
		data: { main: [items] },
	};
}
