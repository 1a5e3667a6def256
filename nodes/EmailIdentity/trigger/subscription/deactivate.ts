import { pathOf } from '../../../../lib/basics';
import { deactivating, paused, type SubscriptionState } from '../state/subscriptionState';
import { SUBSCRIPTION_MS } from '../times';
import { explain } from '../logLines';
import { withinDeadline, type HookRequest } from '../state/hookRequest';
import type { SubscriptionMemory } from '../state/memory';
import type { Publication } from '../state/publication';
import { openWebhooks } from './ownWebhooks';
import { logFormerAccount } from './reconcile';
import { switchOff } from './switchOff';

/**
 * n8n calls this for a deactivation, before an edit, after a failed activation and after a test event. Afterwards no subscription of the
 * node is enabled. A failure is logged: if it were thrown, n8n 1.x would keep its own URL, and both versions would deactivate anyway.
 */
export async function deactivate(hook: HookRequest, memory: SubscriptionMemory): Promise<void> {
	const request = located(hook, memory);
	const { endpoint } = request;
	const record = memory.states.at(endpoint);
	if (isOfOtherWorkflow(record.state, request)) return;
	record.state = deactivating(record.state, endpoint.address);

	const failedPublication = memory.publications.failed(request.staticData);
	// After a publication that failed early, there is nothing to switch off.
	const isClean =
		failedPublication !== undefined &&
		(failedPublication.isClean || record.state.mayDeliver === false);
	try {
		await memory.states.inTurn(endpoint, async () => {
			// Earlier work in the queue may have ended the record.
			const present = memory.states.at(endpoint);
			present.node.active = undefined;
			present.node.trigger = undefined;
			if (isClean) present.state = paused(present.state, []);
			else await removeOrPause(request, memory, cleanUpMs(failedPublication));
			memory.states.endIfOver(endpoint);
		});
		if (failedPublication) failedPublication.isClean = true;
	} catch (error) {
		noteLeft(request, memory, error);
	}
}

/** Adds whether n8n listened at the node's URL for production or for test events. If this is unknown, only a subscription at exactly this address is deleted. */
function located(request: HookRequest, { states }: SubscriptionMemory): HookRequest {
	const { endpoint, stored } = request;
	let listening = states.listeningAt(endpoint, endpoint.address);
	if (listening === undefined && stored !== undefined) {
		const isSamePath = pathOf(stored.url) === pathOf(endpoint.address);
		if (isSamePath) listening = stored.listening;
	}
	return { ...request, endpoint: { ...endpoint, listening: listening ?? 'unknown' } };
}

/**
 * An imported or pasted copy has the webhook ID of its original, so the same address and secrets. But a workflow with a stored
 * subscription that is not retired was published, by another main process: then the memory of this one is out of date.
 */
function isOfOtherWorkflow(state: SubscriptionState, request: HookRequest): boolean {
	const { endpoint, workflowId, stored } = request;
	if (state.workflowId === undefined || state.workflowId === workflowId) return false;
	const isPublishedHere = stored?.instanceId === endpoint.instanceId && stored.retired !== true;
	return !isPublishedHere;
}

/**
 * Deletes the subscription of a node for test events; pauses one for production, or deletes it if so chosen.
 *
 * @param delayMs for all requests
 * @throws what made it fail
 */
async function removeOrPause(
	request: HookRequest,
	memory: SubscriptionMemory,
	delayMs: number,
): Promise<void> {
	await withinDeadline(request, memory.deadline(delayMs), async (limited) => {
		const { endpoint, options } = limited;
		const record = memory.states.at(endpoint);
		// A check stores nothing, so the memory may know more.
		const stored = record.state.stored ?? limited.stored;
		const webhooks = await openWebhooks(limited, endpoint, memory, stored);
		const { target } = webhooks;

		const isDeleted = endpoint.listening !== 'production' || options.onDeactivation === 'delete';
		const outcome = await switchOff(webhooks, isDeleted ? 'absent' : 'paused');

		record.state = paused(record.state, isDeleted ? [] : outcome.snapshot.unlisted);
		await logFormerAccount(limited, webhooks, outcome);
		if (target.stored && !target.stored.retired) limited.store({ ...target.stored, retired: true });
	});
}

/** For all requests together. */
function cleanUpMs(failed: Publication | undefined): number {
	if (!failed) return SUBSCRIPTION_MS.other;
	return failed.attempts === 1 ? SUBSCRIPTION_MS.firstCleanUp : SUBSCRIPTION_MS.laterCleanUp;
}

/** Logs a webhook that may still be enabled. One for test events is deleted by a check or start of any trigger (`deleteLeftovers`). */
function noteLeft(request: HookRequest, memory: SubscriptionMemory, error: unknown): void {
	const { endpoint, stored } = request;
	const { state } = memory.states.at(endpoint);
	// n8n also calls `delete` after an activation that failed before it enabled anything.
	const isStoredActive = stored !== undefined && !stored.retired;
	const mayDeliver = state.mayDeliver ?? isStoredActive;
	if (!mayDeliver) return;

	let place = endpoint.address;
	let wayOut =
		'Publishing the workflow again repairs the webhook; you can also pause it in the service.';
	if (endpoint.listening === 'test') {
		wayOut =
			'A check of any published trigger with the same API key deletes it. You can also delete it in the service.';
	} else if (endpoint.deliveryUrl !== '') {
		place = "the 'Delivery URL'";
	}
	request.log(
		'warn',
		`the webhook could not be switched off, so the service may continue to deliver to ${place}. ` +
			`n8n refuses these deliveries. ${wayOut} ${explain(error)}`,
	);
}
