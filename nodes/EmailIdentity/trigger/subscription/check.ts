import { dated, identityGone, restrictionSeen } from '../state/subscriptionState';
import { SUBSCRIPTION_MS } from '../times';
import { CannotCreate } from '../webhooks/cannotCreate';
import { IdentityUnusable, findChosenIdentity } from './receivingIdentity';
import { withinDeadline, type HookHost } from '../state/hookRequest';
import { causeOf } from '../state/failureReports';
import { explain } from '../logLines';
import type { SubscriptionMemory } from '../state/memory';
import type { ActiveNode } from '../state/nodeRecord';
import { openWebhooks, type OwnWebhooks, type Snapshot } from './ownWebhooks';
import {
	desiredStateOf,
	describe,
	planActive,
	restricts,
	type Action,
	type Goal,
} from '../webhooks/plan';
import { logFormerAccount, noteActive, reconcile, type Outcome } from './reconcile';
import { switchOff } from './switchOff';

/** A check is due; a delivery found the restriction lost; n8n starts or becomes the leader. */
export type CheckOccasion = 'check' | 'restrictionLost' | 'start';

/** One check of an active node. */
interface Check {
	host: HookHost;
	node: ActiveNode;
	occasion: CheckOccasion;
	webhooks: OwnWebhooks;
}

/** Reads the subscription of an active node, repairs it and logs what it did. A failure is logged, and tried again later. */
export async function checkSubscription(
	host: HookHost,
	node: ActiveNode,
	occasion: CheckOccasion,
	memory: SubscriptionMemory,
): Promise<void> {
	const { checks, reports } = node;
	try {
		const deadline = memory.deadline(SUBSCRIPTION_MS.other);
		await withinDeadline(host, deadline, async (limited) => {
			const { stored } = memory.states.at(node.endpoint).state;
			const webhooks = await openWebhooks(limited, node.endpoint, memory, stored);
			await webhooks.requireAddress();
			const check: Check = { host: limited, node, occasion, webhooks };
			await repair(check).catch(async (error: unknown) => {
				if (!(error instanceof IdentityUnusable)) throw error;
				await pause(check, error);
			});
		});
	} catch (error) {
		checks.failed();
		const reason = error instanceof CannotCreate ? error.inLog : explain(error);
		const message = `the webhook could not be checked; the workflow stays active. ${reason}`;
		const cause = causeOf(error);
		if (cause) reports.found(cause, message);
		host.log(occasion === 'start' ? 'error' : 'warn', message);
	}
}

/**
 * At a start, the chosen identity is always read. A check reads it only if the list of webhooks does not show that it exists: it was not
 * read yet, was gone, or is a domain, or the restriction to it is lost. So the usual check is one request.
 *
 * @throws IdentityUnusable when the chosen identity does not exist
 */
async function repair(check: Check): Promise<void> {
	const { host, node, occasion, webhooks } = check;
	const { service, target, record, memory } = webhooks;
	const isStart = occasion === 'start';

	// Undefined for all identities, and before it was read.
	const known = record.state.identity;
	const isAddress = known?.isDomain === false;
	// For all identities, this sends no request.
	const readsIdentityFirst = isStart || record.state.isIdentityGone === true || !isAddress;
	const identity = readsIdentityFirst ? await findChosenIdentity(service, node.chosen) : known;
	const desired = desiredStateOf(target, node.events, identity, memory.wallClock());
	const goal: Goal = { desired, identity, isActivation: isStart };

	const snapshot = await observeForCheck(check, goal);
	const { actions } = planActive(snapshot.own, goal);
	// Throws if the identity is gone: the service may accept a restriction to it.
	if (!readsIdentityFirst && actions.some(restricts))
		await findChosenIdentity(service, node.chosen);
	// At a start, all repairs are made at once.
	const approve = isStart ? undefined : (planned: Action[]) => node.checks.approve(planned);
	const outcome = await reconcile(webhooks, goal, snapshot, approve);

	noteActive(webhooks, goal, outcome);
	await logFormerAccount(host, webhooks, outcome);
	noteRepairs(host, node, outcome);
	await deleteLeftovers(webhooks, snapshot);
}

function noteRepairs(
	host: HookHost,
	{ checks, reports }: ActiveNode,
	{ kept, needed, done }: Outcome,
): void {
	const withoutEffect = checks.noteDifferences(needed);
	if (needed.length === 0) reports.passed();
	if (withoutEffect.length > 0) {
		const message =
			`repaired the webhook (${describe(withoutEffect)}), but the service still shows the old state. The trigger ` +
			'does not try again. Correct the webhook in the service.';
		reports.found('webhook', message);
		host.log('warn', message);
	}
	if (done.length > 0)
		host.log('info', `repaired the webhook ${kept?.id ?? ''} (${describe(done)}).`);
}

/** A list of a few seconds ago is enough to see that nothing must be changed, unless a delivery has just seen something else. */
async function observeForCheck({ webhooks, occasion }: Check, goal: Goal): Promise<Snapshot> {
	const mayBeCached = occasion !== 'restrictionLost';
	const snapshot = await webhooks.observe({ mayBeCached });
	if (snapshot.failure !== undefined) throw snapshot.failure;
	const { actions } = planActive(snapshot.own, goal);
	if (!mayBeCached || actions.length === 0) return snapshot;

	const fresh = await webhooks.observe();
	if (fresh.failure !== undefined) throw fresh.failure;
	return fresh;
}

/**
 * Deletes the webhooks for test events that nobody listens for any more: a killed n8n leaves them behind, and so does n8n 1.x
 * (`registrations.deregisterAll`). One that stays is tried again by the next check.
 */
async function deleteLeftovers(webhooks: OwnWebhooks, { leftovers }: Snapshot): Promise<void> {
	for (const { id } of leftovers)
		await webhooks.carryOut({ kind: 'delete', id }).catch(() => undefined);
}

/** The chosen identity is gone: pauses the subscription, so that it does not deliver for all identities instead. Logs it once. */
async function pause({ host, node, webhooks }: Check, error: IdentityUnusable): Promise<void> {
	const { record } = webhooks;
	const wasGone = record.state.isIdentityGone === true;
	// Until it is paused, a delivery only counts if the service itself names the address.
	record.state = restrictionSeen(record.state, dated({ restrictedTo: null }));
	const outcome = await switchOff(webhooks, 'paused');
	record.state = identityGone(record.state);
	if (!wasGone) await logFormerAccount(host, webhooks, outcome);

	node.checks.noteDifferences([]);
	if (wasGone) return;
	const message =
		`the webhook is paused, so it delivers nothing. ${explain(error)} An address that was deleted and ` +
		'added again has a new ID: choose it again, and publish the workflow.';
	node.reports.found('identity', message);
	host.log('error', message);
}
