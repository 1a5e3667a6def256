import * as fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import type { FaultRule, Sandbox, StoredWebhook } from '../../../../../sandbox';
import type { AccountName } from './instance';
import { forOne } from './scene';

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
	'wait for the check': 2,
	duplicate: 1,
	'copy to the other n8n': 1,
	'edit credential in place': 1,
	'rotate key': 1,
	'delete the identity': 1,
	'bring the identity back': 1,
	interfere: 6,
};

export const FAULTS = {
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

const otherThan = (account: AccountName) => (account === 'owner' ? 'other' : 'owner');

/** Empty if it was deleted. */
const idIn = (sandbox: Sandbox, account: AccountName, wanted = 'email') =>
	sandbox.accounts[account].identities.find(({ kind }) => kind === wanted)?.id ?? '';

/** New parameters of a node. Triggers may share a Delivery URL. */
export const EDITS = {
	'all identities': () => ({ receiveFor: 'all' }),
	'one identity': (sandbox, account) => forOne(idIn(sandbox, account)),
	'one domain': (sandbox, account) => forOne(idIn(sandbox, account, 'domain')),
	'foreign identity': (sandbox, account) => forOne(idIn(sandbox, otherThan(account))),
	gateway: () => ({ advanced: { deliveryUrl: 'https://gateway.example/in/a?key=own%20key' } }),
	'other gateway': () => ({ advanced: { deliveryUrl: ' https://gateway.example/in/a/#b ' } }),
	'no gateway': () => ({ advanced: { deliveryUrl: '' } }),
	pause: () => ({ advanced: { onDeactivation: 'pause' } }),
	delete: () => ({ advanced: { onDeactivation: 'delete' } }),
} satisfies Record<string, (sandbox: Sandbox, account: AccountName) => INodeParameters>;

/** Changes of a subscription by people in the service. */
export const MEDDLING = {
	pause: (sandbox, { id }) => sandbox.editWebhook(id, { enabled: false }),
	'give its ID to another integration': (sandbox, { id }) => {
		sandbox.removeWebhook(id);
		sandbox.addWebhook({ id, url: 'https://crm.example/hooks/new' });
	},
	delete: (sandbox, { id }) => sandbox.removeWebhook(id),
	double: (sandbox, webhook) => sandbox.addWebhook({ ...webhook, id: undefined }),
	'copy for another user': (sandbox, webhook) =>
		sandbox.addWebhook({ ...webhook, id: undefined, ownerId: COLLEAGUE }),
	'change address': (sandbox, { id }) =>
		sandbox.editWebhook(id, { url: 'https://typing-error.example/webhook' }),
	'change events': (sandbox, { id }) => sandbox.editWebhook(id, { events: ['message.sent'] }),
	'change identity': (sandbox, { id }, account) =>
		sandbox.editWebhook(id, { identityId: idIn(sandbox, account) || null }),
	'foreign identity': (sandbox, { id }, account) =>
		sandbox.editWebhook(id, { identityId: idIn(sandbox, otherThan(account)) || null }),
	'lift the restriction': (sandbox, { id }) => sandbox.editWebhook(id, { identityId: null }),
	'change description': (sandbox, { id }) => sandbox.editWebhook(id, { description: 'Mine!' }),
	'drop the secret': (sandbox, { id, url }) =>
		sandbox.editWebhook(id, { url: url.replace(/\?.*$/, '') }),
} satisfies Record<
	string,
	(sandbox: Sandbox, webhook: StoredWebhook, account: AccountName) => unknown
>;

/** Copies for this user are no business of any node. */
export const COLLEAGUE = 'a colleague';

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
	account: weighed({ owner: 3, other: 1 }),
	edit: keysOf(EDITS),
	meddling: keysOf(MEDDLING),
	trouble: weighed(TROUBLES),
	fault: keysOf(FAULTS),
	/** Requests before a fault, or moments until a crash. */
	after: fc.nat(7),
	times: fc.integer({ min: 1, max: 3 }),
});

export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** The contract does not exclude these. */
export const oddnesses = fc.record({
	shortWebhookIds: fc.boolean(),
	sharesWebhooks: fc.boolean(),
});

export type Oddness = typeof oddnesses extends fc.Arbitrary<infer One> ? One : never;

/** First, the only workflow is activated. */
export const sequences: fc.Arbitrary<Step[]> = fc
	.tuple(step, fc.array(step, { minLength: 2, maxLength: 9 }))
	.map(([first, others]) => [{ ...first, do: 'activate', trouble: 'none' }, ...others]);
