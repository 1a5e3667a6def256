/** n8n-core in process: runs this package's nodes in n8n's own contexts, without an n8n. */
export {
	runNode,
	startNode,
	type ExecuteSetup,
	type NodeRun,
	type RunningNode,
} from './executeNode';
export { logLinesSince, logPosition, type LogLine } from './logLines';
export {
	executeContext,
	hookContext,
	loadOptionsContext,
	searchList,
	triggerContext,
	type HookSetup,
	type Rigged,
	type RiggedTrigger,
} from './nodeContexts';
export type { NodeSetup, RigCredential } from './nodeSetup';
export { forbidPrivateNetworks } from './privateNetworks';
export {
	startWebhookHost,
	type DeliveryOutcome,
	type WebhookHost,
	type WebhookHostSetup,
} from './webhookHost';
