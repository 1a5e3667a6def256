import { ExecutionLifecycleHooks } from 'n8n-core';
import type {
	IRun,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { credentialsHelperFor } from './credentialsHelper';
import type { NodeSetup } from './nodeSetup';

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
