import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

import { EmailIdentity } from '../../../../nodes/EmailIdentity/EmailIdentity.node';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../../sandbox';
import { runNode, type ExecuteSetup, type NodeRun } from '../../support';

export const actionNode = new EmailIdentity();

/** The node in an n8n whose context differs. */
export const nodeIn = (differences: (context: IExecuteFunctions) => object): INodeType =>
	Object.assign(Object.create(actionNode) as INodeType, {
		async execute(this: IExecuteFunctions) {
			const context = Object.create(this) as IExecuteFunctions;
			return await actionNode.execute.call(Object.assign(context, differences(this)));
		},
	});

/** The node as a tool of an agent, as n8n's `convertNodeToAiTool` and `convertNodeToHitlTool` name it. */
export const actionNodeAs = (suffix: 'HitlTool' | 'Tool'): INodeType =>
	Object.assign(Object.create(actionNode) as INodeType, {
		description: { ...actionNode.description, name: `${actionNode.description.name}${suffix}` },
	});

/** The service of the test that runs. */
export let sandbox: Sandbox;

/** Starts a sandbox for each test. */
export function useSandbox(options?: SandboxOptions): void {
	beforeEach(async () => void (sandbox = await startSandbox(options)));
	afterEach(async () => await sandbox.stop());
}

export async function useAnotherSandbox(options: SandboxOptions): Promise<void> {
	await sandbox.stop();
	sandbox = await startSandbox(options);
}

/** The ID of an identity of the sandbox. */
export const idOf = (value: string): string =>
	sandbox.dumpState().identities.find((identity) => identity.value === value)!.id;

/** Has the service receive an email. @returns the ID of the message */
export const receive = async (rawEmail: string): Promise<string> => {
	const { messages } = await sandbox.receiveMail(rawEmail, {
		to: 'sales@example.test',
		deliver: false,
	});
	return messages[0]!.fields.id;
};

/** The credential of the sandbox's owner. */
export const ownerCredential = (allowPrivateWebhookUrls = false) => ({
	baseUrl: sandbox.baseUrl,
	apiKey: sandbox.accounts.owner.apiKey,
	allowPrivateWebhookUrls,
});

/**
 * Runs one operation against the sandbox, for one empty item unless told otherwise.
 *
 * @param name its resource and operation, as `identity getAll`
 */
export async function run(
	name: string,
	parameters: INodeParameters = {},
	more: Partial<ExecuteSetup> = {},
): Promise<NodeRun> {
	const [resource = '', operation = ''] = name.split(' ');
	return await runNode({
		type: actionNode,
		credential: more.credential ?? ownerCredential(),
		parameters: { resource, operation, ...parameters },
		...more,
	});
}

/** The JSON of the items of the first output; fails with the node's error when there is one. */
export function jsonOf({ outputs, error }: NodeRun): Array<INodeExecutionData['json']> {
	if (error !== undefined) throw error;
	return (outputs[0] ?? []).map(({ json }) => json);
}

/** What a drop-down stores for a chosen entry. */
export const chosen = (value: string, mode = 'id') => ({ __rl: true, mode, value });

/** Input items with these fields. */
export const itemsOf = (...fields: Array<INodeExecutionData['json']>) => ({
	items: fields.map((json) => ({ json })),
});

/** The requests that the sandbox got, as `GET /me`. */
export const requestLines = (): string[] =>
	sandbox.requests().map(({ method, path }) => `${method} ${path}`);
