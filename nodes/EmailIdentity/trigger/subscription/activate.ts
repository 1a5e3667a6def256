import { isRouteMissing, lacksRight } from '../../api/failures/errors';
import { activating } from '../state/subscriptionState';
import { SUBSCRIPTION_MS } from '../times';
import { CannotCreate, urlByHand } from '../webhooks/cannotCreate';
import { checkSubscription } from './check';
import { findChosenIdentity } from './receivingIdentity';
import { withinDeadline, type HookHost, type HookRequest } from '../state/hookRequest';
import { explain } from '../logLines';
import type { SubscriptionMemory } from '../state/memory';
import { readNode, type ActiveNode, type NodeSubscription } from '../state/nodeRecord';
import { openWebhooks, type OwnWebhooks } from './ownWebhooks';
import { desiredStateOf, isInOtherWorkspace, type Goal } from '../webhooks/plan';
import { rememberFailure } from '../state/publication';
import { logFormerAccount, noteActive, reconcile, type Outcome } from './reconcile';

/**
 * The user publishes the workflow or listens for a test event. Afterwards the node has exactly one enabled subscription, and it is as it
 * should be.
 *
 * @throws NodeOperationError that describes the problem and its solution in one line; n8n then calls `delete`
 */
export async function activate(request: HookRequest, memory: SubscriptionMemory): Promise<void> {
	noteActivating(request, memory);
	const publication = memory.publications.begin(request.staticData);
	try {
		// n8n 2.x tries five times: what cannot succeed is refused at once.
		if (publication.refusal) throw publication.refusal;
		publication.isClean = false;
		const deadline = memory.deadline(SUBSCRIPTION_MS.publish);
		await withinDeadline(request, deadline, async (limited) => {
			await memory.states.inTurn(request.endpoint, async () => await publish(limited, memory));
		});
	} catch (error) {
		const isNew = error !== publication.refusal;
		if (isNew && error instanceof CannotCreate) request.log('warn', error.inLog);
		throw request.failure(rememberFailure(publication, error));
	}
}

/** n8n starts or becomes the leader. A failure is logged: if it were thrown, n8n would remove its own URL. */
export async function activateAtStart(
	request: HookRequest,
	memory: SubscriptionMemory,
): Promise<void> {
	const { endpoint } = request;
	noteActivating(request, memory);
	await memory.states.inTurn(endpoint, async () => {
		const node = readNodeAtStart(request, memory);
		if (node === undefined) return;
		const record = memory.states.at(endpoint);
		if (endpoint.listening === 'production') record.node.active = node;
		await checkSubscription(request, node, 'start', memory);
		store(request, record);
	});
}

/** @returns undefined if an expression fails: then the subscription stays as it is */
function readNodeAtStart(request: HookRequest, memory: SubscriptionMemory): ActiveNode | undefined {
	try {
		return readNode(request, false, memory.now);
	} catch (error) {
		request.log('error', explain(error));
		return undefined;
	}
}

function noteActivating(
	{ endpoint, workflowId, stored }: HookRequest,
	memory: SubscriptionMemory,
): void {
	const record = memory.states.at(endpoint);
	record.state = activating(record.state, { address: endpoint.address, workflowId, stored });
}

async function publish(request: HookRequest, memory: SubscriptionMemory): Promise<void> {
	const { endpoint } = request;
	const node = readNode(request, true, memory.now);
	const record = memory.states.at(endpoint);
	if (endpoint.listening === 'production') record.node.active = node;

	const webhooks = await openWebhooks(request, endpoint, memory, record.state.stored);
	await webhooks.requireAddress();

	// All that must be known is asked for at the same time, because a slow service takes a second for each request.
	const { service, target } = webhooks;
	const [identity, snapshot] = await Promise.all([
		findChosenIdentity(service, node.chosen),
		webhooks.observe(),
		checkReading(request, node),
		// The service remembers it for the next steps.
		service.ownerId(),
	]);

	const desired = desiredStateOf(target, node.events, identity, memory.wallClock());
	const goal: Goal = { desired, identity, isActivation: true };
	const outcome = await reconcile(webhooks, goal, snapshot);
	await refuseOtherWorkspace(webhooks, goal, outcome);

	noteActive(webhooks, goal, outcome);
	await logFormerAccount(request, webhooks, outcome);
	store(request, record);
}

/** No message has this ID: its random bits are all 0 (RFC 9562, section 5.4). */
const UNKNOWN_MESSAGE_ID = '00000000-0000-4000-8000-000000000000';

/**
 * Fetches a message that does not exist: the error shows whether messages can be fetched. Verify With the API needs that for every
 * delivery. Other triggers need it for emails to shared identities, which is not worth a warning for a test event.
 *
 * @throws Error if Verify With the API would refuse every email
 */
async function checkReading(host: HookHost, { endpoint, verify }: ActiveNode): Promise<void> {
	if (!verify && endpoint.listening === 'test') return;
	const service = host.service({ retry: SUBSCRIPTION_MS.readingRequest });
	const failure = await service.getMessage(UNKNOWN_MESSAGE_ID).then(
		() => undefined,
		(error: unknown) => error,
	);
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
 * Kurrier 3.5.0 lists a user's identities of all workspaces. Emails to those of another workspace would be ignored.
 *
 * @throws Error if the subscription is in another workspace than the identity
 */
async function refuseOtherWorkspace(
	webhooks: OwnWebhooks,
	{ desired, identity }: Goal,
	{ kept, done }: Outcome,
): Promise<void> {
	if (!kept || !isInOtherWorkspace(kept, identity)) return;
	const isNew = done.some(({ kind }) => kind === 'create');
	// If this fails, n8n's `delete` pauses it.
	if (isNew) await webhooks.carryOut({ kind: 'delete', id: kept.id }).catch(() => undefined);

	const { target } = webhooks;
	const problem = `The identity ${identity?.value ?? identity?.id} is in another workspace than the API key.`;
	const remedy = 'Create an API key in the workspace of the identity';
	if (target.listening === 'test') throw new Error(`${problem} ${remedy}, then listen again.`);
	throw new Error(
		`${problem} ${remedy}, or create the webhook there, with ${urlByHand(target)} and the event ${desired.events.join(', ')}. Then publish again.`,
	);
}

/** Only if it changed, because n8n then saves the static data of the whole workflow. */
function store(request: HookRequest, { state }: NodeSubscription): void {
	if (!state.stored) return;
	const subscription = { ...state.stored };
	if (state.restriction) subscription.restriction = state.restriction.toStore;
	const isSame = JSON.stringify(subscription) === JSON.stringify(request.stored);
	if (!isSame) request.store(subscription);
}
