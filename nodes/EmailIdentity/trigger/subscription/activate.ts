import { isRouteMissing, lacksRight } from '../../api/errors';
import type { ReceivingIdentity } from '../staticData';
import { activating } from '../subscriptionState';
import { SUBSCRIPTION_MS } from '../times';
import { CannotCreate } from './cannotCreate';
import { checkSubscription } from './check';
import { lookUpChosen } from './chosenIdentity';
import { TookTooLong, withinDeadline } from './deadline';
import { causeOf, FailureReports } from './failureReports';
import { explain, type HookRequest } from './hookRequest';
import type { Host } from './host';
import type { ActiveNode, Publication, SubscriptionMemory, NodeSubscription } from './nodeRecord';
import { noteActive } from './noteActive';
import { OwnWebhooks, targetFor } from './ownWebhooks';
import { desiredStateOf, isElsewhere, type DesiredState } from './plan';
import { observe, reconcile, type Outcome } from './reconcile';
import { CheckSchedule } from './schedule';
import { nameElsewhere, nameFormerAccount } from './strandedWebhooks';
import { addressRefusal, nodeParameterOf } from './subscriptionUrl';

/**
 * The user publishes the workflow or listens for a test event: afterwards exactly one enabled subscription is right.
 *
 * @throws NodeOperationError that describes the problem and its solution in one line; n8n then calls `delete`
 */
export async function activate(request: HookRequest, memory: SubscriptionMemory): Promise<void> {
	const { endpoint } = request;
	const publication = beginAttempt(request, memory);
	try {
		if (publication.refusal) throw publication.refusal;
		publication.isClean = false;
		const signal = memory.deadline(SUBSCRIPTION_MS.publish);
		await withinDeadline(request, signal, async (limited) => {
			await memory.states.inTurn(endpoint, async () => await publish(limited, memory));
		});
	} catch (error) {
		const isNew = error !== publication.refusal;
		if (isNew && error instanceof CannotCreate) request.log('warn', error.inLog);
		throw request.failure(learn(publication, error));
	}
}

/** n8n starts or becomes the leader: a failure is logged, because n8n would remove its own URL if it were thrown. */
export async function activateAtStart(
	request: HookRequest,
	memory: SubscriptionMemory,
): Promise<void> {
	const { endpoint } = request;
	begin(request, memory);
	await memory.states.inTurn(endpoint, async () => {
		const node = readNode(request, memory);
		const record = memory.states.at(endpoint);
		if (endpoint.listening === 'production') record.node.active = node;
		await checkSubscription(request, node, 'start', memory);
		store(request, record);
	});
}

function begin(request: HookRequest, memory: SubscriptionMemory): NodeSubscription {
	const { endpoint, workflowId, stored } = request;
	const record = memory.states.at(endpoint);
	record.node.leftTest = undefined;
	record.state = activating(record.state, { address: endpoint.address, workflowId, stored });
	return record;
}

/** Finds what earlier attempts of the same publishing learned. */
function beginAttempt(request: HookRequest, memory: SubscriptionMemory): Publication {
	begin(request, memory);
	const { publications, now } = memory;
	const before = publications.get(request.staticData);
	const isSame = before !== undefined && now() - before.since < SUBSCRIPTION_MS.publication;
	const publication = isSame
		? before
		: { since: now(), attempts: 0, hasFailed: false, isClean: false };
	publication.attempts++;
	publication.hasFailed = false;
	publications.set(request.staticData, publication);
	return publication;
}

/** @returns what the user reads: at the deadline, the last answer of the service in any attempt */
function learn(publication: Publication, error: unknown): unknown {
	publication.hasFailed = true;
	if (error instanceof TookTooLong) return publication.lastFailure ?? error;
	publication.lastFailure = error;
	const isLasting = causeOf(error) !== undefined;
	if (isLasting) publication.refusal = error instanceof Error ? error : new Error(explain(error));
	return error;
}

async function publish(request: HookRequest, memory: SubscriptionMemory): Promise<void> {
	const { endpoint } = request;
	const node = readNode(request, memory, true);
	const record = memory.states.at(endpoint);
	if (endpoint.listening === 'production') record.node.active = node;

	const service = request.service({ retry: memory.retry });
	const { apiKey, baseUrl, allowPrivateWebhookUrls } = await service.credential();
	const refusal = addressRefusal(endpoint, allowPrivateWebhookUrls);
	if (refusal !== undefined) throw new Error(refusal);

	// All that must be known is asked for at the same time, because a slow service takes a second for each request.
	const target = targetFor(endpoint, apiKey, record.state.stored);
	const webhooks = new OwnWebhooks(service, target, baseUrl, memory);
	const [identity, snapshot] = await Promise.all([
		lookUpChosen(service, node.chosen),
		observe(webhooks, record),
		checkReading(request, node),
		service.ownerId(),
	]);

	nameElsewhere(request, record, snapshot);
	const desired = desiredStateOf(target, node.events, identity, memory.clock());
	const goal = { desired, isActivation: true, workspaceId: identity?.workspaceId };
	const outcome = await reconcile(webhooks, record, goal, snapshot);
	await refuseElsewhere(webhooks, outcome, identity, desired);

	noteActive(record, target, desired, identity, outcome, memory);
	await nameFormerAccount(request, webhooks, outcome);
	store(request, record);
}

function readNode(request: HookRequest, memory: SubscriptionMemory, isChecked = false): ActiveNode {
	const { endpoint, occasion, options, parameters } = request;
	return {
		...parameters(isChecked),
		endpoint,
		verify: options.verify,
		checks: new CheckSchedule(options.checkEvery * SUBSCRIPTION_MS.tick, memory.now),
		reports: new FailureReports(occasion === 'start', memory.now),
	};
}

/** No message has this ID (RFC 9562, section 5.4: a random UUID is never all zeros). */
const UNKNOWN_MESSAGE_ID = '00000000-0000-4000-8000-000000000000';

/**
 * Fetches a message that does not exist. The error shows whether messages can be fetched, which Verify With the API needs for
 * every delivery, and other triggers for emails to shared identities.
 *
 * @throws Error if Verify With the API would refuse every email
 */
async function checkReading(host: Host, { endpoint, verify }: ActiveNode): Promise<void> {
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

/**
 * Kurrier 3.5.0 lists a user's identities of all workspaces. Their emails would be ignored as those of another workspace.
 *
 * @throws Error if the subscription is in another workspace than the identity
 */
async function refuseElsewhere(
	webhooks: OwnWebhooks,
	{ kept, done }: Outcome,
	identity: ReceivingIdentity | undefined,
	{ events }: DesiredState,
): Promise<void> {
	if (!kept || !isElsewhere(kept, identity?.workspaceId)) return;
	const isNew = done.some(({ kind }) => kind === 'create');
	// If this fails, n8n's `delete` pauses it.
	if (isNew) await webhooks.remove(kept.id).catch(() => undefined);
	const { address, deliveryUrl, listening } = webhooks.target;
	const key = `Create an API key in the workspace of the identity ${identity?.value ?? identity?.id}`;
	if (listening === 'test')
		throw new Error(`${key}, then listen again: the webhook would be in another workspace.`);
	const url =
		deliveryUrl === ''
			? `the URL ${address}`
			: `the 'Delivery URL', with ${nodeParameterOf(webhooks.target)} added to its query,`;
	throw new Error(
		`${key}, or create the webhook there, with ${url} and the event ${events.join(', ')}, then publish again: the webhook ` +
			'is in another workspace.',
	);
}

/** Only what changed, because n8n then saves the static data of the whole workflow. */
function store(request: HookRequest, { state }: NodeSubscription): void {
	if (!state.stored) return;
	const look = state.look?.stored ?? state.stored.look;
	const subscription = look ? { ...state.stored, look } : state.stored;
	if (JSON.stringify(subscription) !== JSON.stringify(request.stored)) request.store(subscription);
}
