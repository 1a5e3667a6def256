/** The settings of n8n that deliveries are measured under. */
export const SETTINGS: {
	label: string;
	environment: Record<string, string>;
	/** n8n prepares a sandbox for expressions at each delivery, for every node but its own Webhook node. */
	sparesOwnNode: boolean;
}[] = [
	{ label: 'by default', environment: {}, sparesOwnNode: true },
	{
		label: 'lazy expression engine',
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		sparesOwnNode: false,
	},
];
