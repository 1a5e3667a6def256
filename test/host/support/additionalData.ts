import { ExecutionLifecycleHooks } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
	IRun,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { EmailIdentityApi } from '../../../credentials/EmailIdentityApi.credentials';
import type { NodeSetup, TestCredential } from './nodeSetup';

const BASE_URL = 'http://localhost:5678';

/**
 * What n8n knows around a node: addresses, credentials, hooks. Every address must be a real URL, or
 * n8n's expressions throw.
 */
export function buildAdditionalData(
	setup: NodeSetup,
	workflow: Workflow,
	mode: WorkflowExecuteMode,
	onFinish?: (run: IRun) => void,
): IWorkflowExecuteAdditionalData {
	// What is done with the workflow is up to the handlers, and there is only this one.
	const workflowData = workflow as unknown as IWorkflowBase;
	const hooks = new ExecutionLifecycleHooks(mode, 'execution-1', workflowData);
	if (onFinish !== undefined) hooks.addHandler('workflowExecuteAfter', (run) => onFinish(run));
	const data = {
		credentialsHelper: credentialsHelperFor(setup.credential),
		executionId: 'execution-1',
		currentNodeExecutionIndex: 0,
		restApiUrl: `${BASE_URL}/rest`,
		instanceBaseUrl: `${BASE_URL}/`,
		formBaseUrl: `${BASE_URL}/form`,
		formWaitingBaseUrl: `${BASE_URL}/form-waiting`,
		formTestBaseUrl: `${BASE_URL}/form-test`,
		webhookBaseUrl: setup.webhookBaseUrl ?? `${BASE_URL}/webhook`,
		webhookWaitingBaseUrl: `${setup.webhookBaseUrl ?? `${BASE_URL}/webhook`}-waiting`,
		webhookTestBaseUrl: setup.webhookTestBaseUrl ?? `${BASE_URL}/webhook-test`,
		mcpBaseUrl: `${BASE_URL}/mcp`,
		mcpTestBaseUrl: `${BASE_URL}/mcp-test`,
		variables: {},
		logAiEvent: () => {},
		hooks,
		workflowSettings: workflow.settings,
	};
	// The rest is needed by sub-workflows, task runners, agents and chats only.
	return data as unknown as IWorkflowExecuteAdditionalData;
}

type Authenticate = Extract<EmailIdentityApi['authenticate'], (...given: never) => unknown>;

/** Hands out the credential of the test and applies the credential type's own `authenticate`, as n8n's helper does. */
function credentialsHelperFor(credential: TestCredential | undefined): ICredentialsHelper {
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
			if (credential === undefined) throw new Error('The test gave the node no credential');
			return await Promise.resolve({ allowPrivateWebhookUrls: false, ...credential });
		},
		async authenticate(given, _type, request) {
			const authenticate = new EmailIdentityApi().authenticate as Authenticate;
			return await authenticate(given, request as IHttpRequestOptions);
		},
		preAuthentication: async () => await Promise.resolve(undefined),
	};
	// The rest is for OAuth and for stored credentials.
	return helper as ICredentialsHelper;
}
