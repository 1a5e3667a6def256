import { parseUrl } from '../../../../lib/basics';
import type { HookHost } from '../hooks/hookHost';
import type { OwnWebhooks, Snapshot } from './ownWebhooks';
import type { Outcome } from './reconcile';

/** Names the webhook in n8n's log to which someone gave another URL in the service, perhaps on purpose. */
export function nameElsewhere(host: HookHost, webhooks: OwnWebhooks, snapshot: Snapshot): void {
	const { node } = webhooks.record;
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

/** Names the webhook of the former account in n8n's log: with its API key, the trigger lost its access. */
export async function nameFormerAccount(
	host: HookHost,
	webhooks: OwnWebhooks,
	{ kept, done }: Outcome,
): Promise<void> {
	const { stored } = webhooks.target;
	if (!stored?.ownerId || stored.retired) return;
	const { id, ownerId } = stored;
	const isReached = kept?.id === id || done.some((action) => 'id' in action && action.id === id);
	if (isReached) return;
	const isSameAccount = ownerId === (await webhooks.service.ownerId());
	if (isSameAccount) return;
	host.log(
		'warn',
		`the credential now belongs to another account. The trigger can no longer switch off the webhook ${id} of the ` +
			`former account (user ${ownerId}): delete it there.`,
	);
}
