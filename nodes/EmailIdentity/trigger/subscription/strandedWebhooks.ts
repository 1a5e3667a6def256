import { parseUrl } from '../../../../lib/basics';
import type { Host } from './host';
import type { NodeSubscription } from './nodeRecord';
import type { OwnWebhooks } from './ownWebhooks';
import type { Outcome } from './reconcile';

/** Names webhooks in the log that may deliver, and that the trigger cannot or must not switch off. */
export async function nameStranded(
	host: Host,
	webhooks: OwnWebhooks,
	record: NodeSubscription,
	outcome: Outcome,
): Promise<void> {
	nameElsewhere(host, record, outcome);
	await nameFormerAccount(host, webhooks, outcome);
}

/** Someone gave the webhook another URL in the service, perhaps on purpose. */
function nameElsewhere(host: Host, { node }: NodeSubscription, { snapshot }: Outcome): void {
	const { elsewhere } = snapshot;
	if (!elsewhere || elsewhere.id === node.namedElsewhere) return;
	node.namedElsewhere = elsewhere.id;
	const place = parseUrl(elsewhere.url)?.host ?? 'an invalid URL';
	host.log(
		'warn',
		`the webhook ${elsewhere.id} of this trigger got another URL in the service and delivers to ${place}. The trigger does ` +
			'not change it: if nobody wants this, delete it in the service.',
	);
}

/** With the former API key, the trigger lost its access to the webhook of the former account. */
async function nameFormerAccount(
	host: Host,
	webhooks: OwnWebhooks,
	{ kept, done }: Outcome,
): Promise<void> {
	const { stored } = webhooks.target;
	if (!stored?.ownerId || stored.retired) return;
	const { id, ownerId } = stored;
	const isReached = kept?.id === id || done.some((action) => 'id' in action && action.id === id);
	if (isReached || ownerId === (await webhooks.ownerId())) return;
	host.log(
		'warn',
		`the credential now belongs to another account. The trigger can no longer switch off the webhook ${id} of the ` +
			`former account (user ${ownerId}): delete it there.`,
	);
}
