import type { IExecuteFunctions, INodeType, INodeTypes } from 'n8n-workflow';

export const START_NODE_TYPE = 'test.start';

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
export function nodeTypesOf(type: INodeType): INodeTypes {
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
