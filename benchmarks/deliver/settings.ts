/** The settings of n8n that deliveries are measured under. */
export const SETTINGS: { label: string; environment: Record<string, string> }[] = [
	{ label: 'n8n’s defaults', environment: {} },
	{
		label: 'expression engine acquired lazily',
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	},
];
