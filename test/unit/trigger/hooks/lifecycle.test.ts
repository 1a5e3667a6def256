import { sleep } from 'n8n-workflow';

import type { Entry } from '../../../../nodes/EmailIdentity/api/data/json';
import type { EmailIdentityService } from '../../../../nodes/EmailIdentity/api/service';
import { Lifecycle } from '../../../../nodes/EmailIdentity/trigger/hooks/lifecycle';
import type {
	HookRequest,
	TriggerRequest,
} from '../../../../nodes/EmailIdentity/trigger/state/hookRequest';
import type { StandingFailure } from '../../../../nodes/EmailIdentity/trigger/state/failureReports';
import { ANNOUNCED } from '../../../../nodes/EmailIdentity/trigger/sampleCalls';
import type { StoredSubscription } from '../../../../nodes/EmailIdentity/trigger/staticData';
import type { Endpoint } from '../../../../nodes/EmailIdentity/trigger/webhooks/subscriptionUrl';
import { PARAMETERS } from '../delivery/support/requests';
import { NODE } from '../subscription/support/node';

jest.mock('n8n-workflow', () => ({ ...jest.requireActual('n8n-workflow'), sleep: jest.fn() }));

const MINUTE = 60_000;

const TEST: Endpoint = {
	...NODE,
	listening: 'test',
	address: 'https://n8n.example/webhook-test/0a1b/webhook',
};

let webhooks: Map<string, Entry>;
/** Requests to the service. */
let asked: string[];
let isDown: boolean;
let now: number;
let lifecycle: Lifecycle;
let lines: string[];

beforeEach(() => {
	webhooks = new Map();
	asked = [];
	isDown = false;
	now = 0;
	lines = [];
	lifecycle = new Lifecycle({
		now: () => now,
		wallClock: () => now,
		deadline: () => new AbortController().signal,
	});
	jest.mocked(sleep).mockImplementation(async () => await new Promise(() => undefined));
});

/** A service in memory with one account. */
function startService(): EmailIdentityService {
	const answer = async <Result>(what: string, act: () => Result): Promise<Result> => {
		asked.push(what);
		if (isDown) throw new Error('The service is down');
		return await Promise.resolve(act());
	};
	const service: Partial<EmailIdentityService> = {
		credential: async () =>
			await Promise.resolve({
				baseUrl: 'https://mail.example',
				apiKey: 'key',
				allowPrivateWebhookUrls: false,
			}),
		ownerId: async () => await Promise.resolve('me'),
		getMessage: async () => await answer('read', () => ({})),
		listWebhooks: async () => await answer('list', () => [...webhooks.values()]),
		getWebhook: async (id) => await answer('get', () => webhooks.get(id) ?? {}),
		createWebhook: async (fields) =>
			await answer('create', () => {
				const webhook = { id: `w-${webhooks.size + 1}`, enabled: true, ...fields };
				webhooks.set(webhook.id, webhook);
				return webhook;
			}),
		updateWebhook: async (id, changes, before) => {
			await before?.();
			const changed = { ...webhooks.get(id), ...changes };
			await answer('update', () => webhooks.set(id, changed));
			return changed;
		},
		deleteWebhook: async (id, before) => {
			await before?.();
			await answer('delete', () => webhooks.delete(id));
		},
	};
	return service as EmailIdentityService;
}

const host = () => ({
	service: startService,
	log: (_level: string, message: string) => void lines.push(message),
});

interface Call {
	endpoint?: Endpoint;
	occasion?: HookRequest['occasion'];
	useSampleEmail?: boolean;
	checkEvery?: number;
	stored?: StoredSubscription;
}

function hookRequest(call: Call = {}): HookRequest {
	const { endpoint = NODE, occasion = 'publish', stored, ...options } = call;
	return {
		...host(),
		endpoint,
		occasion,
		workflowId: 'flow',
		options: { ...PARAMETERS, checkEvery: 1, ...options },
		stored,
		staticData: {},
		store: () => undefined,
		parameters: () => ({ events: ['message.received'], chosen: null }),
		post: async () => await Promise.resolve(ANNOUNCED),
		failure: (reason) => reason as ReturnType<HookRequest['failure']>,
	};
}

/** Registers the check of a published node. */
function startTrigger({ checkEveryMinutes = 1, isPublished = true } = {}) {
	const crons: Array<() => Promise<void>> = [];
	const reported: StandingFailure[] = [];
	const request: TriggerRequest = {
		...host(),
		scope: NODE,
		checkEveryMinutes,
		isPublished,
		schedule: (_expression, onTick) => void crons.push(onTick),
		report: (failure) => void (failure && reported.push(failure)),
	};
	lifecycle.trigger(request);
	const tick = async (minutes = 1) => {
		now += minutes * MINUTE;
		for (const cron of crons) await cron();
	};
	return { tick, reported, isScheduled: crons.length > 0 };
}

/** The requests since the last call. */
const requests = () => asked.splice(0);

const enabled = () => [...webhooks.values()].map((webhook) => webhook.enabled);

test('publishing creates a webhook, unpublishing pauses it, and publishing again enables it', async () => {
	await lifecycle.create(hookRequest());
	expect(enabled()).toEqual([true]);
	await lifecycle.remove(hookRequest());
	expect(enabled()).toEqual([false]);
	await lifecycle.create(hookRequest());
	expect(enabled()).toEqual([true]);
});

test('publishing fails if the service does not answer; a start of n8n logs it instead', async () => {
	isDown = true;
	await expect(lifecycle.create(hookRequest())).rejects.toThrow('service is down');
	expect(lines).toEqual([]);
	await lifecycle.create(hookRequest({ occasion: 'start' }));
	expect(lines).toEqual([expect.stringContaining('service is down')]);
});

describe('Use Sample Email', () => {
	test('asks the service for nothing, neither when n8n listens nor when it ends', async () => {
		await lifecycle.create(hookRequest({ endpoint: TEST, useSampleEmail: true }));
		await lifecycle.remove(hookRequest({ endpoint: TEST, useSampleEmail: true }));
		expect(requests()).toEqual([]);
	});

	test('makes no difference for a published workflow', async () => {
		await lifecycle.create(hookRequest({ useSampleEmail: true }));
		await lifecycle.remove(hookRequest({ useSampleEmail: true }));
		expect(enabled()).toEqual([false]);
	});

	test('leaves no webhook of the next test event behind, also if n8n did not say that it ended', async () => {
		await lifecycle.create(hookRequest({ endpoint: TEST, useSampleEmail: true }));
		await lifecycle.create(hookRequest({ endpoint: TEST }));
		expect(enabled()).toEqual([true]);
		await lifecycle.remove(hookRequest({ endpoint: TEST }));
		expect(enabled()).toEqual([]);
	});
});

describe('the check of a published node', () => {
	test('runs at its interval, and repairs what two checks find', async () => {
		await lifecycle.create(hookRequest());
		const { tick } = startTrigger();
		requests();
		await tick();
		expect(requests()).toEqual(['list']);
		for (const webhook of webhooks.values()) webhook.enabled = false;
		await tick();
		expect(enabled()).toEqual([false]);
		await tick();
		expect(enabled()).toEqual([true]);
	});

	test('is not registered while n8n listens for a test event, or without an interval', () => {
		expect(startTrigger({ isPublished: false }).isScheduled).toBe(false);
		expect(startTrigger({ checkEveryMinutes: 0 }).isScheduled).toBe(false);
		expect(startTrigger().isScheduled).toBe(true);
	});

	test('also runs without an interval if a delivery finds the restriction lost, but not for a test event', async () => {
		await lifecycle.create(hookRequest({ checkEvery: 0 }));
		requests();
		startTrigger({ checkEveryMinutes: 0, isPublished: false });
		lifecycle.states.repair(NODE);
		await lifecycle.states.inTurn(NODE, async () => await Promise.resolve());
		expect(requests()).toEqual([]);
		startTrigger({ checkEveryMinutes: 0 });
		lifecycle.states.repair(NODE);
		await lifecycle.states.inTurn(NODE, async () => await Promise.resolve());
		expect(requests()).toEqual(['list']);
	});

	test('asks nothing after the node was unpublished, also if it was due before', async () => {
		await lifecycle.create(hookRequest());
		const { tick } = startTrigger();
		requests();
		await Promise.all([lifecycle.remove(hookRequest()), tick()]);
		expect(enabled()).toEqual([false]);
		// Unpublishing itself needs one.
		expect(requests().filter((what) => what === 'list')).toHaveLength(1);
		await tick(60);
		expect(requests()).toEqual([]);
	});

	test('reports a failure that lasts, once', async () => {
		await lifecycle.create(hookRequest());
		const { tick, reported } = startTrigger();
		isDown = true;
		for (let minute = 1; minute <= 5; minute++) await tick();
		expect(reported).toEqual([
			{ cause: 'webhook', message: expect.stringContaining('service is down') as string },
		]);
	});

	test('after a start of n8n, does not report within a day what may have been reported before', async () => {
		isDown = true;
		await lifecycle.create(hookRequest({ occasion: 'start' }));
		const { tick, reported } = startTrigger();
		for (let minute = 1; minute <= 5; minute++) await tick();
		expect(reported).toEqual([]);
		await tick(24 * 60);
		expect(reported).toHaveLength(1);
	});

	test('deletes the webhook for a test event that could not be deleted', async () => {
		await lifecycle.create(hookRequest());
		await lifecycle.create(hookRequest({ endpoint: TEST }));
		const { tick } = startTrigger();
		isDown = true;
		await lifecycle.remove(hookRequest({ endpoint: TEST }));
		isDown = false;
		expect(webhooks.size).toBe(2);
		await tick(60);
		expect([...webhooks.values()].map(({ url }) => String(url).includes('webhook-test'))).toEqual([
			false,
		]);
	});
});
