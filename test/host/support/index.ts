/** n8n-core in process: runs this package's nodes in n8n's own contexts, without an n8n. */
export { runNode, startNode, type ExecuteSetup, type NodeRun } from './executeNode';
export { logLinesSince, logPosition } from './logLines';
export {
	executeContext,
	hookContext,
	searchList,
	triggerContext,
	type HookSetup,
} from './nodeContexts';
export { startWebhookHost, type WebhookHost, type WebhookHostSetup } from './webhookHost';
export { runToWait, type WaitingAnswer, type WaitingRun } from './waitingNode';
