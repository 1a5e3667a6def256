import { isRouteMissing } from '../../api/errors';
import type { RetryPolicy } from '../../api/retry';
import type { EmailIdentityService } from '../../api/service';
import type { Advice } from '../../api/types';
import { type Memory, pathOf, withFullStop } from '../../../../lib/basics';
import { isDomain, lookUpIdentity } from '../../shared/identities';
import { digestSecret, type Listening } from '../../shared/secret';
import type { SubscriptionParameters } from '../parameters';
import type { ReceivingIdentity, Restrictions } from '../restriction';
import type { StoredSubscription } from '../staticData';
import { addressRefusal, type Endpoint } from './address';
import type { HookRequest, Host, Occasion } from './hookRequest';
import { desiredStateOf, restricts, type Checks } from './plan';
import { OwnWebhooks, targetOf } from './recognise';
import { Reconciliation, type Created, type Outcome } from './reconcile';

/** An active node, for its checks. */
export interface Watch extends SubscriptionParameters {
	endpoint: Endpoint;
	stored: StoredSubscription | undefined;
	/** Whether publishing checks that the service supports Verify With the API. */
	verify: boolean;
	/** The chosen identity when it was last found; undefined for all identities, and if it is gone. */
	identity?: ReceivingIdentity;
	/** Whether it was logged that the identity is gone. */
	isGoneLogged: boolean;
	checks: Checks;
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

/** The subscription of the node at one of n8n's addresses, as far as this process knows. */
export class Subscription {
	/** What the last request to listen was for: n8n does not tell `delete`. */
	listening?: Listening;

	/** The workflow of the node; undefined when it does not listen. */
	workflowId?: string | undefined;

	private readonly created: Created = { ids: new Set(), mayBeMore: false };

	/**
	 * @param owners the user of each API key
	 * @param isListenedAt whether n8n listens for a test event at a URL
	 */
	constructor(
		private readonly restrictions: Restrictions,
		private readonly owners: Memory,
		private readonly isListenedAt: (url: string) => boolean,
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
	async bringOn(host: Host, watch: Watch, occasion: Occasion): Promise<Outcome> {
		const { endpoint, events, verify, chosen, checks } = watch;
		const { service, reconciliation } = await this.open(host, watch, occasion);
		const { target } = reconciliation.webhooks;
		const { allowPrivateWebhookUrls } = await service.credential();
		const refusal = addressRefusal(endpoint, allowPrivateWebhookUrls);
		if (refusal !== undefined) throw new Error(refusal);
		if (occasion === 'publish' && verify) await checkVerification(service);
		const isCheck = occasion === 'check';
		const isLookedUp = !isCheck || watch.identity === undefined;
		if (isLookedUp) watch.identity = await lookUpChosen(service, chosen);
		const { identity } = watch;
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
		const identityId = isRestricted ? desired.identityId : null;
		if (identity) this.restrictions.note(endpoint, { identityId, identity });
		else this.restrictions.forget(endpoint);
		if (kept) {
			const { stored } = target;
			watch.stored = {
				id: kept.id,
				instanceId: endpoint.instanceId,
				url: endpoint.address,
				ownerId: kept.ownerId ?? stored?.ownerId ?? '',
				workspaceId: kept.workspaceId,
				secretDigest: digestSecret(target.secret),
				listening: endpoint.listening,
				...(identity && { identity }),
			};
			await noteFormerAccount(host, reconciliation, outcome);
		}
		return outcome;
	}

	/**
	 * For starts and checks: pauses the subscription while the chosen identity is gone. Deliveries that still arrive are refused.
	 *
	 * @returns why it is paused, or what was repaired
	 */
	async lookAfter(host: Host, watch: Watch, occasion: Occasion) {
		return await this.bringOn(host, watch, occasion).catch(async (error: unknown) => {
			if (!(error instanceof IdentityUnusable)) throw error;
			watch.identity = undefined;
			this.restrictions.note(watch.endpoint, { identityId: null });
			const { reconciliation } = await this.open(host, watch, occasion);
			const outcome = await reconciliation.reach({ state: 'paused' });
			if (!watch.isGoneLogged) await noteFormerAccount(host, reconciliation, outcome);
			return error;
		});
	}

	/** Pauses or deletes the subscription. */
	async bringOff(request: HookRequest): Promise<void> {
		const { stored: known, options, occasion } = request;
		const isStoredHere = known && pathOf(known.url) === pathOf(request.endpoint.address);
		// If unknown, only a subscription at exactly this address is changed, as for a test event.
		const listening = this.listening ?? (isStoredHere ? known.listening : 'test');
		const endpoint = { ...request.endpoint, listening };
		this.restrictions.forget(endpoint);
		const { reconciliation } = await this.open(request, { endpoint, stored: known }, occasion);
		const isDeleted = listening === 'test' || options.onDeactivation === 'delete';
		const outcome = await reconciliation.reach({ state: isDeleted ? 'absent' : 'paused' });
		await noteFormerAccount(request, reconciliation, outcome);
		const { stored } = reconciliation.webhooks.target;
		if (stored && !stored.retired) request.store({ ...stored, retired: true });
	}

	/**
	 * Whether the address belongs to another workflow. A copy that was imported or pasted has the webhook ID of its original,
	 * so the same address and secrets. n8n publishes only one of them, but calls `delete` for the other one too. A workflow that
	 * stored a subscription was published by another main: the memory of this one is out of date.
	 */
	isAnothers({ endpoint, workflowId, stored }: HookRequest): boolean {
		if (this.workflowId === undefined || this.workflowId === workflowId) return false;
		return stored?.instanceId !== endpoint.instanceId || stored.retired === true;
	}

	/** Judged by what was stored and what this process created, with any API key. */
	mayBeOn({ stored }: HookRequest): boolean {
		const { ids, mayBeMore } = this.created;
		return stored ? !stored.retired : ids.size > 0 || mayBeMore;
	}

	private async open(
		host: Host,
		{ endpoint, stored }: Pick<Watch, 'endpoint' | 'stored'>,
		occasion: Occasion,
	) {
		const service = host.service({ retry: this.retry });
		const { apiKey, baseUrl } = await service.credential();
		// `kill -9` leaves test subscriptions behind, and so does n8n 1.x (`registrations.deregisterAll`). They may be in use until
		// n8n starts again.
		const isInUse = (url: string) => occasion !== 'start' || this.isListenedAt(url);
		const target = targetOf(endpoint, apiKey, stored);
		const key = digestSecret(JSON.stringify([baseUrl, apiKey]));
		const ownerId = async () => await this.owners.once(key, service.ownerId);
		const webhooks = new OwnWebhooks(service, target, ownerId, isInUse);
		return { service, reconciliation: new Reconciliation(webhooks, this.created) };
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
