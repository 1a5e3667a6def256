import type { Entry } from '../../../nodes/EmailIdentity/api/data/json';
import {
	createDeliveryMemory,
	type DeliveryHost,
} from '../../../nodes/EmailIdentity/trigger/delivery/deliveryHost';
import { deriveSecret, digestSecret } from '../../../nodes/EmailIdentity/shared/secret';
import type { StoredSubscription } from '../../../nodes/EmailIdentity/trigger/staticData';
import {
	answeringService,
	answerTo,
	failure,
	outcomeOf,
	SCOPE,
	STORED,
	type Told,
} from '../trigger/delivery/support/requests';

/** Kurrier 3.5.0 delivers the mail of all accounts. */

const API_KEY = 'key-of-the-test';

const OWN = { ownerId: 'owner-1', workspaceId: 'workspace-1' };
const COLLEAGUE = { ownerId: 'owner-2', workspaceId: 'workspace-1' };
const ELSEWHERE = { ownerId: 'owner-2', workspaceId: 'workspace-2' };

const NO_MESSAGE = failure(404);
const NO_ROUTE = failure(404, { isRouteMissing: true });

afterEach(() => {
	jest.restoreAllMocks();
});

function startNode() {
	const memory = createDeliveryMemory();
	const answers: Record<string, unknown> = {};
	const { asked, service } = answeringService(answers);
	const credential = { apiKey: API_KEY, baseUrl: '', allowPrivateWebhookUrls: false };
	service.credential = async () => await Promise.resolve(credential);
	const deliver = async (message: object, { parameters, ...told }: Told = {}) =>
		await outcomeOf({
			memory,
			service,
			message,
			...told,
			parameters: { ignoreDuplicates: 'off', ...parameters },
		});
	/** Besides the identities, which `thread.answer` depends on. */
	const askedAboutOwner = () => asked.filter((what) => what !== 'identities');
	return { asked, askedAboutOwner, answers, service, deliver };
}

test.each<[string, object]>([
	['started', OWN],
	['started', { ownerId: 'OWNER-1', workspaceId: null }],
	['started', { ownerId: null, workspaceId: 'Workspace-1' }],
	['started', {}],
	['otherAccount', ELSEWHERE],
	['otherAccount', { ownerId: 'owner-1', workspaceId: 'workspace-2' }],
	['otherAccount', { workspaceId: 'workspace-2' }],
])('%s, without a request about its owner: mail of %j', async (outcome, account) => {
	const { deliver, askedAboutOwner } = startNode();

	expect(await deliver(account)).toBe(outcome);
	expect(askedAboutOwner()).toEqual([]);
});

test.each<[string, object]>([
	['started', { ownerId: 'owner-1', workspaceId: 'workspace-2' }],
	['503', ELSEWHERE],
])('if the subscription has no workspace, the owner decides: %s', async (outcome, account) => {
	const stored = { ...STORED, workspaceId: null };

	expect(await startNode().deliver(account, { stored })).toBe(outcome);
});

const SHARED = [{ id: 'i-1', value: 'shared@example.org' }];

test.each<[string, Error, Entry[] | Error]>([
	['is in trouble', failure(503), SHARED],
	['refuses the key', failure(401), SHARED],
	['says that the key lacks a permission', failure(403, { lacksRight: true }), SHARED],
	['does not answer', failure(), SHARED],
	['does not list its identities', NO_ROUTE, failure(500)],
])(
	'a delivery is answered 503 if the service %s, and its repeat starts the workflow',
	async (_, message, identities) => {
		const { deliver, answers } = startNode();
		const mail = { id: 'm-1', deliveredTo: 'shared@example.org', ...COLLEAGUE };
		Object.assign(answers, { message, identities });
		expect(await deliver(mail)).toBe('503');
		answers.message = { id: 'm-1' };

		expect(await deliver(mail)).toBe('started');
	},
);

test('the log names the permission that the key lacks', async () => {
	const lines: string[] = [];
	const { deliver, answers } = startNode();
	const description = 'It needs emails:receive.';
	answers.message = failure(403, { lacksRight: true, description });
	await deliver({ id: 'm-1', ...COLLEAGUE }, { log: (_level, _outcome, why) => lines.push(why) });

	expect(lines).toEqual([expect.stringContaining(description)]);
});

test.each<[string, Partial<StoredSubscription> | undefined]>([
	['of an older version', { workspaceId: undefined }],
	['without an owner', { ownerId: '' }],
	['of another secret', { secretDigest: digestSecret('other') }],
	['damaged', { secretDigest: 7 as never }],
	['lost', undefined],
])('the owner is requested once if the stored subscription is %s', async (_, changed) => {
	const { deliver, answers, askedAboutOwner } = startNode();
	const secret = deriveSecret(API_KEY, SCOPE);
	const stored = changed && { ...STORED, secretDigest: digestSecret(secret), ...changed };
	const told = { secret, stored };
	expect(await deliver(OWN, told)).toBe('503');
	answers.user = OWN.ownerId;
	answers.webhooks = [
		{ id: 's-0', url: 'https://elsewhere.example/?token=other', ownerId: 'owner-2' },
		// A copy in the list of a service that shows the webhooks of all users.
		{ id: 's-2', url: `https://n8n.example/?token=${secret}`, ...ELSEWHERE },
		{ id: 's-1', url: `https://n8n.example/?token=${secret}`, ...OWN },
	];

	expect(await deliver(OWN, told)).toBe('started');
	expect(await deliver(ELSEWHERE, told)).toBe('otherAccount');
	expect(askedAboutOwner()).toEqual(['user', 'webhooks', 'user', 'webhooks']);
});

test('with Verify With the API, mail that the key can read starts the workflow, unless it is of another workspace', async () => {
	const { deliver, answers, asked } = startNode();
	const parameters = { verify: true };
	answers.message = { ...COLLEAGUE, deliveredTo: 'shared@example.org' };
	expect(await deliver(ELSEWHERE, { parameters })).toBe('started');
	answers.message = ELSEWHERE;
	expect(await deliver({}, { parameters })).toBe('otherAccount');
	expect(asked).toEqual(['message', 'message']);
});

test.each<[string, object, RegExp]>([
	[
		'once an hour if the service does not show them',
		{ message: NO_ROUTE, identities: [] },
		/share/,
	],
	['not if the service knows it', { message: NO_MESSAGE }, /^otherAccount$/],
])(
	'the log says that foreign mail may be for a shared identity: %s',
	async (_, given, expected) => {
		const { deliver, answers } = startNode();
		Object.assign(answers, given);
		const memory = createDeliveryMemory();
		const log = jest.fn<void, Parameters<DeliveryHost['log']>>();
		await deliver({ id: 'm-1', deliveredTo: 'x@example.org', ...COLLEAGUE }, { memory, log });
		const [level, , why, throttle] = log.mock.lastCall ?? [];

		expect([level, why]).toEqual(['info', expect.stringMatching(expected)]);
		expect(throttle === memory.hourlyThrottle).toBe(expected.test('share'));
	},
);

test.each([
	['is reported', COLLEAGUE, true],
	['of another workspace is not', ELSEWHERE, false],
])('while you listen for a test event, foreign mail %s', async (_, account, expected) => {
	const { service, answers } = startNode();
	answers.message = NO_MESSAGE;
	const scope = { ...SCOPE, listening: 'test' as const };
	const answer = await answerTo({ scope, service, message: account });

	expect(answer.outcome === 'ignored' && answer.report !== undefined).toBe(expected);
});

test.each<[string, object, object]>([
	['started', { deliveredTo: 'Shared+tag@EXAMPLE.ORG' }, NO_ROUTE],
	['otherAccount', { deliveredTo: 'private@example.org' }, NO_ROUTE],
	['otherAccount', { deliveredTo: '', to: 'shared@example.org' }, NO_ROUTE],
	['otherAccount', { deliveredTo: 'shared@example.org' }, NO_MESSAGE],
	['started', { deliveredTo: 'private@example.org' }, { id: 'm-1' }],
])('%s: mail of a colleague with %j', async (outcome, told, message) => {
	const { deliver, answers } = startNode();
	Object.assign(answers, { message, identities: SHARED });

	expect(await deliver({ ...COLLEAGUE, ...told })).toBe(outcome);
});

describe('an identity that was shared a moment ago', () => {
	const mail = { deliveredTo: 'shared@example.org', ...COLLEAGUE };

	test('is found by requesting the list again, once for all waiting deliveries', async () => {
		const { deliver, answers, asked } = startNode();
		Object.assign(answers, { message: NO_ROUTE, identities: [] });
		expect(await deliver(mail)).toBe('otherAccount');
		answers.identities = SHARED;
		const later = performance.now() + 1;
		jest.spyOn(performance, 'now').mockReturnValue(later);

		expect(await Promise.all([deliver(mail), deliver(mail), deliver(mail)])).toEqual(
			Array(3).fill('started'),
		);
		expect(asked.filter((what) => what === 'identities')).toHaveLength(2);
	});

	test('is looked for at most ten times a minute, however much foreign mail comes', async () => {
		const { deliver, answers, asked } = startNode();
		Object.assign(answers, { message: NO_ROUTE, identities: [] });
		let now = performance.now();
		jest.spyOn(performance, 'now').mockImplementation(() => now++);
		const lists = () => asked.filter((what) => what === 'identities').length;
		for (let mails = 0; mails < 30; mails++) await deliver(mail);
		expect(lists()).toBe(10);
		now += 61_000;
		await deliver(mail);
		expect(lists()).toBe(11);
	});
});
