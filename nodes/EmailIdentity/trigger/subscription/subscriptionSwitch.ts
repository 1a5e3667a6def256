import { isRouteMissing } from '../../api/errors';
import type { RetryPolicy } from '../../api/retry';
import type { EmailIdentityService } from '../../api/service';
import type { Advice } from '../../api/types';
import { createMemory, pathOf, withFullStop } from '../../../../lib/basics';
import { isDomain, lookUpIdentity } from '../../shared/identities';
import { digestSecret } from '../../shared/secret';
import type { SubscriptionParameters } from '../parameters';
import type { StoredSubscription } from '../staticData';
import type { ReceivingIdentity, SubscriptionLooks } from '../subscriptionLooks';
import type { FailureReports } from './failureReports';
import type { HookRequest, Host, Occasion } from './hookRequest';
import { OwnWebhooks, targetOf } from './ownWebhooks';
import { desiredStateOf, restricts } from './plan';
import { Reconciliation, type Outcome } from './reconcile';
import type { CheckSchedule } from './schedule';
import type { SubscriptionStates } from './state';
import { addressRefusal, type Endpoint } from './subscriptionUrl';

/** A node as n8n switched it on. */
export interface ListeningNode extends SubscriptionParameters {
	endpoint: Endpoint;
	/** Whether publishing checks that the service supports Verify With the API. */
	verify: boolean;
	checks: CheckSchedule;
	reports: FailureReports;
}

/** n8n 2.x publishes within two minutes, including five attempts. */
const PATIENCE: Partial<RetryPolicy> = {
	attempts: 4,
	total: 8_000,
	firstDelay: 300,
	longestDelay: 3_000,
	timeout: 10_000,
};

/** No message has this ID (RFC 9562, section 5.4: a random UUID is never all zeros). */
const NO_MESSAGE = '00000000-0000-4000-8000-000000000000';

/** The identity does not exist for this API key. The subscription must not deliver for all identities instead. */
class IdentityUnusable extends Error {
	constructor({ message, description }: Advice) {
		super(`${withFullStop(message)} ${description}`);
	}
}

/** Switches subscriptions on and off. What it does not find in the service, it finds in the states. */
export class SubscriptionSwitch {
	/** The users of the API keys. */
	private readonly owners = createMemory();

	constructor(
		private readonly states: SubscriptionStates,
		private readonly looks: SubscriptionLooks,
		private readonly retry: Partial<RetryPolicy> = PATIENCE,
	) {}

	/**
	 * Creates, resumes or repairs the subscription.
	 *
	 * Looks up the chosen identity at every activation and start. A check does so only if the subscription is not restricted
	 * to it, or it was gone the last time: the usual check is one request.
	 *
	 * @throws IdentityUnusable when the chosen identity does not exist
	 */
	async bringOn(host: Host, node: ListeningNode, occasion: Occasion): Promise<Outcome> {
		const { endpoint, events, verify, chosen, checks } = node;
		const { address } = endpoint;
		const before = this.states.at(address);
		const { service, reconciliation } = await this.open(host, endpoint, before.stored, occasion);
		const { target } = reconciliation.webhooks;
		const { allowPrivateWebhookUrls } = await service.credential();
		const refusal = addressRefusal(endpoint, allowPrivateWebhookUrls);
		if (refusal !== undefined) throw new Error(refusal);
		if (occasion === 'publish' && verify) await checkVerification(service);
		const isCheck = occasion === 'check';
		const isLookedUp = !isCheck || before.identity === undefined;
		const identity = isLookedUp ? await lookUpChosen(service, chosen) : before.identity;
		const desired = desiredStateOf(target, events, identity);
		const outcome = await reconciliation.reach(
			{ state: 'on', desired, isActivation: !isCheck },
			async (actions) => {
				// The service may accept a restriction to an identity that is gone.
				if (!isLookedUp && actions.some(restricts)) await lookUpChosen(service, chosen);
				return isCheck ? checks.approve(actions) : actions;
			},
		);
		const { kept, needed, done } = outcome;
		const isRestricted = !needed.some(restricts) || done.some(restricts);
		const restrictedTo = isRestricted ? desired.identityId : null;
		if (identity) this.looks.note(endpoint, { restrictedTo, identity });
		else this.looks.forget(endpoint);
		const stored = kept && {
			id: kept.id,
			instanceId: target.instanceId,
			url: address,
			ownerId: kept.ownerId ?? target.stored?.ownerId ?? '',
			workspaceId: kept.workspaceId,
			secretDigest: digestSecret(target.secret),
			listening: target.listening,
			...(identity && { identity }),
		};
		this.states.apply(address, { kind: 'on', stored: stored ?? before.stored, identity });
		if (kept) await noteFormerAccount(host, reconciliation, outcome);
		return outcome;
	}

	/**
	 * For starts and checks: pauses the subscription while the chosen identity is gone. Deliveries that still arrive are refused.
	 *
	 * @returns what was repaired, or why it is paused if it was not before
	 */
	async lookAfter(
		host: Host,
		node: ListeningNode,
		occasion: Occasion,
	): Promise<Partial<Outcome> & { whyPaused?: Error }> {
		return await this.bringOn(host, node, occasion).catch(async (error: unknown) => {
			if (!(error instanceof IdentityUnusable)) throw error;
			const { endpoint } = node;
			this.looks.note(endpoint, { restrictedTo: null });
			const { stored, isGone } = this.states.at(endpoint.address);
			const { reconciliation } = await this.open(host, endpoint, stored, occasion);
			const outcome = await reconciliation.reach({ state: 'paused' });
			this.states.apply(endpoint.address, { kind: 'gone' });
			if (isGone) return {};
			await noteFormerAccount(host, reconciliation, outcome);
			return { whyPaused: error };
		});
	}

	/** Pauses or deletes the subscription. */
	async bringOff(request: HookRequest): Promise<void> {
		const { options, occasion } = request;
		const { address } = request.endpoint;
		// A check stores nothing.
		const { stored: known = request.stored, ...before } = this.states.at(address);
		const isStoredHere = known && pathOf(known.url) === pathOf(address);
		// If unknown, only a subscription at exactly this address is changed, as for a test event.
		const { listening = isStoredHere ? known.listening : 'test' } = before;
		const endpoint = { ...request.endpoint, listening };
		this.looks.forget(endpoint);
		const { reconciliation } = await this.open(request, endpoint, known, occasion);
		const isDeleted = listening === 'test' || options.onDeactivation === 'delete';
		const outcome = await reconciliation.reach({ state: isDeleted ? 'absent' : 'paused' });
		this.states.apply(address, { kind: 'off', ids: isDeleted ? [] : outcome.unlisted });
		await noteFormerAccount(request, reconciliation, outcome);
		const { stored } = reconciliation.webhooks.target;
		if (stored && !stored.retired) request.store({ ...stored, retired: true });
	}

	private async open(
		host: Host,
		endpoint: Endpoint,
		stored: StoredSubscription | undefined,
		occasion: Occasion,
	) {
		const service = host.service({ retry: this.retry });
		const { apiKey, baseUrl } = await service.credential();
		// `kill -9` leaves test subscriptions behind, and so does n8n 1.x (`registrations.deregisterAll`). They may be in use until
		// n8n starts again.
		const isInUse = (url: string) => occasion !== 'start' || this.states.isListenedAt(url);
		const target = targetOf(endpoint, apiKey, stored);
		const key = digestSecret(JSON.stringify([baseUrl, apiKey]));
		const ownerId = async () => await this.owners.once(key, service.ownerId);
		const webhooks = new OwnWebhooks(service, target, ownerId, isInUse);
		return { service, reconciliation: new Reconciliation(webhooks, this.states) };
	}
}

/**
 * Fetches a message that does not exist. The error shows whether the service supports fetching single messages. Other errors
 * are no reason to refuse: each delivery that cannot be verified is logged.
 *
 * @throws Error when Verify With the API would refuse every delivery
 */
async function checkVerification(service: EmailIdentityService): Promise<void> {
	const failure = await service.getMessage(NO_MESSAGE).catch((error: unknown) => error);
	if (!isRouteMissing(failure)) return;
	throw new Error(
		'This service does not support fetching single messages, so Verify With the API would refuse every email. ' +
			'Turn off Verify With the API in the Advanced settings of the Email Identity Trigger.',
	);
}

/** @throws IdentityUnusable when it is missing or belongs to another account; NodeApiError when the request fails */
async function lookUpChosen(
	service: EmailIdentityService,
	chosen: SubscriptionParameters['chosen'],
): Promise<ReceivingIdentity | undefined> {
	if (chosen === null) return undefined;
	const { id, name } = chosen;
	const look = await lookUpIdentity(service, id, name);
	if ('refusal' in look) throw new IdentityUnusable(look.refusal);
	return { id, value: look.identity.value, isDomain: isDomain(look.identity) };
}

/**
 * When the credential changed accounts, the trigger could not switch off the stored subscription, which may still deliver: the
 * old API key was gone.
 */
async function noteFormerAccount(
	host: Host,
	{ webhooks }: Reconciliation,
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
