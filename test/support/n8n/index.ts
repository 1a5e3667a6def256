export { N8n, type StartOptions } from './n8n';
export { until } from './until';
export { freePort } from './freePort';
export * from './host';
export { startHostProcess } from './hostProcess';
export {
	announcedDefaults,
	environmentFor,
	PROTECTED,
	WITH_THIS_MACHINE_ALLOWED,
} from './environment';
export { OWNER } from './session';
export type { CredentialReference } from './credentials';
export { itemsOf } from './executions';
export type { Execution, Item } from './executions';
export { chain, completeNode, manualTrigger } from './workflowDefinition';
export type { NodeDefinition, WorkflowDefinition } from './workflowDefinition';
export { ActivationFailed } from './workflows';
export type { StoredWorkflow } from './workflows';
