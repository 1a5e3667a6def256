import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { createService, type EmailIdentityService } from '../../api/service';
import type { RetryPolicy } from '../../api/retry';
import type { ReceivingIdentity, Restrictions } from '../restriction';
import type { Listening } from '../secret';
import type { StoredSubscription } from '../staticData';
import { desiredStateOf, type DesiredState } from './desiredState';
import type { Action } from './diff';
import { usesGateway } from './gateway';
import { logMessages } from './logMessages';
import type { OwnWrites } from './ownWrites';
import { checkAddress, checkIdentity, checkParameters, checkVerification } from './preconditions';
import { reconcile, restricts, type Reconciliation, type ReconcileOptions } from './reconcile';
import { identityOfStored, isInAnotherAccount, toStored } from './storedSubscription';
import { targetOf, type Target } from './target';
import { tearDown } from './teardown';
import type { Watch } from './watch';

/** `publish` is for whoever waits in the editor: also for a test event. */
export type Occasion = 'publish' | 'start' | 'check';

export interface BringAboutOptions extends Pick<ReconcileOptions, 'isLeftBehind' | 'approve'> {
	/** Whether an action was done before, and the service shows that as if it had not been. */
	isFutile?(action: Action): boolean;
	listening: Listening;
	occasion: Occasion;
	patience: { retry: Partial<RetryPolicy> };
	/** What subscriptions were last seen to be restricted to. */
	restrictions: Restrictions;
	/** What this process wrote at an address. */
	ownWritesAt(target: Target): OwnWrites;
	/** Milliseconds since 1970. */
	now(): number;
}

export type BroughtAbout = Reconciliation & { stored: StoredSubscription | undefined };

type LifecycleContext = IHookFunctions | ITriggerFunctions;

/**
 * Reconciles what the service has with what the node asks for, and says what only n8n's log can.
 *
 * The chosen identity is looked up at every activation and start, and by a check when the subscription is not restricted
 * to it, or it was gone the last time: the usual check costs one request.
 *
 * @throws IdentityUnusable when there is no such identity, see `withhold`
 */
export async function bringAbout(
	context: LifecycleContext,
	watch: Watch,
	options: BringAboutOptions,
): Promise<BroughtAbout> {
	const { endpoint, parameters } = watch;
	const { listening, occasion, patience, now } = options;
	if (occasion === 'publish') checkParameters(context, parameters);
	const service = createService(context, patience);
	await checkAddress(context, endpoint, listening, service);
	if (parameters.verify && occasion === 'publish') {
		const once = createService(context, { retry: { ...patience.retry, attempts: 1 } });
		await checkVerification(context, once);
	}
	const { apiKey } = await service.credential();
	const target = targetOf(endpoint, apiKey, watch.stored);
	const isLookedUp = occasion !== 'check' || watch.identity === undefined;
	if (isLookedUp) watch.identity = await identityFor(context, service, watch, target.stored);
	const { identity } = watch;
	const desired = desiredStateOf(target, listening, parameters, identity);
	const ownWrites = options.ownWritesAt(target);
	const result = await reconcile(service, desired, {
		...options,
		target,
		ownWrites,
		isActivation: occasion !== 'check',
		verifiesUrl: occasion === 'publish',
		confirmIdentity: async () => {
			if (!isLookedUp) await identityFor(context, service, watch, target.stored);
		},
		now,
	});
	if (identity) {
		const identityId = isRestricted(result, desired, options) ? desired.identityId : null;
		const scope = { ...endpoint, listening };
		options.restrictions.note(scope, { identityId, identity, subscriptionId: result.id });
	} else {
		options.restrictions.forget({ ...endpoint, listening });
	}
	if (target.stored && isInAnotherAccount(target.stored, result.ownerId ?? '')) {
		context.logger.warn(logMessages.formerAccount(endpoint, target.stored));
	}
	if (usesGateway(endpoint, listening)) tellOfGateway(context, target, occasion, result);
	if (result.refused.length > 0) {
		context.logger.warn(logMessages.refused(endpoint, result.refused));
	}
	return { ...result, stored: toStored(target, listening, result, identity) };
}

/** Where n8n's address has to be entered, and where it is not in the editor: n8n's panel shows it while the node is built. */
function tellOfGateway(
	context: LifecycleContext,
	target: Target,
	occasion: Occasion,
	{ neighbours }: Reconciliation,
): void {
	const isPublished = occasion === 'publish';
	if (isPublished || target.stored?.url !== target.address) {
		context.logger.info(logMessages.handsOn(target));
	}
	if (isPublished && neighbours.length > 0) {
		context.logger.warn(logMessages.sharedGateway(target, neighbours));
	}
}

/**
 * Pauses what would deliver for all identities, as long as the chosen one is gone, and deletes test subscriptions that were
 * left behind. Deliveries that come all the same are refused.
 *
 * @throws the first failure, after everything else was tried
 */
export async function withhold(
	context: LifecycleContext,
	watch: Watch,
	{
		patience,
		ownWritesAt,
		isLeftBehind,
		restrictions,
	}: Pick<BringAboutOptions, 'patience' | 'ownWritesAt' | 'isLeftBehind' | 'restrictions'>,
): Promise<void> {
	const listening = 'production';
	const { endpoint, stored } = watch;
	watch.identity = undefined;
	restrictions.note({ ...endpoint, listening }, { identityId: null });
	const service = createService(context, patience);
	const { apiKey } = await service.credential();
	const target = targetOf(endpoint, apiKey, stored);
	const ownWrites = ownWritesAt(target);
	const { listFailure } = await tearDown(service, {
		target,
		listening,
		retirement: 'pause',
		ownWrites,
		isLeftBehind,
	});
	if (listFailure !== undefined) throw listFailure;
}

/** A service that tells of no subscription what it is restricted to is believed to keep what it was given. */
function isRestricted(
	{ needed, done, tellsIdentities }: Reconciliation,
	desired: DesiredState,
	{ isFutile = () => false }: Pick<BringAboutOptions, 'isFutile'>,
): boolean {
	const isHeld = (action: Action) =>
		!restricts(action, desired) || done.includes(action) || (isFutile(action) && !tellsIdentities);
	return needed.every(isHeld) || done.some((action) => restricts(action, desired));
}

async function identityFor(
	context: LifecycleContext,
	service: EmailIdentityService,
	{ parameters: { chosen }, identity }: Watch,
	stored: StoredSubscription | undefined,
): Promise<ReceivingIdentity | undefined> {
	if (chosen === null) return undefined;
	const former = identity ?? identityOfStored(stored);
	const formerValue = former?.id === chosen.id ? former.value : undefined;
	return await checkIdentity(context, service, chosen, formerValue);
}
