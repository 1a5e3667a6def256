import { createDeliveryMemory } from '../../../nodes/EmailIdentity/trigger/delivery/deliveryHost';
import { OwnIdentityLists } from '../../../nodes/EmailIdentity/shared/reading/ownIdentities';
import {
	dated,
	restrictionSeen,
	SubscriptionStates,
} from '../../../nodes/EmailIdentity/trigger/state/subscriptionState';
import type { SimplifiedEmail } from '../../../nodes/EmailIdentity/shared/reading/simplifiedEmail';
import {
	answeringService,
	emailWith,
	itemsOf,
	SCOPE,
	STORED,
	type Told,
} from '../trigger/delivery/support/requests';

const IDENTITIES = [
	{ id: '1', kind: 'email', value: 'sales@example.com' },
	{ id: '2', kind: 'email', value: 'office@example.com' },
	{ id: '3', kind: 'domain', value: 'domain.example' },
];

function startNode(identities: unknown = IDENTITIES) {
	const subscriptions = new SubscriptionStates();
	const memory = createDeliveryMemory(subscriptions);
	const { asked, service } = answeringService({ identities });
	const deliver = async (header: string[], told: Told = {}) => {
		const rawEmail = emailWith('From: ada@sender.example', ...header);
		const message = { deliveredTo: null, ...told.message };
		const [item] = await itemsOf({ memory, rawEmail, service, ...told, message });
		const { delivery, thread } = item?.json as unknown as SimplifiedEmail;
		return { ...delivery, answer: thread.answer, noAnswer: thread.noAnswer };
	};
	return { subscriptions, asked, deliver };
}

const ON_TOP = 'Delivered-To: office@example.com';

test.each<[string, string[], object, string | null, string | null]>([
	['by the header', [ON_TOP], {}, 'office@example.com', null],
	[
		"by the service's word before the header's",
		[ON_TOP],
		{ deliveredTo: 'Sales+Orders@Example.com' },
		'Sales@example.com',
		'Orders',
	],
])('the recipient and its tag %s', async (_, header, message, recipient, tag) => {
	const node = startNode();
	const found = await node.deliver([...header, 'To: list@example.org'], { message });
	expect(found).toMatchObject({ recipient, tag });
});

test('an unknown recipient is the identity in To or Cc, and the service is asked once', async () => {
	const node = startNode();
	const all = await Promise.all([
		node.deliver(['To: Ada <ada@example.org>, Sales+orders@example.com']),
		node.deliver(['To: sales@example.com, office@example.com']),
		node.deliver(['To: ada@example.org']),
	]);
	expect(all).toMatchObject([
		{ recipient: 'Sales@example.com', tag: 'orders' },
		{ recipient: null, tag: null },
		{ recipient: null },
	]);
	expect(node.asked).toHaveLength(1);
});

test.each([
	['the recipient', [ON_TOP, 'Reply-To: Office+1@example.com'], 0],
	[
		'another identity, if only To names one',
		['To: sales@example.com', 'Reply-To: office@example.com'],
		1,
	],
	[
		'another identity, if a header names the recipient',
		[ON_TOP, 'Reply-To: sales+1@example.com'],
		1,
	],
])('thread.answer never goes to %s', async (_what, header, asked) => {
	const node = startNode();
	expect(await node.deliver(header)).toMatchObject({ answer: null, noAnswer: 'ownAddress' });
	expect(node.asked).toHaveLength(asked);
});

test('an address of a domain that the account has is not an own address by that alone', async () => {
	const found = await startNode().deliver([ON_TOP, 'Reply-To: ada@domain.example']);
	expect(found.answer?.to).toBe('ada@domain.example');
});

test('if the service does not return its identities, the recipient alone is own', async () => {
	const node = startNode(new Error('503'));
	const own = await node.deliver([ON_TOP, 'Reply-To: office@example.com']);
	const other = await node.deliver([ON_TOP, 'Reply-To: sales@example.com']);
	expect([own.noAnswer, other.answer?.to]).toEqual(['ownAddress', 'sales@example.com']);
});

const ONE = { ...STORED, identity: { id: 'i-1', value: 'sales@example.com', isDomain: false } };

test.each([
	['nobody in To', 'undisclosed-recipients:;', 'sales@example.com', null],
	['its tag in To', 'Sales+orders@example.com', 'Sales@example.com', 'orders'],
	['another identity in To', 'office@example.com', 'sales@example.com', null],
])(
	'for One Identity with %s, the recipient is the chosen address',
	async (_, to, recipient, tag) => {
		const node = startNode();
		const restriction = dated({ restrictedTo: 'i-1' });
		const record = node.subscriptions.at(SCOPE);
		record.state = restrictionSeen(record.state, restriction);
		const parameters = { identityId: 'i-1' };
		const found = await node.deliver([`To: ${to}`], { parameters, stored: ONE });
		expect(found).toMatchObject({ recipient, tag });
	},
);

test('a service that does not return its identities is not asked again soon, and the email starts the workflow', async () => {
	const node = startNode(new Error('503'));
	expect(await node.deliver(['To: sales@example.com'])).toMatchObject({ recipient: null });
	expect(await node.deliver(['To: office@example.com'])).toMatchObject({ recipient: null });
	expect(node.asked).toHaveLength(1);
});

test('the identities of two credentials are kept apart', async () => {
	const lists = new OwnIdentityLists();
	const first = await lists.ask('1', async () => await Promise.resolve(IDENTITIES));
	const second = await lists.ask('2', async () => await Promise.resolve([]));
	const address = 'sales@example.com';
	expect([first?.isOwn(address), second?.isOwn(address)]).toEqual([true, false]);
});
