import type { INodeType } from 'n8n-workflow';

const NODES = [
	['EmailIdentity', '../../../nodes/EmailIdentity/EmailIdentity.node'],
	['EmailIdentityTrigger', '../../../nodes/EmailIdentity/EmailIdentityTrigger.node'],
] as const;

/** Makes a node as n8n does at its start, in an n8n that has these names for kinds of connections. */
async function load(
	className: string,
	path: string,
	names: object | undefined,
): Promise<INodeType> {
	jest.resetModules();
	jest.doMock('n8n-workflow', () => ({
		...jest.requireActual<object>('n8n-workflow'),
		NodeConnectionTypes: names,
	}));
	const nodes = (await import(path)) as Record<string, new () => INodeType>;
	return new nodes[className]!();
}

describe.each(NODES)('%s', (className, path) => {
	it('says in an n8n that is too old which one it needs', async () => {
		await expect(load(className, path, undefined)).rejects.toThrow(
			/^n8n-nodes-email-identity needs n8n [\d.]+ or later: update n8n/,
		);
	});

	it('is connected as other nodes are', async () => {
		const { description } = await load(className, path, { Main: 'main' });
		expect(description.outputs).toEqual(['main']);
	});
});
