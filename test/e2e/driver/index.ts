export { N8n } from './n8n';
export type { StartOptions } from './n8n';
export { until } from './until';
export { freePort } from './freePort';
export * from './host';
export { HostProcess, OutputLog, PortTaken } from './hostProcess';
export {
	announcedDefaults,
	environmentFor,
	PROTECTED,
	WITH_THIS_MACHINE_ALLOWED,
} from './environment';
export { OWNER, RestError, Session } from './session';
export type { CredentialReference, CredentialTestResult } from './credentials';
export { itemsOf } from './executions';
export type { BinaryFile, Execution, ExecutionSummary, Item, NodeRun } from './executions';
export { chain, completeNode, manualTrigger } from './workflowDefinition';
export type { Connections, NodeDefinition, WorkflowDefinition } from './workflowDefinition';
export { ActivationFailed } from './workflows';
export type { StoredWorkflow } from './workflows';
