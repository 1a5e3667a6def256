import { createDeliveryMemory } from '../../../../../nodes/EmailIdentity/trigger/delivery/deliveryHost';
import {
	dated,
	restrictionSeen,
	SubscriptionStates,
} from '../../../../../nodes/EmailIdentity/trigger/state/subscriptionState';
import {
	answeringService,
	emailWith,
	outcomeOf,
	SCOPE,
	SECRET,
	STORED,
	type Told,
} from '../support/requests';

/** Kurrier 3.5.0 delivers all mail to a subscription whose identity was deleted. */

const SALES = { id: 'i-sales', value: 'sales@example.test', isDomain: false };
const DOMAIN = { id: 'i-domain', value: 'example.test', isDomain: true };
const SECONDS = 1000;
const MINUTES = 60 * SECONDS;

afterEach(() => {
	jest.restoreAllMocks();
});

function startNode(identity = SALES) {
	const lines: string[] = [];
	const repairs: string[] = [];
	const subscriptions = new SubscriptionStates(() => repairs.push('now'));
	const memory = createDeliveryMemory(subscriptions);
	let now = Date.UTC(2026, 10, 22);
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	const { asked, service } = answeringService({
		identities: [],
		[`identity ${identity.id}`]: identity,
		get webhooks() {
			const { shown, listed } = node;
			return shown instanceof Error ? shown : [{ url: OWN_URL, ...shown }, ...listed];
		},
	});
	const node = {
		asked,
		lines,
		repairs,
		shown: { identityId: identity.id } as Record<string, unknown> | Error,
		listed: [] as Array<Record<string, unknown>>,
		wait: (milliseconds: number) => (now += milliseconds),
		deliver: async ({ deliveredTo = null, header = [], to, ...told }: Letter = {}) =>
			await outcomeOf({
				memory,
				log: (level, outcome) => lines.push(`${level}: ${outcome}`),
				service,
				stored: { ...STORED, identity },
				message: { deliveredTo },
				rawEmail: emailWith(`To: ${to ?? 'undisclosed-recipients:;'}`, ...header),
				parameters: { identityId: identity.id, ignoreDuplicates: 'off', simplify: false },
				...told,
			}),
		note(identityId: string | null | undefined): void {
			const record = subscriptions.at(SCOPE);
			record.state = restrictionSeen(record.state, dated({ restrictedTo: identityId }));
		},
	};
	return node;
}

const OWN_URL = `https://n8n.example/webhook?token=${encodeURIComponent(SECRET)}`;

interface Letter extends Told {
	deliveredTo?: string | null;
	header?: string[];
	to?: string;
}

const ALIAS: Letter = { deliveredTo: 'verkauf@example.test' };
const UNTOLD: Letter = {};
const BY_TO_ALONE: Letter = { to: 'sales@example.test' };
const BY_HEADER: Letter = { header: ['Delivered-To: <sales@example.test>'] };

test.each<Letter>([
	{ deliveredTo: 'sales@example.test' },
	{ deliveredTo: 'Sales@Example.TEST' },
	{ deliveredTo: 'sales+orders@example.test' },
])(
	'mail to the address, as %j, starts the workflow without a request to the service',
	async (letter) => {
		const node = startNode();
		node.note(null);
		expect(await node.deliver(letter)).toBe('started');
		expect(node.asked).toEqual([]);
	},
);

test.each<Letter>([
	ALIAS,
	UNTOLD,
	BY_TO_ALONE,
	BY_HEADER,
	{ deliveredTo: 'sales@example.test.evil.example' },
])(
	'other mail, as %j, starts the workflow while the subscription is restricted',
	async (letter) => {
		const node = startNode();
		expect(await node.deliver(letter)).toBe('started');
		expect(node.asked).toEqual(['webhooks']);
		node.shown = { identityId: null };
		node.wait(31 * SECONDS);
		expect(await node.deliver(letter)).toBe('otherIdentity');
		expect(node.repairs).toEqual(['now']);
	},
);

test('a restriction seen within 30 seconds is believed, and a lost one is requested again', async () => {
	const node = startNode();
	node.note(SALES.id);
	node.wait(30 * SECONDS);
	expect(await node.deliver(UNTOLD)).toBe('started');
	expect(node.asked).toEqual([]);
	node.note(null);
	expect(await node.deliver(UNTOLD)).toBe('started');
	expect(node.asked).toEqual(['webhooks']);
});

test('waiting deliveries share one request', async () => {
	const node = startNode();
	const answers = await Promise.all(
		[UNTOLD, ALIAS, BY_TO_ALONE].map((letter) => node.deliver(letter)),
	);
	expect(answers).toEqual(['started', 'started', 'started']);
	expect(node.asked).toEqual(['webhooks']);
});

test('a service that cannot be asked is believed for an hour, then deliveries are answered 503 and logged as errors', async () => {
	const node = startNode();
	node.note(SALES.id);
	node.shown = new Error('429');
	node.wait(59 * MINUTES);
	expect(await node.deliver(UNTOLD)).toBe('started');
	node.wait(2 * MINUTES);
	expect(node.lines).toEqual([]);
	expect(await node.deliver(UNTOLD)).toBe('503');
	expect(node.lines).toEqual(['error: refused']);
	expect(await node.deliver(BY_HEADER)).toBe('started');
	node.note(null);
	expect(await node.deliver(UNTOLD)).toBe('otherIdentity');
	expect(await node.deliver({ deliveredTo: 'sales@example.test' })).toBe('started');
});

test.each([
	['started', 1],
	['started', 58],
	['503', 62],
	['503', -2],
])(
	'after a restart of n8n, an email is %s if the service cannot be asked and showed the restriction %d minutes ago',
	async (outcome, minutes) => {
		const node = startNode();
		node.shown = new Error('401');
		const restriction = { restrictedTo: SALES.id, seenAt: Date.now() - minutes * MINUTES };
		const stored = { ...STORED, identity: SALES, restriction };
		expect(await node.deliver({ ...UNTOLD, stored })).toBe(outcome);
	},
);

test('a service is believed if it shows the restriction of no subscription, but not if it shows those of others', async () => {
	const node = startNode();
	node.shown = {};
	expect(await node.deliver(ALIAS)).toBe('started');
	node.listed = [{ id: 's-2', identityId: 'i-other' }];
	node.wait(31 * SECONDS);
	expect(await node.deliver(ALIAS)).toBe('otherIdentity');
});

test('a copy that belongs to another user and is restricted hides no lost restriction', async () => {
	const node = startNode();
	node.shown = { identityId: null };
	node.listed = [{ id: 's-2', url: OWN_URL, identityId: SALES.id }];
	expect(await node.deliver(UNTOLD)).toBe('otherIdentity');
	[node.shown, node.listed] = [{ identityId: SALES.id }, [{ url: OWN_URL, identityId: null }]];
	node.wait(31 * SECONDS);
	expect(await node.deliver(UNTOLD)).toBe('otherIdentity');
});

test('a delivery is answered 503 if the service does not show the subscription', async () => {
	const node = startNode();
	node.shown = { url: 'https://n8n.example/webhook?token=other', identityId: SALES.id };
	expect(await node.deliver(ALIAS)).toBe('503');
});

test('an identity that n8n did not save yet is looked up', async () => {
	const node = startNode();
	expect(await node.deliver({ deliveredTo: 'sales@example.test', stored: STORED })).toBe('started');
	expect(node.asked).toEqual(['identity i-sales']);
});

test.each<[string, Letter]>([
	['started', { deliveredTo: 'anybody+tag@EXAMPLE.test' }],
	['otherIdentity', { deliveredTo: 'sales@pending.test' }],
	['otherIdentity', { deliveredTo: 'sales@mail.example.test' }],
	['otherIdentity', { deliveredTo: 'sales@notexample.test' }],
	['started', { to: 'Ada <ada@example.test>' }],
	['otherIdentity', { to: 'ada@elsewhere.test' }],
	['otherIdentity', { deliveredTo: 'a@b.c', to: 'a@example.test' }],
])('mail for a domain is %s by %j, without a request to the service', async (outcome, letter) => {
	const node = startNode(DOMAIN);
	expect(await node.deliver(letter)).toBe(outcome);
	expect(node.asked).toEqual([]);
});
