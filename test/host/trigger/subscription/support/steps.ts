import * as fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import type { FaultRule, Sandbox, StoredWebhook } from '../../../../../sandbox';
import type { World } from './instance';

/** How often each step is drawn. */
const WEIGHTS = {
	activate: 6,
	deactivate: 3,
	'rename node': 1,
	'switch credential': 1,
	edit: 2,
	listen: 2,
	'end listening': 2,
	restart: 1,
	move: 1,
	'wait for the check': 1,
	duplicate: 1,
	'copy to the other n8n': 1,
	'edit credential in place': 1,
	'rotate key': 1,
	'delete the identity': 1,
	'bring the identity back': 1,
	interfere: 3,
};

const FAULTS = {
	'500': { answer: { type: 'status', status: 500 } },
	'503': { answer: { type: 'status', status: 503, headers: { 'retry-after': '0' } } },
	'429': { answer: { type: 'status', status: 429, headers: { 'retry-after': '0' } } },
	'401': { answer: { type: 'status', status: 401 } },
	// For a single subscription, a node cannot know that these are wrong.
	'403': { path: '/webhooks', answer: { type: 'status', status: 403 } },
	'404': { path: '/webhooks', answer: { type: 'status', status: 404 } },
	'broken JSON': { answer: { type: 'truncatedJson' } },
	'web page': { answer: { type: 'html' } },
	'no answer, not done': { answer: { type: 'drop' } },
	'no answer, done': { answer: { type: 'drop' }, acts: true },
	gone: { answer: { type: 'drop' } },
} satisfies Record<string, FaultRule>;

/** `crash`: the process is killed. `lag`: the list does not show the newest subscriptions. */
const TROUBLES = { none: 12, crash: 2, lag: 4, fault: 6 };

/** Triggers may share a Delivery URL. */
const GATEWAY = 'https://gateway.example/in/a?key=own%20key';
const OTHER_GATEWAY = ' https://gateway.example/in/a/#b ';

const one = (value: string): INodeParameters => ({
	receiveFor: 'one',
	identityId: { __rl: true, mode: 'id', value },
});

const EDITS = {
	'all identities': () => ({ receiveFor: 'all' }),
	'one identity': (sandbox: Sandbox, userId: string) => one(identityIn(sandbox, userId)),
	'one domain': (sandbox: Sandbox, userId: string) => one(identityIn(sandbox, userId, 'domain')),
	'foreign identity': (sandbox: Sandbox, userId: string) =>
		one(identityIn(sandbox, otherThan(sandbox, userId))),
	gateway: () => ({ advanced: { deliveryUrl: GATEWAY } }),
	'other gateway': () => ({ advanced: { deliveryUrl: OTHER_GATEWAY } }),
	'no gateway': () => ({ advanced: { deliveryUrl: '' } }),
	pause: () => ({ advanced: { onDeactivation: 'pause' } }),
	delete: () => ({ advanced: { onDeactivation: 'delete' } }),
} satisfies Record<string, (sandbox: Sandbox, userId: string) => INodeParameters>;

/** Changes by people in the service. */
const MEDDLING = {
	pause: (sandbox, { id }) => sandbox.editWebhook(id, { enabled: false }),
	// The ID is given to another integration.
	replace: (sandbox, { id }) => {
		sandbox.removeWebhook(id);
		sandbox.addWebhook({ id, url: 'https://crm.example/hooks/new' });
	},
	'copy for another user': (sandbox, webhook, copies) => {
		const copy = { ...webhook, id: undefined, ownerId: 'a colleague' };
		copies.add(sandbox.addWebhook(copy).id);
	},
	delete: (sandbox, { id }) => sandbox.removeWebhook(id),
	double: (sandbox, webhook) => sandbox.addWebhook({ ...webhook, id: undefined }),
	'change address': (sandbox, { id }) =>
		sandbox.editWebhook(id, { url: 'https://typing-error.example/webhook' }),
	'change events': (sandbox, { id }) => sandbox.editWebhook(id, { events: ['message.sent'] }),
	'change identity': (sandbox, { id, ownerId }) =>
		sandbox.editWebhook(id, { identityId: identityIn(sandbox, ownerId) || null }),
	'foreign identity': (sandbox, { id, ownerId }) =>
		sandbox.editWebhook(id, {
			identityId: identityIn(sandbox, otherThan(sandbox, ownerId)) || null,
		}),
	'lift the restriction': (sandbox, { id }) => sandbox.editWebhook(id, { identityId: null }),
	'change description': (sandbox, { id }) => sandbox.editWebhook(id, { description: 'Mine!' }),
	'drop the secret': (sandbox, { id, url }) =>
		sandbox.editWebhook(id, { url: url.replace(/\?.*$/, '') }),
} satisfies Record<
	string,
	(sandbox: Sandbox, webhook: StoredWebhook, copies: Set<string>) => unknown
>;

const keysOf = <Name extends string>(table: Record<Name, unknown>) =>
	fc.constantFrom(...(Object.keys(table) as Name[]));

const weighed = <Name extends string>(table: Record<Name, number>) =>
	fc.constantFrom(
		...Object.entries<number>(table).flatMap(([name, weight]) =>
			Array.from({ length: weight }, () => name as Name),
		),
	);

/** Numbers choose modulo the length of a list. Each step uses only some fields. */
const step = fc.record({
	do: weighed(WEIGHTS),
	workflow: fc.nat(3),
	instance: fc.nat(1),
	account: fc.constantFrom('owner' as const, 'owner' as const, 'owner' as const, 'other' as const),
	edit: keysOf(EDITS),
	meddling: keysOf(MEDDLING),
	trouble: weighed(TROUBLES),
	fault: keysOf(FAULTS),
	/** Requests before a fault, steps that a list lags behind, or moments until a crash. */
	after: fc.nat(7),
	times: fc.integer({ min: 1, max: 3 }),
});

export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const begin = step.map((any) => ({
	...any,
	do: 'activate' as const,
	workflow: 0,
	trouble: 'none' as const,
}));

/** The contract does not exclude these. */
export const oddnesses = fc.record({
	shortWebhookIds: fc.boolean(),
	sharesWebhooks: fc.boolean(),
});

export type Oddness = typeof oddnesses extends fc.Arbitrary<infer One> ? One : never;

export const sequences: fc.Arbitrary<Step[]> = fc
	.tuple(begin, fc.array(step, { minLength: 2, maxLength: 9 }))
	.map(([first, others]) => [first, ...others]);

export function ruleFor({ fault, after, times }: Step): FaultRule {
	return { ...FAULTS[fault], ...(fault !== 'gone' && { skip: after % 4, count: times }) };
}

export function edited(
	{ edit }: Step,
	before: INodeParameters,
	sandbox: Sandbox,
	userId: string,
): INodeParameters {
	const { advanced, ...changes }: INodeParameters = EDITS[edit](sandbox, userId);
	return {
		...before,
		...changes,
		advanced: { ...(before.advanced as INodeParameters), ...(advanced as INodeParameters) },
	};
}

export function meddle(
	{ meddling }: Step,
	{ sandbox, copies }: Pick<World, 'sandbox' | 'copies'>,
	webhook: StoredWebhook,
): void {
	MEDDLING[meddling](sandbox, webhook, copies);
}

function otherThan(sandbox: Sandbox, userId: string): string {
	return Object.values(sandbox.accounts).find((each) => each.userId !== userId)?.userId ?? '';
}

function identityIn(sandbox: Sandbox, userId: string, wanted = 'email'): string {
	const account = Object.values(sandbox.accounts).find((each) => each.userId === userId);
	return account?.identities.find(({ kind }) => kind === wanted)?.id ?? '';
}

export function tellStep({ trouble, fault, after, times, ...doing }: Step): string {
	const wrong = {
		none: '',
		crash: `n8n killed at moment ${after}`,
		lag: `list without the last ${after % 3} steps`,
		fault: `service: ${fault} after ${after % 4} requests, ${times} times`,
	};
	return `${Object.values(doing).join(', ')} ${wrong[trouble]}`;
}
