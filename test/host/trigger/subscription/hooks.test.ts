import { type FaultRule, type Sandbox } from '../../../../sandbox';
import {
	ADDRESS,
	forOne,
	identityOf,
	onlyWebhook,
	requestsSince,
	setTheScene,
	START,
	startScene,
	TEST,
	TEST_ADDRESS,
	type Call,
	type Scene,
} from './scene';

/** What each hook does to the subscription, and what the user reads. What may happen in which order is the model's. */

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const MINUTE = 60_000;
const DOWN: FaultRule = { answer: { type: 'drop' } };

const requests = () => requestsSince(sandbox);
const only = () => onlyWebhook(sandbox);
const enabled = () => sandbox.webhooks().filter((webhook) => webhook.enabled);
const addresses = () => sandbox.webhooks().map(({ url }) => url.split('?')[0]);
const status = (code: number, more = {}): FaultRule => ({
	answer: { type: 'status', status: code, ...more },
});

/** What the editor shows of an activation that fails. */
const failure = async (call: Call = {}) =>
	await scene.create(call).then(
		() => 'it did not fail',
		(error: Error) => error.message,
	);

describe('activation', () => {
	it('makes one subscription, and stores nothing of its secret', async () => {
		const { staticData } = await scene.create();
		expect(requests()).toEqual(['GET webhooks', 'GET me', 'POST webhooks']);
		expect(only()).toMatchObject({ enabled: true, description: 'n8n: Flow / Mail' });
		expect(staticData.subscription).toMatchObject({ id: only().id, url: ADDRESS });
		expect(JSON.stringify(staticData)).not.toContain(new URL(only().url).searchParams.get('token'));
		const again = await scene.create({ staticData });
		expect(requests()).toEqual(['GET webhooks']);
		expect(again.staticData).toEqual(staticData);
	});

	it.each<[string, Partial<FaultRule>, string[]]>([
		['lost', { answer: { type: 'drop' } }, ['GET webhooks', 'POST webhooks', 'GET webhooks']],
		['lost, though it was made', { answer: { type: 'drop' }, acts: true }, ['GET webhooks']],
		['503', status(503), ['GET webhooks', 'POST webhooks']],
		['503, though it was made', { ...status(503), acts: true }, ['GET webhooks', 'GET webhooks']],
		['cut off', { answer: { type: 'truncatedJson' } }, ['GET webhooks']],
	])('whose answer is %s makes no second one', async (_, fault, afterwards) => {
		sandbox.addFault({ method: 'POST', count: 1, answer: { type: 'drop' }, ...fault });
		await scene.create();
		expect(only().enabled).toBe(true);
		if (fault.answer?.type !== 'truncatedJson') {
			const made = requests().filter((request) => request !== 'GET me');
			expect(made).toEqual(['GET webhooks', 'POST webhooks', ...afterwards]);
		}
	});

	it('makes its own beside one that it may see but not change, and names that in the log', async () => {
		const { owner, other } = sandbox.accounts;
		const foreign = sandbox.addWebhook({ url: ADDRESS, enabled: false, ownerId: other.userId });
		sandbox.setOddities({ list: [{ ...foreign, ownerId: owner.userId }] });
		sandbox.addFault({ method: 'PATCH', path: `/webhooks/${foreign.id}`, ...status(403) });
		const { logLines } = await scene.create();
		expect(enabled()).toHaveLength(1);
		expect(sandbox.webhooks()).toContainEqual(foreign);
		expect(logLines).toMatchObject([
			{ level: 'warn', message: expect.stringContaining(foreign.id) },
		]);
	});

	it('replaces one whose restriction to an identity cannot be lifted', async () => {
		await scene.create({ parameters: forOne(identityOf(sandbox, 'email').id) });
		sandbox.addFault({ method: 'PATCH', count: 1, ...status(400) });
		await scene.create();
		expect(only()).toMatchObject({ enabled: true, identityId: null });
	});

	it('is not stopped by one that is deleted at the same moment', async () => {
		await scene.create();
		sandbox.editWebhook(only().id, { enabled: false });
		const data = sandbox.webhooks();
		sandbox.removeWebhook(only().id);
		const answer = { type: 'status', status: 200, body: { success: true, data } } as const;
		sandbox.addFault({ method: 'GET', path: '/webhooks', count: 1, answer });
		await scene.create();
		expect(only().enabled).toBe(true);
	});

	it.each<[number, RegExp]>([
		[401, /API key/],
		[403, /rights/],
		[404, /base URL/],
		[429, /too many/],
		[500, /again/],
		[503, /again/],
	])(
		'that meets with %d says so without the word that ends the tries of n8n 1.x',
		async (code, word) => {
			sandbox.addFault(status(code, { message: 'Authorization' }));
			const message = await failure();
			expect(message).toMatch(word);
			expect(message).not.toMatch(/authorization/i);
		},
	);

	it('that is refused for its values says what the service said, without that word too', async () => {
		const issues = [{ path: 'url', message: 'Authorization is odd', code: 'custom' }];
		sandbox.addFault({ method: 'POST', ...status(400, { issues }) });
		expect(await failure()).toContain('url: permission is odd');
	});
});

describe('a service that cannot create webhooks through its API', () => {
	beforeEach(() => sandbox.addFault({ method: 'POST', ...status(500) }));

	it('has publishing say what to make by hand, and takes that over', async () => {
		const parameters = forOne(identityOf(sandbox, 'email').id);
		const message = await failure({ parameters });
		expect(message).toContain('message.received');
		const { id } = sandbox.addWebhook({
			url: /https:[^\s,]+/.exec(message)?.[0] ?? '',
			enabled: false,
		});
		await scene.create({ parameters });
		expect(only()).toMatchObject({
			id,
			enabled: true,
			identityId: identityOf(sandbox, 'email').id,
			description: 'n8n: Flow / Mail',
			url: expect.stringMatching(/\?token=[\w-]{43}$/),
		});
	});

	it('has no test events, and listening for one says so', async () => {
		expect(await failure(TEST)).toMatch(/no test events/);
	});

	it('is never said to have lost an answer, neither at a start nor by the checks after it', async () => {
		const { logLines } = await scene.create(START);
		const cron = await scene.trigger();
		for (const minutes of [15, 1, 15]) {
			scene.clock.now += minutes * MINUTE;
			await cron?.tick();
		}
		const lines = [...logLines, ...cron!.logLines()].map(({ message }) => message);
		expect(lines.length).toBeGreaterThan(2);
		for (const line of lines) {
			expect(line).toContain(ADDRESS);
			expect(line).not.toContain('lost');
		}
	});
});

describe('a start of n8n', () => {
	it('repairs, with one line in the log that holds no secret', async () => {
		const { staticData } = await scene.create();
		const { id, url } = only();
		sandbox.editWebhook(id, { url: url.replace('n8n.example', 'old.example') });
		const { logLines } = await startScene(sandbox).create({ ...START, staticData });
		expect(only()).toMatchObject({ id, url });
		expect(logLines).toMatchObject([{ level: 'info', message: expect.stringContaining(id) }]);
		expect(logLines[0]?.message).not.toContain('token');
	});

	it('during an outage throws nothing, so that n8n keeps its own address alive', async () => {
		sandbox.addFault(status(503));
		const { logLines } = await scene.create(START);
		expect(logLines).toMatchObject([{ level: 'error' }]);
	});

	it('goes on with what was published before: settings that are refused today', async () => {
		const filters = { from: '*@' };
		await scene.create({ ...START, parameters: { filters, simplify: "={{ 'perhaps' }}" } });
		expect(only().enabled).toBe(true);
	});
});

describe('deactivation', () => {
	it('pauses in two requests, is content with what is paused, and resumes in two', async () => {
		const { staticData } = await scene.create();
		requests();
		const left = await scene.remove({ staticData });
		expect(requests()).toEqual(['GET webhooks', 'PATCH webhooks']);
		await scene.remove(left);
		expect(requests()).toEqual(['GET webhooks']);
		expect(only().enabled).toBe(false);
		await scene.create(left);
		expect(requests()).toEqual(['GET webhooks', 'PATCH webhooks']);
		expect(only().enabled).toBe(true);
	});

	it('deletes if that was chosen', async () => {
		await scene.create();
		await scene.remove({ parameters: { advanced: { onDeactivation: 'delete' } } });
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('is content with one that is deleted at the same moment', async () => {
		await scene.create();
		sandbox.addFault({ method: 'PATCH', count: 1, ...status(404) });
		expect((await scene.remove()).logLines).toEqual([]);
	});

	it.each<[string, FaultRule]>([
		['gone', DOWN],
		['refusing the key', status(401)],
		['answering nonsense', { answer: { type: 'html' } }],
	])('throws nothing with the service %s, and says so without a secret', async (_, fault) => {
		const { staticData } = await scene.create();
		sandbox.addFault(fault);
		const { logLines } = await scene.remove({ staticData });
		expect(logLines).toMatchObject([
			{ level: 'warn', message: expect.stringContaining('could not be switched off') },
		]);
		expect(logLines[0]?.message).not.toMatch(/token|sk_/);
	});

	it('after a failed activation says something only where one may be on', async () => {
		const { staticData } = await scene.create();
		const paused = await scene.remove({ staticData });
		const lines = [];
		sandbox.addFault(DOWN);
		for (const left of [{}, paused.staticData, staticData]) {
			scene = startScene(sandbox);
			await failure({ staticData: left });
			for (let attempt = 0; attempt < 2; attempt++) {
				lines.push((await scene.remove({ staticData: left })).logLines.length);
			}
		}
		expect(lines).toEqual([0, 0, 0, 0, 1, 1]);
	});

	it('pauses by the ID where the list cannot be read, and says that others may be left', async () => {
		const { staticData } = await scene.create();
		sandbox.addFault({
			method: 'GET',
			path: '/webhooks',
			...status(200, { body: { error: 'x' } }),
		});
		const { logLines } = await scene.remove({ staticData });
		expect(only().enabled).toBe(false);
		expect(logLines).toMatchObject([{ level: 'warn' }]);
	});

	it('says what is left in an account that the credential no longer belongs to', async () => {
		const { staticData } = await scene.create();
		const { id, ownerId } = only();
		const { logLines, ...left } = await scene.remove({ staticData, account: 'other' });
		expect(logLines).toMatchObject([
			{ level: 'warn', message: expect.stringMatching(`${id}.*${ownerId}`) },
		]);
		expect((await scene.create({ ...left, account: 'other' })).logLines).toEqual([]);
	});
});

describe('a copy of the workflow with the same webhook ID', () => {
	const COPY = { workflow: { id: 'copy', name: 'Flow copy' } };

	it('that n8n could not publish beside the original, and takes down, leaves that alone', async () => {
		const { staticData } = await scene.create();
		const cron = await scene.trigger();
		await scene.remove(COPY);
		expect(only().enabled).toBe(true);
		scene.clock.now += 15 * MINUTE;
		requests();
		await cron?.tick();
		expect(requests()).toEqual(['GET webhooks']);
		scene = startScene(sandbox);
		await scene.create({ ...START, staticData });
		await scene.remove(COPY);
		expect(only().enabled).toBe(true);
	});

	it('leaves the test event alone that is listened for in the original', async () => {
		await scene.create(TEST);
		await scene.remove({ ...COPY, isTest: true });
		expect(only().enabled).toBe(true);
		await scene.remove({ isTest: true });
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('that is published once the original is not, here or by another main, is switched off as any other', async () => {
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

describe('listening for a test event', () => {
	const OTHER_NODE = { webhookId: 'c1d2e3f4-0000-4000-8000-000000000001' };

	it('that is cancelled while it is being set up leaves nothing', async () => {
		sandbox.addFault({ method: 'POST', count: 1, delayAfter: 100 });
		const listening = scene.create(TEST);
		await sandbox.waitForRequest(({ path }) => path === '/me');
		// n8n has no static data to hand over yet.
		await scene.remove({ isTest: true });
		await listening;
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('has a subscription of its own, and does not end the checks of the active workflow', async () => {
		await scene.create();
		const cron = await scene.trigger();
		await scene.create(TEST);
		expect(addresses()).toEqual([ADDRESS, TEST_ADDRESS]);
		await scene.remove({ isTest: true });
		scene.clock.now += 15 * MINUTE;
		requests();
		await cron?.tick();
		expect(requests()).toEqual(['GET webhooks']);
	});

	it('ends without a touch to production, in another process too', async () => {
		const { staticData } = await scene.create();
		await scene.create(TEST);
		await startScene(sandbox).remove({ staticData, isTest: true });
		expect(addresses()).toEqual([ADDRESS]);
		expect(only().enabled).toBe(true);
	});

	it.each(['2020-01-01T00:00:00.000Z', '2040-01-01T00:00:00.000Z', '2026-01-01 00:00:00'])(
		'is left alone by checks, and by a late start, with the service’s clock at %s',
		async (createdAt) => {
			sandbox.setOddities({ show: (shown) => ({ ...shown, createdAt }) });
			await scene.create();
			const cron = await scene.trigger();
			scene.clock.now += 15 * MINUTE;
			await scene.create(TEST);
			for (let minute = 0; minute < 3; minute++) {
				await cron?.tick();
				scene.clock.now += MINUTE;
			}
			await scene.create({ ...START, ...OTHER_NODE });
			expect(addresses()).toContain(TEST_ADDRESS);
		},
	);

	it('in another main stays while it may be in use, and is removed then', async () => {
		await scene.create();
		const cron = await scene.trigger();
		await startScene(sandbox).create({ ...TEST, ...OTHER_NODE });
		const after = async (minutes: number) => {
			for (let minute = 0; minute < minutes; minute++) {
				scene.clock.now += MINUTE;
				await cron?.tick();
			}
			return sandbox.webhooks().length;
		};
		expect(await after(30)).toBe(2);
		expect(await after(35)).toBe(1);
	});

	it('that a crash ended is cleaned up when any trigger starts; others’ are not', async () => {
		await scene.create(TEST);
		await scene.create({ ...TEST, ...OTHER_NODE, instanceId: 'another-n8n' });
		sandbox.addWebhook({ url: `${TEST_ADDRESS.replace(/3f0e/, 'fffe')}?token=${'a'.repeat(43)}` });
		await startScene(sandbox).create({ ...START, webhookId: 'late' });
		expect(addresses()).not.toContain(TEST_ADDRESS);
		expect(sandbox.webhooks()).toHaveLength(3);
	});
});

describe('the check', () => {
	const activate = async (parameters = {}) => {
		await scene.create({ parameters });
		const cron = await scene.trigger({ parameters });
		requests();
		return cron!;
	};

	const after = async (minutes: number, { tick }: { tick(): Promise<void> }) => {
		scene.clock.now += minutes * MINUTE;
		await tick();
	};

	it('asks nothing before it is due, and once when all is right', async () => {
		const cron = await activate();
		await after(14, cron);
		expect(requests()).toEqual([]);
		await after(1, cron);
		await after(0, cron);
		expect(requests()).toEqual(['GET webhooks']);
		expect(cron.logLines()).toEqual([]);
	});

	it('repairs what is still wrong a minute later, and says so', async () => {
		const cron = await activate({ advanced: { checkEvery: 5 } });
		sandbox.editWebhook(only().id, { enabled: false });
		await after(5, cron);
		expect(only().enabled).toBe(false);
		await after(1, cron);
		expect(only().enabled).toBe(true);
		expect(cron.logLines()).toMatchObject([
			{ level: 'info', message: expect.stringContaining('resumed') },
		]);
	});

	it('that fails is logged, and made again a minute later', async () => {
		const cron = await activate();
		sandbox.addFault(status(503));
		await after(15, cron);
		sandbox.clearFaults();
		requests();
		await after(1, cron);
		expect(requests()).toEqual(['GET webhooks']);
		expect(cron.logLines()).toMatchObject([{ level: 'warn' }]);
	});

	it('never resumes what is being switched off', async () => {
		const cron = await activate();
		sandbox.editWebhook(only().id, { enabled: false });
		await after(15, cron);
		scene.clock.now += MINUTE;
		sandbox.addFault({ method: 'GET', count: 1, delayAfter: 100 });
		requests();
		const check = cron.tick();
		await sandbox.waitForRequest(() => true);
		await Promise.all([check, scene.remove()]);
		requests();
		await after(15, cron);
		await after(1, cron);
		expect(requests()).toEqual([]);
		expect(only().enabled).toBe(false);
	});

	it('is not registered when switched off, or while testing', async () => {
		expect(await scene.trigger({ parameters: { advanced: { checkEvery: 0 } } })).toBeUndefined();
		expect(await scene.trigger({ mode: 'manual' })).toBeUndefined();
	});

	it.each<[string, object]>([
		['being enabled', { enabled: false }],
		['the address', { url: 'https://elsewhere.example/hook' }],
		['the events', { events: ['message.sent'] }],
	])(
		'repairs once what the service does not keep, and logs once that it had no effect: %s',
		async (_, wrong) => {
			const cron = await activate();
			sandbox.editWebhook(only().id, wrong);
			sandbox.setOddities({ keep: () => wrong });
			for (const minutes of [15, 1, 1, 15, 1, 1]) await after(minutes, cron);
			expect(requests().filter((request) => request.startsWith('PATCH'))).toHaveLength(1);
			expect(cron.logLines().map(({ level }) => level)).toEqual(['info', 'warn']);
			sandbox.setOddities({});
			sandbox.editWebhook(only().id, { enabled: true, events: ['message.received'] });
			await scene.create();
			for (const minutes of [15, 1, 1]) await after(minutes, cron);
			sandbox.editWebhook(only().id, { enabled: false });
			for (const minutes of [15, 1]) await after(minutes, cron);
			expect(only().enabled).toBe(true);
		},
	);
});
