test.each([
	['EmailIdentity', '../../../nodes/EmailIdentity/EmailIdentity.node'],
	['EmailIdentityTrigger', '../../../nodes/EmailIdentity/EmailIdentityTrigger.node'],
])('in an n8n that is too old, %s says which one it needs', async (className, path) => {
	jest.resetModules();
	jest.doMock('n8n-workflow', () => ({
		...jest.requireActual<object>('n8n-workflow'),
		NodeConnectionTypes: undefined,
	}));
	const nodes = (await import(path)) as Record<string, new () => unknown>;

	expect(() => new nodes[className]!()).toThrow(
		/^n8n-nodes-email-identity needs n8n [\d.]+ or later: update n8n/,
	);
});
