import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { StoredWebhook } from '../../../../sandbox';
import { accountOf, handMadeUrl, pointingAt, type Situated } from './expectations';
import type { Edit, Interference } from './steps';
import type { TriggerNode, World } from './world';

/** What is done to a subscription that is there. */
type Meddle = (world: World, webhook: StoredWebhook) => unknown;

const MEDDLING: Record<Exclude<Interference, 'make one by hand'>, Meddle> = {
	pause: ({ sandbox }, { id }) => sandbox.editWebhook(id, { enabled: false }),
	delete: ({ sandbox }, { id }) => sandbox.removeWebhook(id),
	double: ({ sandbox }, webhook) => sandbox.addWebhook({ ...webhook, id: randomUUID() }),
	'change address': ({ sandbox }, { id }) =>
		sandbox.editWebhook(id, { url: 'https://typing-error.example/webhook' }),
	'change events': ({ sandbox }, { id }) => sandbox.editWebhook(id, { events: ['message.sent'] }),
	'change identity': ({ sandbox }, { id, ownerId }) =>
		sandbox.editWebhook(id, { identityId: identityIn(sandbox, ownerId) }),
	'foreign identity': ({ sandbox }, { id, ownerId }) =>
		sandbox.editWebhook(id, { identityId: identityIn(sandbox, otherThan(sandbox, ownerId)) }),
	'lift the restriction': ({ sandbox }, { id }) => sandbox.editWebhook(id, { identityId: null }),
	'change description': ({ sandbox }, { id }) => sandbox.editWebhook(id, { description: 'Mine!' }),
	'drop the secret': ({ sandbox }, { id, url }) =>
		sandbox.editWebhook(id, { url: url.replace(/\?.*$/, '') }),
};

/** Someone changes a workflow's subscription in the service. */
export function interfere(world: World, situated: Situated, what: Interference): void {
	if (what === 'make one by hand') return makeByHand(world, situated);
	const [webhook] = pointingAt(world, situated, 'production');
	if (webhook) MEDDLING[what](world, webhook);
}

/** At the node's address, as the error of a service that cannot create any says. */
function makeByHand(world: World, { workflow, instance, handMade }: Situated): void {
	const node = workflow.published ?? workflow.draft;
	const { userId: ownerId } = accountOf(world, instance, node);
	const url = handMadeUrl(node, instance);
	handMade.add(world.sandbox.addWebhook({ ownerId, url }).id);
}

export function renameNode(node: TriggerNode): TriggerNode {
	return { ...node, name: `Mail ${randomUUID()}` };
}

export function otherCredential(node: TriggerNode): TriggerNode {
	return { ...node, credential: node.credential === 'first' ? 'second' : 'first' };
}

/** The node after someone changed its parameters. */
export function editNode(
	world: World,
	{ workflow, instance }: Situated,
	change: Edit,
): TriggerNode {
	const { draft } = workflow;
	const { sandbox } = world;
	const { userId } = accountOf(world, instance, draft);
	const changes: Record<Edit, TriggerNode['parameters']> = {
		'all identities': { receiveFor: 'all' },
		'one identity': one(identityIn(sandbox, userId)),
		'one domain': one(identityIn(sandbox, userId, 'domain')),
		'foreign identity': one(identityIn(sandbox, otherThan(sandbox, userId))),
		gateway: { advanced: { deliveryUrl: GATEWAY } },
		'other gateway': { advanced: { deliveryUrl: OTHER_GATEWAY } },
		'no gateway': { advanced: { deliveryUrl: '' } },
		pause: { advanced: { onDeactivation: 'pause' } },
		delete: { advanced: { onDeactivation: 'delete' } },
	};
	const { advanced, ...parameters } = changes[change];
	const before = draft.parameters.advanced as INodeParameters | undefined;
	return {
		...draft,
		parameters: {
			...draft.parameters,
			...parameters,
			advanced: { ...before, ...(advanced as INodeParameters | undefined) },
		},
	};
}

/** All workflows share these: two triggers may well have one Delivery URL. */
const GATEWAY = 'https://gateway.example/in/a?key=own%20key';
const OTHER_GATEWAY = ' https://gateway.example/in/a/#b ';

function one(identityId: string): TriggerNode['parameters'] {
	return { receiveFor: 'one', identityId: { __rl: true, mode: 'id', value: identityId } };
}

function otherThan(sandbox: World['sandbox'], userId: string): string {
	return Object.values(sandbox.accounts).find((each) => each.userId !== userId)?.userId ?? '';
}

/** The first of that kind. */
function identityIn(
	sandbox: World['sandbox'],
	userId: string,
	wanted: 'email' | 'domain' = 'email',
): string {
	const account = Object.values(sandbox.accounts).find((each) => each.userId === userId);
	return account?.identities.find(({ kind }) => kind === wanted)?.id ?? '';
}
