import { auditOptionsField, readReportOptions } from '../auditOptions';
import { report } from '../auditReport';
import type { Severity } from '../findings';
import type { Operation } from '../operation';

/** Notes are shown by default: one is that a service may refuse a private URL, although the credential allows it. */
const DEFAULT_SEVERITY: Severity = 'info';

/**
 * Checks the webhooks that the service lists, and whether this n8n's own triggers answer. It changes no webhook and starts no
 * workflow.
 */
export const auditWebhooks: Operation = {
	name: 'Audit',
	value: 'audit',
	description: 'Check whether each webhook can receive events',
	action: 'Audit webhooks',
	fields: [auditOptionsField('webhooks', DEFAULT_SEVERITY)],
	async execute(item) {
		const options = readReportOptions(item, DEFAULT_SEVERITY);
		const { examineWebhooks } = await import('./examineWebhooks');
		return report(await examineWebhooks(item), options);
	},
};
