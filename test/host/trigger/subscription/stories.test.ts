import type { IDataObject } from 'n8n-workflow';

import type { FaultRule, Sandbox } from '../../../../sandbox';
import {
	ADDRESS,
	forOne,
	identityOf,
	MAX_WORDS,
	onlyWebhook,
	setTheScene,
	START,
	startScene,
	TEST,
	TEST_ADDRESS,
	wordsIn,
	type Call,
	type Scene,
} from './support/scene';
import { Rounds } from './support/rounds';

/** What each hook does to the subscription, and what the user reads. What may happen in which order is the model's. */

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const DOWN: FaultRule = { answer: { type: 'drop' } };

const only = () => onlyWebhook(sandbox);
const status = (code: number, more = {}): FaultRule => ({
	answer: { type: 'status', status: code, ...more },
});

/** Requests since the last time this was called: methods and resources. */
const requests = () => {
	const made = sandbox.requests().map(({ method, path }) => `${method} ${path.split('/')[1]}`);
	sandbox.clearRecordings();
	return made;
};

describe('activation', () => {
	it('creates one subscription, and stores nothing of its secret', async () => {
		const { staticData } = await scene.create();
		const asked = requests();
		expect(asked.slice(0, 3).sort()).toEqual(['GET me', 'GET messages', 'GET webhooks']);
		expect(asked.slice(3)).toEqual(['POST webhooks']);
		expect(only()).toMatchObject({ enabled: true, description: 'n8n: Flow / Mail' });
		expect(staticData.subscription).toMatchObject({ id: only().id, url: ADDRESS });
		expect(JSON.stringify(staticData)).not.toContain(new URL(only().url).searchParams.get('token'));
		const again = await scene.create({ staticData });
		expect(requests().sort()).toEqual(['GET messages', 'GET webhooks']);
		expect(again.staticData).toEqual(staticData);
	});

	it('replaces a subscription if its restriction to an identity cannot be removed', async () => {
		await scene.create({ parameters: forOne(identityOf(sandbox, 'email').id) });
		sandbox.addFault({ method: 'PATCH', count: 1, ...status(400) });
		await scene.create();
		expect(only()).toMatchObject({ enabled: true, identityId: null });
	});

	it('succeeds when the subscription is deleted at the same moment', async () => {
		await scene.create();
		const { id } = sandbox.editWebhook(only().id, { enabled: false });
		const body = { success: true, data: sandbox.webhooks() };
		sandbox.removeWebhook(id);
		sandbox.addFault({ method: 'GET', path: '/webhooks', count: 1, ...status(200, { body }) });
		await scene.create();
		expect(only().enabled).toBe(true);
	});

	it('shows the reason if the service refuses it, without the word that makes n8n 1.x give up', async () => {
		const issues = [{ path: 'url', message: 'Authorization is odd', code: 'custom' }];
		sandbox.addFault({ method: 'POST', ...status(400, { issues }) });
		expect(await scene.failure()).toContain('url: permission is odd');
	});
});

describe('an expression that fails since n8n was updated', () => {
	const failing = { parameters: { advanced: { deliveryUrl: '={{ $env.GATEWAY }}' } } };

	it('refuses publishing with the reason', async () => {
		expect(await scene.failure(failing)).toMatch(/env/);
	});

	it('changes nothing at a start, and pauses the webhook when the workflow is unpublished', async () => {
		await scene.create();
		const before = only();
		const atStart = await scene.tryToCreate({ ...failing, ...START });
		expect(atStart.error).toBeUndefined();
		expect(only()).toEqual(before);
		scene.trigger(failing);
		const unpublished = await scene.remove(failing);
		expect(only().enabled).toBe(false);
		for (const { logLines } of [atStart, unpublished]) {
			expect(logLines).toEqual([
				expect.objectContaining({ message: expect.stringMatching(/env/) as string }),
			]);
		}
	});
});

describe('a service that cannot create webhooks through its API', () => {
	const GATEWAY = 'https://gateway.example/in?key=k3y';

	beforeEach(() => sandbox.addFault({ method: 'POST', ...status(500) }));

	it('makes publishing name the webhook to create by hand, which is then taken over', async () => {
		const identityId = identityOf(sandbox, 'email').id;
		const parameters = forOne(identityId);
		const { error, logLines } = await scene.tryToCreate({ parameters });
		expect(error?.message).toContain('message.received');
		const url = /https:[^\s,]+/.exec(logLines[0]?.message ?? '')?.[0] ?? '';
		const { id } = sandbox.addWebhook({ url, enabled: false });
		await scene.create({ parameters });
		const made = { enabled: true, identityId, description: 'n8n: Flow / Mail' };
		expect(only()).toMatchObject({ id, ...made, url: expect.stringMatching(/\?token=[\w-]{43}$/) });
	});

	it('makes publishing with a Delivery URL name the gateway, but not its query', async () => {
		const call = { parameters: { advanced: { deliveryUrl: GATEWAY } } };
		const message = await scene.failure(call);
		expect(message).not.toContain('k3y');
		const [node = ''] = /node=[-\w]{16}/.exec(message) ?? [];
		const { id } = sandbox.addWebhook({ url: `${GATEWAY}&${node}` });
		await scene.create(call);
		expect(only()).toMatchObject({ id, url: expect.stringContaining('&token=') });
	});

	it.each([
		['publishing', undefined, /Production URL.*Webhook URLs.*any identity/],
		[
			'publishing with a Delivery URL',
			{ parameters: { advanced: { deliveryUrl: GATEWAY } } },
			/Delivery URL.*node=.*any identity/,
		],
		['listening for a test event', TEST, /Use Sample Email.*Production URL/],
	])(
		'makes %s name the webhook to create in words that fit into a toast',
		async (_, call, words) => {
			const message = await scene.failure(call);
			expect(message).toMatch(words);
			expect(message).not.toContain('http');
			expect(wordsIn(message)).toBeLessThanOrEqual(MAX_WORDS);
		},
	);

	it('is asked once in the five attempts of n8n, and the log names no webhook that never existed', async () => {
		const attempts = await scene.publish();
		const messages = attempts.map(({ error }) => error?.message);
		expect(messages).toEqual(
			Array.from({ length: 5 }, () => expect.stringContaining('Production URL') as string),
		);
		expect(sandbox.requests(({ method }) => method === 'POST')).toHaveLength(1);
		expect(attempts.flatMap(({ logLines }) => logLines)).toMatchObject([
			{ level: 'warn', message: expect.stringContaining(ADDRESS) as string },
		]);
		// In a second try of the user, the webhook is there.
		sandbox.addWebhook({ url: ADDRESS });
		await scene.create();
		expect(only().enabled).toBe(true);
	});

	it('is asked again after a creation without a clear answer, and its list shows what was created', async () => {
		sandbox.clearFaults();
		sandbox.addFault({ method: 'POST', count: 1, acts: true, answer: { type: 'drop' } });
		await scene.create();
		expect(only().enabled).toBe(true);
		expect(sandbox.requests(({ method }) => method === 'POST')).toHaveLength(1);
	});
});

describe('a service that does not respond', () => {
	const TOO_LONG = expect.stringContaining('took too long') as string;
	let deadlines: Array<{ delayMs: number; expire(): void }>;

	beforeEach(() => {
		deadlines = [];
		const deadline = (delayMs: number) => {
			const controller = new AbortController();
			deadlines.push({ delayMs, expire: () => controller.abort() });
			return controller.signal;
		};
		scene = startScene(sandbox, { deadline });
	});

	/** Until the deadline of a call, while all requests with a method hang. */
	const expire = async <Result>(method: string, call: () => Promise<Result>) => {
		sandbox.clearRecordings();
		sandbox.addFault({ method, delayBefore: 60_000 });
		const result = call();
		await sandbox.waitForRequest((request) => request.method === method);
		deadlines.at(-1)!.expire();
		return await result;
	};

	it.each(['GET', 'POST'])('makes publishing fail before n8n gives up (%s)', async (method) => {
		const publication = {};
		for (let attempt = 1; attempt <= 5; attempt++) {
			sandbox.clearFaults();
			const publishing = async () => await scene.failure({ publication });
			expect(await expire(method, publishing)).toEqual(TOO_LONG);
			await expire('GET', async () => await scene.remove({ publication }));
		}
		// n8n pauses for 15 seconds, and gives up after 60.
		const allMs = deadlines.reduce((sum, { delayMs }) => sum + delayMs, 15_000);
		expect(deadlines).toHaveLength(10);
		expect(allMs).toBeLessThan(55_000);
		sandbox.clearFaults();
		await scene.create();
		expect(only().enabled).toBe(true);
		const [, cleanUp] = deadlines;
		await scene.remove();
		expect(deadlines.at(-1)!.delayMs).toBeGreaterThan(cleanUp!.delayMs);
	});

	it.each<[string, FaultRule]>([
		['refuses because it is busy', status(429, { headers: { 'retry-after': '0' } })],
		['is unavailable', status(503)],
		['closes the connection', DOWN],
	])('and %s makes publishing say so at the deadline', async (_, fault) => {
		sandbox.addFault({ ...fault, path: '/webhooks', count: 1 });
		const repeated = sandbox.addFault({ path: '/webhooks', delayBefore: 60_000 });
		const publishing = scene.failure();
		await sandbox.waitForRequest(({ faultId }) => faultId === repeated);
		deadlines.at(-1)!.expire();
		const message = await publishing;
		expect(message).toMatch(/too many requests|unavailable|closed the connection/);
	});

	it('makes publishing fail also while it waits for a check', async () => {
		const { check } = await scene.activate();
		sandbox.addFault({ delayBefore: 60_000 });
		const checking = check(15);
		await sandbox.waitForRequest(() => true);
		const publishing = scene.failure();
		deadlines.at(-1)!.expire();
		expect(await publishing).toEqual(TOO_LONG);
		deadlines.at(-2)!.expire();
		await checking;
	});

	it('is logged by checks and by a deactivation', async () => {
		const { check, log } = await scene.activate();
		await expire('GET', async () => await check(15));
		await expire('GET', async () => await scene.remove());
		expect(log()).toMatchObject([{ message: TOO_LONG }, { message: TOO_LONG }]);
	});
});

describe('a service that takes a second for each request', () => {
	let rounds: Rounds;
	let deadlinesMs: number[];

	beforeEach(() => {
		rounds = new Rounds();
		deadlinesMs = [];
		const deadline = (delayMs: number) => {
			deadlinesMs.push(delayMs);
			return new AbortController().signal;
		};
		scene = startScene(sandbox, { deadline, equip: (context) => rounds.supply(context) });
	});

	/** The time of the service alone. */
	const serviceMs = () => rounds.count * 1_000;

	it('does not keep a workflow from being published, and published again after a pause', async () => {
		const parameters = forOne(identityOf(sandbox, 'email').id);
		const { staticData } = await scene.create({ parameters });
		expect(serviceMs()).toBeLessThan(deadlinesMs[0]!);
		sandbox.editWebhook(only().id, { enabled: false });
		rounds.count = 0;
		await scene.create({ parameters, staticData });
		expect(only().enabled).toBe(true);
		expect(serviceMs()).toBeLessThan(deadlinesMs[0]!);
	});

	it('is named as one that cannot create webhooks', async () => {
		sandbox.setDialect({ createStatus: 500 });
		expect(await scene.failure()).toContain('Production URL');
		expect(serviceMs()).toBeLessThan(deadlinesMs[0]!);
		sandbox.setDialect({ createStatus: 200 });
	});
});

describe('a start of n8n', () => {
	it('reads the list once for triggers that start within seconds, and again after a change', async () => {
		const [one, other] = ['one', 'other'].map((webhookId): Call => ({ ...START, webhookId }));
		for (const { webhookId } of [one!, other!]) await scene.create({ webhookId });
		scene = startScene(sandbox);
		requests();
		for (const call of [one, other]) await scene.create(call);
		expect(requests()).toEqual(['GET webhooks']);
		const { id } = sandbox.editWebhook(sandbox.webhooks()[1]!.id, { enabled: false });
		scene.clock.now += 6_000;
		for (const call of [one, other]) await scene.create(call);
		expect(sandbox.webhooks()).toMatchObject([{ enabled: true }, { id, enabled: true }]);
		requests();
		await scene.create(one);
		expect(requests()).toEqual(['GET webhooks']);
	});

	it('creates no second webhook beside one that another main created a moment ago', async () => {
		await scene.create({ ...START, webhookId: 'one' });
		await scene.create({ ...START, webhookId: 'one' });
		await startScene(sandbox).create();
		await scene.create(START);
		expect(sandbox.webhooks()).toHaveLength(2);
	});

	it('accepts settings that publishing refuses', async () => {
		const filters = { from: '*@' };
		await scene.create({ ...START, parameters: { filters, simplify: "={{ 'perhaps' }}" } });
		expect(only().enabled).toBe(true);
	});
});

describe('deactivation', () => {
	it('pauses with three requests, changes nothing if repeated, and deletes if so chosen', async () => {
		const { staticData } = await scene.create();
		requests();
		const left = await scene.remove({ staticData });
		expect(requests()).toEqual(['GET webhooks', 'GET webhooks', 'PATCH webhooks']);
		await scene.remove(left);
		expect(requests()).toEqual(['GET webhooks']);
		expect(only().enabled).toBe(false);
		await scene.create(left);
		const asked = requests();
		expect(asked.slice(0, 2).sort()).toEqual(['GET messages', 'GET webhooks']);
		expect(asked.slice(2)).toEqual(['GET webhooks', 'PATCH webhooks']);
		expect(only().enabled).toBe(true);
		await scene.remove({ ...left, parameters: { advanced: { onDeactivation: 'delete' } } });
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('logs nothing when the subscription is deleted at the same moment', async () => {
		await scene.create();
		sandbox.addFault({ method: 'PATCH', count: 1, ...status(404) });
		expect((await scene.remove()).logLines).toEqual([]);
	});

	it('warns when the service lists the subscription, but does not find it by its ID', async () => {
		const { staticData } = await scene.create();
		sandbox.addFault({ path: '/webhooks/*', ...status(404) });
		const call = { staticData, parameters: { advanced: { onDeactivation: 'delete' } } };
		const { logLines } = await scene.remove(call);
		const message = expect.stringContaining(only().id) as string;
		expect(logLines).toMatchObject([{ level: 'warn', message }]);
	});

	it('after a failed activation warns only if a subscription may be enabled', async () => {
		const { staticData } = await scene.create();
		const paused = await scene.remove({ staticData });
		const lines = [];
		sandbox.addFault(DOWN);
		for (const left of [{}, paused.staticData, staticData]) {
			scene = startScene(sandbox);
			await scene.failure({ staticData: left });
			for (let attempt = 0; attempt < 2; attempt++) {
				lines.push((await scene.remove({ staticData: left })).logLines.length);
			}
		}
		expect(lines).toEqual([0, 0, 0, 0, 1, 1]);
	});

	it('pauses a subscription that a failed activation may have resumed', async () => {
		const publication = {};
		await scene.create();
		await scene.remove();
		sandbox.addFault({ method: 'PATCH', acts: true, ...DOWN });
		await scene.failure({ publication });
		expect(only().enabled).toBe(true);
		sandbox.clearFaults();
		await scene.remove({ publication });
		expect(only().enabled).toBe(false);
	});

	it('pauses a known subscription when the list cannot be read, and warns', async () => {
		const { staticData } = await scene.create();
		const unreadable = status(200, { body: { error: 'x' } });
		sandbox.addFault({ method: 'GET', path: '/webhooks', ...unreadable });
		const { logLines } = await scene.remove({ staticData });
		expect(only().enabled).toBe(false);
		expect(logLines).toMatchObject([{ level: 'warn' }]);
	});

	it('pauses a subscription of this process when neither the list nor static data have it', async () => {
		await scene.create();
		const unreadable = status(200, { body: { error: 'x' } });
		sandbox.addFault({ method: 'GET', path: '/webhooks', ...unreadable });
		await scene.failure();
		await scene.remove();
		expect(only().enabled).toBe(false);
	});

	it('names the webhook of a former account only once', async () => {
		const { staticData } = await scene.create();
		const { id, ownerId } = only();
		const { logLines, ...left } = await scene.remove({ staticData, account: 'other' });
		const message = expect.stringMatching(`${id}.*${ownerId}`) as string;
		expect(logLines).toMatchObject([{ level: 'warn', message }]);
		expect((await scene.create({ ...left, account: 'other' })).logLines).toEqual([]);
	});
});

describe('a copy of the workflow with the same webhook ID', () => {
	const COPY = { workflow: { id: 'copy', name: 'Flow copy' } };

	it('that n8n could not publish leaves the original alone when it is deactivated', async () => {
		const { staticData, check } = await scene.activate();
		await scene.remove(COPY);
		expect(only().enabled).toBe(true);
		await check(15);
		expect(requests()).toEqual(['GET webhooks']);
		scene = startScene(sandbox);
		await scene.create({ ...START, staticData });
		await scene.remove(COPY);
		expect(only().enabled).toBe(true);
	});

	it('leaves the test webhook of the original alone', async () => {
		await scene.create(TEST);
		await scene.remove({ ...COPY, isTest: true });
		expect(only().enabled).toBe(true);
		await scene.remove({ isTest: true });
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('that is published after the original, by this or another main, can be deactivated', async () => {
		for (const publisher of [scene, startScene(sandbox)]) {
			const original = await scene.create();
			await publisher.remove(original);
			const { staticData } = await publisher.create(COPY);
			expect(only().enabled).toBe(true);
			await scene.remove({ ...COPY, staticData });
			expect(only().enabled).toBe(false);
		}
	});
});

test('a workflow that ended leaves nothing in the memory of n8n, even if its subscription was deleted before', async () => {
	await scene.create(TEST);
	const { staticData } = await scene.activate();
	await scene.remove({ isTest: true });
	expect(scene.states.size).toBe(1);
	sandbox.removeWebhook(only().id);
	await scene.remove({ staticData });
	expect(scene.states.size).toBe(0);
});

describe('a test subscription', () => {
	it('that is cancelled during its set-up leaves nothing', async () => {
		sandbox.addFault({ method: 'POST', count: 1, delayAfter: 100 });
		const listening = scene.create(TEST);
		await sandbox.waitForRequest(({ path }) => path === '/webhooks');
		// n8n has no static data to hand over yet.
		await scene.remove({ isTest: true });
		await listening;
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('is left alone by checks, and by the start of another trigger', async () => {
		const { check } = await scene.activate();
		scene.clock.now += 14 * 60_000;
		await scene.create(TEST);
		await check(1, 1, 1);
		await scene.create({ ...START, webhookId: 'another-node' });
		expect(sandbox.webhooks()).toMatchObject([
			{ url: expect.stringContaining(ADDRESS) },
			{ url: expect.stringContaining(TEST_ADDRESS) },
			{ url: expect.stringContaining('/another-node/') },
		]);
	});

	it('that could not be deleted is named in the log, and deleted by a later check of any trigger', async () => {
		const { check } = await scene.activate({ webhookId: 'published' });
		await scene.create(TEST);
		sandbox.addFault({ method: 'DELETE', ...status(503) });
		const { logLines } = await scene.remove({ isTest: true });
		const message = expect.stringContaining(TEST_ADDRESS) as string;
		expect(logLines).toMatchObject([{ level: 'warn', message }]);
		sandbox.clearFaults();
		await check(15);
		expect(only().url).toContain('/published/');
	});

	it('is left alone while another process listens, and deleted by a later start or check', async () => {
		await startScene(sandbox).create({ ...TEST, webhookId: 'listening' });
		const { check } = await scene.activate(START);
		expect(sandbox.webhooks()).toHaveLength(2);
		await check(15);
		expect(only().url).toContain(ADDRESS);
	});
});

test('a webhook stays as it is after someone changed its URL in the service, and the node creates another one', async () => {
	const { check } = await scene.activate();
	const moved = sandbox.editWebhook(only().id, { url: 'https://elsewhere.example/hook' });
	await check(15, 1, 1);
	const [first, own] = sandbox.webhooks();
	expect(first).toEqual(moved);
	expect(own).toMatchObject({ enabled: true, url: expect.stringContaining(ADDRESS) as string });
});

describe('the check', () => {
	it('sends no request before it is due, and one when nothing is wrong', async () => {
		const { check, log } = await scene.activate();
		await check(14);
		expect(requests()).toEqual([]);
		// Someone's own words are left until the next activation.
		sandbox.editWebhook(only().id, { description: 'Mine!' });
		await check(1, 0);
		expect(requests()).toEqual(['GET webhooks']);
		expect(log()).toEqual([]);
	});

	it('repairs a difference that a second check confirms a minute later, and logs the repair', async () => {
		const { check, log } = await scene.activate({ parameters: { advanced: { checkEvery: 5 } } });
		sandbox.editWebhook(only().id, { enabled: false });
		await check(5);
		expect(only().enabled).toBe(false);
		await check(1);
		expect(only().enabled).toBe(true);
		const message = expect.stringMatching(`${only().id}.*resumed`) as string;
		expect(log()).toMatchObject([{ level: 'info', message }]);
	});

	it('that fails is logged and repeated a minute later', async () => {
		const { check, log } = await scene.activate();
		sandbox.addFault(status(503));
		await check(15);
		sandbox.clearFaults();
		requests();
		await check(1);
		expect(requests()).toEqual(['GET webhooks']);
		expect(log()).toMatchObject([{ level: 'warn' }]);
	});

	it('never resumes a subscription that is being deactivated', async () => {
		const { check } = await scene.activate();
		sandbox.editWebhook(only().id, { enabled: false });
		await check(15);
		sandbox.addFault({ method: 'GET', count: 1, delayAfter: 100 });
		requests();
		const repair = check(1);
		await sandbox.waitForRequest(() => true);
		await Promise.all([repair, scene.remove()]);
		requests();
		await check(15, 1);
		expect(requests()).toEqual([]);
		expect(only().enabled).toBe(false);
	});

	it('is not registered when it is off, or for a test event', async () => {
		expect(await scene.trigger({ parameters: { advanced: { checkEvery: 0 } } })).toBeUndefined();
		expect(await scene.trigger({ mode: 'manual' })).toBeUndefined();
	});

	it('repairs a change that the service does not keep only once, and logs once that it had no effect', async () => {
		const { check, log } = await scene.activate();
		const events = ['message.sent'];
		sandbox.editWebhook(only().id, { events });
		sandbox.setOddities({ keep: () => ({ events }) });
		await check(15, 1, 1, 15, 1, 1);
		expect(requests().filter((request) => request.startsWith('PATCH'))).toHaveLength(1);
		expect(log().map(({ level }) => level)).toEqual(['info', 'warn']);
		sandbox.setOddities({});
		sandbox.editWebhook(only().id, { events: ['message.received'] });
		await check(15, 1);
		sandbox.editWebhook(only().id, { events });
		await check(15, 1);
		expect(only().events).toEqual(['message.received']);
	});
});

test.each([null, 'text', [], { url: 5 }, { id: '..', url: {}, instanceId: 'this-n8n' }])(
	'static data that someone made up, %j, are nothing to the trigger',
	async (subscription) => {
		const staticData = { subscription } as IDataObject;
		const published = await scene.create({ staticData });
		expect(only().enabled).toBe(true);
		await scene.remove({ staticData });
		expect(only().enabled).toBe(false);
		expect(published.staticData.subscription).toMatchObject({ id: only().id });
	},
);

test('with a Delivery URL, which is not stored, n8n may be private', async () => {
	const { staticData, logLines } = await scene.create({
		parameters: { advanced: { deliveryUrl: ' https://gateway.example/in?key=k3y ' } },
		webhookBaseUrl: 'http://10.0.0.7:5678/webhook',
	});
	expect(only().url).toMatch(/^https:\/\/gateway\.example\/in\?key=k3y&node=[-\w]{16}&token=/);
	expect(JSON.stringify([staticData, logLines])).not.toContain('k3y');
});
