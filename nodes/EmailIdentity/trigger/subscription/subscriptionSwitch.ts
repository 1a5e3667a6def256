import { isRouteMissing, lacksRight } from '../../api/errors';
import type { RetryPolicy } from '../../api/retry';
import type { EmailIdentityService } from '../../api/service';
import { Cache, monotonicNow } from '../../../../lib/basics';
import { isDomainIdentity, lookUpIdentity } from '../../shared/identities';
import { digestSecret } from '../../shared/secret';
import type { SubscriptionParameters } from '../settings/settings';
import type { ReceivingIdentity, StoredSubscription } from '../staticData';
import { dated, stateKey, type SubscriptionStates } from '../subscriptionState';
import { SUBSCRIPTION_MS } from '../times';
import type { FailureReports } from './failureReports';
import { explain, type HookRequest, type Host, type Occasion } from './hookRequest';
import { OwnWebhooks, targetFor, type WebhookList } from './ownWebhooks';
import { desiredStateOf, isElsewhere, restricts } from './plan';
import { Reconciliation, type Outcome } from './reconcile';
import type { CheckSchedule } from './schedule';
import { addressRefusal, urlByHand, type Endpoint } from './subscriptionUrl';

export interface ListeningNode extends SubscriptionParameters {
	endpoint: Endpoint;
	verify: boolean;
	checks: CheckSchedule;
	reports: FailureReports;
}

/** No message has this ID (RFC 9562, section 5.4: a random UUID is never all zeros). */
const UNKNOWN_MESSAGE_ID = '00000000-0000-4000-8000-000000000000';

/** One for each API key. */
const MAX_SHARED_LISTS = 20;

/** The identity does not exist for this API key. The subscription must not deliver for all identities instead. */
class IdentityUnusable extends Error {}

export class SubscriptionSwitch {
	private readonly lists: Cache<WebhookList>;

	/** @param now see `monotonicNow` */
	constructor(
		private readonly states: SubscriptionStates,
		private readonly now: () => number,
		private readonly retry: Partial<RetryPolicy> = SUBSCRIPTION_MS.requests,
	) {
		const maxAge = SUBSCRIPTION_MS.sharedList;
		this.lists = new Cache({ maxAge, maxWeight: MAX_SHARED_LISTS, now });
	}

	/**
	 * A check looks up the chosen identity only if the service does not show whether it exists: the subscription lost its
	 * restriction, or is for a domain. So the usual check is one request.
	 *
	 * @throws IdentityUnusable when the chosen identity does not exist
	 */
	async bringOn(host: Host, node: ListeningNode, occasion: Occasion): Promise<Outcome> {
		const { endpoint, events, chosen, checks } = node;
		const key = stateKey(endpoint);
		const before = this.states.at(key);
		const { service, reconciliation } = await this.open(host, endpoint, before.stored, occasion);
		const { target } = reconciliation.webhooks;
		const { allowPrivateWebhookUrls } = await service.credential();
		const refusal = addressRefusal(endpoint, allowPrivateWebhookUrls);
		if (refusal !== undefined) throw new Error(refusal);
		if (occasion === 'publish') await checkReading(host, node);
		const isCheck = occasion === 'check' || occasion === 'repair';
		const isLookedUp = !isCheck || before.isIdentityGone || before.identity?.isDomain !== false;
		const identity = isLookedUp ? await lookUpChosen(service, chosen) : before.identity;
		const desired = desiredStateOf(target, events, identity);
		const outcome = await reconciliation.reach(
			{ state: 'on', desired, isActivation: !isCheck, workspaceId: identity?.workspaceId },
			async (actions) => {
				// The service may accept a restriction to an identity that is gone.
				if (!isLookedUp && actions.some(restricts)) await lookUpChosen(service, chosen);
				return isCheck ? checks.approve(actions) : actions;
			},
			occasion === 'check' || occasion === 'start',
		);
		if (occasion === 'publish') await refuseElsewhere(reconciliation, outcome, identity, events);
		const { kept, askedAt, needed, done } = outcome;
		const isRestricted = !needed.some(restricts) || done.some(restricts);
		const restrictedTo = isRestricted ? desired.identityId : null;
		const look = identity && dated({ restrictedTo }, monotonicNow() - (this.now() - askedAt));
		const stored = kept && {
			id: kept.id,
			instanceId: target.instanceId,
			url: endpoint.address,
			ownerId: kept.ownerId ?? target.stored?.ownerId ?? '',
			workspaceId: kept.workspaceId,
			secretDigest: digestSecret(target.secret),
			listening: target.listening,
			...(identity && { identity }),
		};
		this.states.apply(key, { kind: 'on', stored: stored ?? before.stored, identity, look });
		if (kept) await noteFormerAccount(host, reconciliation, outcome);
		return outcome;
	}

	/** For starts and checks: pauses the subscription while the chosen identity is gone. */
	async lookAfter(
		host: Host,
		node: ListeningNode,
		occasion: Occasion,
	): Promise<
		Pick<Outcome, 'kept' | 'needed' | 'done'> & { isIdentityGone?: boolean; whyPaused?: Error }
	> {
		return await this.bringOn(host, node, occasion).catch(async (error: unknown) => {
			if (!(error instanceof IdentityUnusable)) throw error;
			const { endpoint } = node;
			const key = stateKey(endpoint);
			this.states.apply(key, { kind: 'looked', look: dated({ restrictedTo: null }) });
			const { stored, isIdentityGone } = this.states.at(key);
			const { reconciliation } = await this.open(host, endpoint, stored, occasion);
			const outcome = await reconciliation.reach({ state: 'paused' });
			this.states.apply(key, { kind: 'gone' });
			if (!isIdentityGone) await noteFormerAccount(host, reconciliation, outcome);
			const whyPaused = isIdentityGone ? undefined : error;
			return { needed: [], done: [], isIdentityGone: true, whyPaused };
		});
	}

	async bringOff({ endpoint, options, occasion, stored: given, store, ...host }: HookRequest) {
		const key = stateKey(endpoint);
		// A check stores nothing.
		const { stored: known = given } = this.states.at(key);
		const { reconciliation } = await this.open(host, endpoint, known, occasion);
		const isDeleted = endpoint.listening !== 'production' || options.onDeactivation === 'delete';
		const outcome = await reconciliation.reach({ state: isDeleted ? 'absent' : 'paused' });
		this.states.apply(key, { kind: 'off', ids: isDeleted ? [] : outcome.unlisted });
		await noteFormerAccount(host, reconciliation, outcome);
		const { stored } = reconciliation.webhooks.target;
		if (stored && !stored.retired) store({ ...stored, retired: true });
	}

	private async open(
		host: Host,
		endpoint: Endpoint,
		stored: StoredSubscription | undefined,
		occasion: Occasion,
	) {
		const service = host.service({ retry: this.retry });
		const { apiKey, baseUrl } = await service.credential();
		// `kill -9` and n8n 1.x (`registrations.deregisterAll`) leave test subscriptions behind.
		const isInUse = (url: string) => this.states.isListenedAt(url);
		const webhooks = new OwnWebhooks(service, targetFor(endpoint, apiKey, stored), {
			account: digestSecret(JSON.stringify([baseUrl, apiKey])),
			lists: this.lists,
			now: this.now,
			isInUse: occasion === 'start' ? isInUse : undefined,
		});
		return { service, reconciliation: new Reconciliation(webhooks, this.states) };
	}
}

/**
 * Fetches a message that does not exist. The error shows whether messages can be fetched, which Verify With the API needs for
 * every delivery, and other triggers for emails to shared identities.
 */
async function checkReading(host: Host, { endpoint, verify }: ListeningNode): Promise<void> {
	if (!verify && endpoint.listening === 'test') return;
	const service = host.service({ retry: SUBSCRIPTION_MS.readingRequest });
	const failure = await service.getMessage(UNKNOWN_MESSAGE_ID).catch((error: unknown) => error);
	if (verify && isRouteMissing(failure)) {
		throw new Error(
			"Turn off 'Verify With the API' under 'Advanced'. This service does not support fetching single messages, so every email would be refused.",
		);
	}
	if (!lacksRight(failure)) return;
	if (verify)
		throw new Error(`'Verify With the API' would refuse every email. ${explain(failure)}`);
	host.log(
		'warn',
		`emails to identities of other users will be refused, because their messages cannot be fetched. ${explain(failure)}`,
	);
}

async function lookUpChosen(
	service: EmailIdentityService,
	chosen: SubscriptionParameters['chosen'],
): Promise<ReceivingIdentity | undefined> {
	if (chosen === null) return undefined;
	const { id, name } = chosen;
	const look = await lookUpIdentity(service, id, name);
	if ('problem' in look) throw new IdentityUnusable(explain(look.problem));
	const { value, workspaceId } = look.identity;
	return { id, value, isDomain: isDomainIdentity(look.identity), workspaceId };
}

/** Kurrier 3.5.0 lists a user's identities of all workspaces. Their emails would be ignored as those of another workspace. */
async function refuseElsewhere(
	{ webhooks }: Reconciliation,
	{ kept, done }: Outcome,
	identity: ReceivingIdentity | undefined,
	events: string[],
): Promise<void> {
	if (!kept || !isElsewhere(kept, identity?.workspaceId)) return;
	// If this fails, n8n's `delete` pauses it.
	if (done.some(({ kind }) => kind === 'create')) await webhooks.remove(kept.id).catch(() => {});
	const { target } = webhooks;
	const key = `Create an API key in the workspace of the identity ${identity?.value ?? identity?.id}`;
	throw new Error(
		target.listening === 'test'
			? `${key}, then listen again: the webhook would be in another workspace.`
			: `${key}, or create the webhook there, with ${urlByHand(target)} and the event ${events.join(', ')}, then publish ` +
					'again: the webhook is in another workspace.',
	);
}

/** The trigger could not switch off the former account's subscription, which may still deliver: the old API key was gone. */
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
