import {
	activated,
	activating,
	created,
	dated,
	deactivating,
	identityGone,
	observed,
	paused,
	restrictionSeen,
	SubscriptionStates,
	type SubscriptionState,
} from '../../../../nodes/EmailIdentity/trigger/state/subscriptionState';

const HOUR = 3_600_000;

const SCOPE = { instanceId: 'n8n', webhookPath: 'path', listening: 'production' } as const;
const TEST_SCOPE = { ...SCOPE, listening: 'test' } as const;
const ADDRESS = 'https://n8n.example/webhook/path/webhook';

const CALL = { address: ADDRESS, workflowId: 'workflow', stored: undefined };
const NEW: SubscriptionState = { ids: [] };

const seen = (restrictedTo: string | null, seenAt: number) => dated({ restrictedTo }, seenAt);

afterEach(() => jest.restoreAllMocks());

test('whether the service delivers stays known while n8n publishes again only if it does', () => {
	const mayDeliver = (state: SubscriptionState) => activating(state, CALL).mayDeliver;
	expect(mayDeliver(activated(NEW, {}))).toBe(true);
	expect(mayDeliver(paused(NEW, []))).toBeUndefined();
	expect(mayDeliver(NEW)).toBeUndefined();
});

test('a part of a list does not change whether the service delivers', () => {
	const ids = ['w-2'];
	const part = { ids, mayDeliver: undefined };
	expect(observed(paused(NEW, []), part)).toMatchObject({ ids, mayDeliver: false });
	expect(observed(NEW, { ids, mayDeliver: true }).mayDeliver).toBe(true);
});

test('the identity that was gone is forgotten when it is chosen again', () => {
	const gone = identityGone(activated(NEW, {}));
	expect(gone).toMatchObject({ isIdentityGone: true, mayDeliver: false });
	expect(activating(gone, CALL).isIdentityGone).toBe(false);
	expect(activated(gone, {}).isIdentityGone).toBe(false);
});

test('the newest restriction counts, and none is kept when none is needed or n8n calls delete', () => {
	const now = performance.now();
	const older = seen('old', now - HOUR);
	const newer = seen('new', now);
	expect(restrictionSeen({ ...NEW, restriction: newer }, older).restriction).toBe(newer);
	const state = restrictionSeen({ ...NEW, restriction: older }, newer);
	expect(state.restriction).toBe(newer);
	expect(activated(state, { restriction: older }).restriction).toBe(newer);
	expect(activated(state, {}).restriction).toBeUndefined();
	expect(deactivating(state, ADDRESS).restriction).toBeUndefined();
	expect(paused(state, []).restriction).toBeUndefined();
});

test('a restriction that was seen earlier is stored with the time of the wall clock', () => {
	jest.spyOn(Date, 'now').mockReturnValue(10 * HOUR);
	const { toStore } = seen('i-1', performance.now() - HOUR);
	expect(Math.abs(toStore.seenAt - 9 * HOUR)).toBeLessThan(HOUR / 2);
});

test('a record ends with its workflow, but not while something may be left in the service', () => {
	const states = new SubscriptionStates();
	states.at(SCOPE).state = created(activating(NEW, CALL), 'w-1');
	states.endIfOver(SCOPE);
	expect(states.isPublished(SCOPE)).toBe(true);
	states.at(SCOPE).state = deactivating(states.at(SCOPE).state, ADDRESS);
	states.endIfOver(SCOPE);
	expect(states.isPublished(SCOPE)).toBe(false);
	expect(states.size).toBe(1);
	states.at(SCOPE).state = paused(states.at(SCOPE).state, []);
	states.endIfOver(SCOPE);
	expect(states.size).toBe(0);
});

test('what n8n listens for is found by the address, which production and test do not share', () => {
	const states = new SubscriptionStates();
	const testAddress = ADDRESS.replace('webhook', 'webhook-test');
	states.at(SCOPE).state = activating(NEW, CALL);
	states.at(TEST_SCOPE).state = activating(NEW, { ...CALL, address: testAddress });
	expect(states.listeningAt(SCOPE, ADDRESS)).toBe('production');
	expect(states.listeningAt(SCOPE, testAddress)).toBe('test');
	expect(states.listeningAt(SCOPE, `${ADDRESS}s`)).toBeUndefined();
	expect(states.listeningAt({ ...SCOPE, webhookPath: 'other' }, ADDRESS)).toBeUndefined();
});

describe('a restriction, if the service cannot be asked', () => {
	const stored = (age: number) => ({ restrictedTo: 'i-1', seenAt: Date.now() - age });

	test.each([
		['seen half an hour ago', HOUR / 2, true],
		['seen two hours ago', 2 * HOUR, false],
		['from a time that is still to come', -HOUR, false],
	])('counts or not: stored, %s', (_what, age, counts) => {
		const restriction = stored(age);
		const states = new SubscriptionStates();
		expect(states.recentlySeen(SCOPE, restriction)).toBe(counts ? restriction : undefined);
	});

	test('counts as this process saw it, unless that is too long ago', () => {
		const states = new SubscriptionStates();
		const record = states.at(SCOPE);
		record.state = restrictionSeen(NEW, seen('seen', performance.now() - HOUR / 2));
		expect(states.recentlySeen(SCOPE, stored(0))).toMatchObject({ restrictedTo: 'seen' });
		record.state = restrictionSeen(NEW, seen('seen', performance.now() - 2 * HOUR));
		expect(states.recentlySeen(SCOPE, stored(0))).toMatchObject({ restrictedTo: 'i-1' });
		expect(states.recentlySeen(SCOPE, undefined)).toBeUndefined();
	});
});

test('deliveries that wait for the restriction share one answer, which is remembered with its identity', async () => {
	const states = new SubscriptionStates();
	const identity = { id: 'i-1', value: 'a@example.com', isDomain: false };
	states.at(SCOPE).state = activated(NEW, { identity });
	let asked = 0;
	const read = async () => {
		asked++;
		return await Promise.resolve({ restrictedTo: 'i-1' });
	};
	await Promise.all([states.askOnce(SCOPE, read), states.askOnce(SCOPE, read)]);
	expect(asked).toBe(1);
	expect(states.lastSeen(SCOPE)).toMatchObject({ restrictedTo: 'i-1', identity });
	await states.askOnce(SCOPE, read);
	expect(asked).toBe(2);
	expect(states.lastSeen(TEST_SCOPE)).toBeUndefined();
});

test('records that n8n made are kept, and of those that only deliveries made, the newest thousand', () => {
	const states = new SubscriptionStates();
	states.at(SCOPE).state = activating(NEW, CALL);
	for (let index = 0; index < 1_500; index++) states.at({ ...SCOPE, webhookPath: `${index}` });
	expect(states.isPublished(SCOPE)).toBe(true);
	expect(states.size).toBeLessThanOrEqual(1_001);
});
