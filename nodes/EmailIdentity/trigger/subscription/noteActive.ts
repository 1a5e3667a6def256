import { monotonicNow } from '../../../../lib/basics';
import { digestSecret } from '../../shared/secret';
import type { ReceivingIdentity, StoredSubscription } from '../staticData';
import { activated, dated } from '../subscriptionState';
import type { SubscriptionMemory, NodeSubscription } from './nodeRecord';
import type { Target } from './ownWebhooks';
import { restricts, type DesiredState } from './plan';
import type { Outcome } from './reconcile';

/** Keeps what is now known of an active node. */
export function noteActive(
	record: NodeSubscription,
	target: Target,
	desired: DesiredState,
	identity: ReceivingIdentity | undefined,
	outcome: Outcome,
	memory: SubscriptionMemory,
): void {
	const { kept, snapshot, needed, done } = outcome;
	const isRestricted = !needed.some(restricts) || done.some(restricts);
	const restrictedTo = isRestricted ? desired.identityId : null;
	const seenAt = monotonicNow() - (memory.now() - snapshot.askedAt);
	const look = identity && dated({ restrictedTo }, seenAt);
	let stored: StoredSubscription | undefined;
	if (kept) {
		stored = {
			id: kept.id,
			instanceId: target.instanceId,
			url: target.address,
			ownerId: kept.ownerId ?? target.stored?.ownerId ?? '',
			workspaceId: kept.workspaceId,
			secretDigest: digestSecret(target.secret),
			listening: target.listening,
		};
		if (identity) stored.identity = identity;
	}
	record.state = activated(record.state, { stored, identity, look });
}
