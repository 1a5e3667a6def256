import { parseUrl } from '../../../../lib/basics';
import type { HookHost } from '../state/hookRequest';
import type { OwnWebhooks, Snapshot } from './ownWebhooks';
import type { Outcome } from './reconcile';

/** Logs that someone changed the URL of a webhook in the service, perhaps on purpose. */
export function logChangedUrl(host: HookHost, webhooks: OwnWebhooks, snapshot: Snapshot): void {
	const { node } = webhooks.record;
	const { withChangedUrl } = snapshot;
	if (!withChangedUrl || withChangedUrl.id === node.loggedWithChangedUrl) return;
	node.loggedWithChangedUrl = withChangedUrl.id;
	const place = parseUrl(withChangedUrl.url)?.host ?? 'an invalid URL';
	host.log(
		'warn',
		`the webhook ${withChangedUrl.id} of this trigger got another URL in the service and delivers to ${place}. The trigger does ` +
			'not change it: if nobody wants this, delete it in the service.',
	);
}

/** Logs which webhook of a former account may still deliver. The trigger lost access to it with the API key of that account. */
export async function logFormerAccount(
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
