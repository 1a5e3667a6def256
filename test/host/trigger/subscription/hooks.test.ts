import { dialectNames, type Sandbox } from '../../../../sandbox';
import {
	ADDRESS,
	forOne,
	identityOf,
	START,
	setTheScene,
	startScene,
	type Scene,
	TEST,
	TEST_ADDRESS,
	requestsSince,
	onlyWebhook,
} from './scene';

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const requests = () => requestsSince(sandbox);

const only = () => onlyWebhook(sandbox);

describe('activation', () => {
	it('makes a subscription where there is none', async () => {
		const { staticData } = await scene.create();
		expect(requests()).toEqual(['GET webhooks', 'GET me', 'POST webhooks']);
		expect(only()).toMatchObject({ enabled: true, description: 'n8n: Flow / Mail' });
		expect(staticData.subscription).toMatchObject({ id: only().id, url: ADDRESS });
		expect(JSON.stringify(staticData)).not.toContain(new URL(only().url).searchParams.get('token'));
	});

	it('that finds everything right makes one request and writes nothing', async () => {
		const { staticData } = await scene.create();
		requests();
		const again = await scene.create({ staticData });
		expect(requests()).toEqual(['GET webhooks']);
		expect(again.staticData).toEqual(staticData);
	});

	it.each(dialectNames)('resumes a paused one in two requests (%s)', async (dialect) => {
		sandbox.setDialect(dialect);
		const { staticData } = await scene.create();
		sandbox.editWebhook(only().id, { enabled: false });
		requests();
		await scene.create({ staticData });
		expect(requests()).toEqual(['GET webhooks', 'PATCH webhooks']);
		expect(only().enabled).toBe(true);
		sandbox.setDialect('observed');
	});

	it('looks after an answer that was lost before it makes another one', async () => {
		sandbox.addFault({ method: 'POST', count: 1, acts: true, answer: { type: 'drop' } });
		await scene.create();
		expect(requests()).toEqual(['GET webhooks', 'GET me', 'POST webhooks', 'GET webhooks']);
		expect(only().enabled).toBe(true);
	});

	it('tries again after an answer that was lost and nothing was made, and looks at what came of it', async () => {
		sandbox.addFault({ method: 'POST', count: 1, answer: { type: 'drop' } });
		await scene.create();
		expect(requests().filter((request) => request !== 'GET me')).toEqual([
			'GET webhooks',
			'POST webhooks',
			'GET webhooks',
			'POST webhooks',
			'GET webhooks',
		]);
		expect(only().enabled).toBe(true);
	});

	it.each([
		['was refused is made after a look', {}, ['GET webhooks', 'POST webhooks']],
		['was made all the same is found', { acts: true }, ['GET webhooks', 'GET webhooks']],
	])('answered 503 for what %s', async (_, more, afterwards) => {
		const answer = { type: 'status', status: 503 } as const;
		sandbox.addFault({ method: 'POST', count: 1, answer, ...more });
		await scene.create();
		expect(requests()).toEqual(['GET webhooks', 'GET me', 'POST webhooks', ...afterwards]);
		expect(only().enabled).toBe(true);
	});

	it('takes an answer that cannot be read for a lost one', async () => {
		sandbox.addFault({ method: 'POST', count: 1, answer: { type: 'truncatedJson' } });
		await scene.create();
		expect(only().enabled).toBe(true);
	});

	it('makes its own beside one that it may see but not change', async () => {
		const foreign = sandbox.addWebhook({
			url: ADDRESS,
			enabled: false,
			ownerId: sandbox.accounts.other.userId,
		});
		const state = sandbox.webhooks();
		sandbox.addFault({
			method: 'GET',
			path: '/webhooks',
			count: 2,
			answer: { type: 'status', status: 200, body: { success: true, data: state } },
		});
		sandbox.addFault({
			method: 'PATCH',
			path: `/webhooks/${foreign.id}`,
			answer: { type: 'status', status: 403 },
		});
		const { logLines } = await scene.create();
		expect(sandbox.webhooks().filter(({ enabled }) => enabled)).toHaveLength(1);
		expect(sandbox.webhooks()).toContainEqual(foreign);
		expect(logLines).toEqual([
			expect.objectContaining({ level: 'warn', message: expect.stringContaining(foreign.id) }),
		]);
	});

	it('replaces one whose restriction to an identity cannot be lifted', async () => {
		const { id } = identityOf(sandbox, 'email');
		await scene.create({ parameters: forOne(id) });
		sandbox.addFault({ method: 'PATCH', count: 1, answer: { type: 'status', status: 400 } });
		await scene.create();
		expect(only()).toMatchObject({ enabled: true, identityId: null });
	});

	it('is not stopped by one that is deleted at the same moment', async () => {
		await scene.create();
		sandbox.editWebhook(only().id, { enabled: false });
		const gone = sandbox.webhooks();
		sandbox.removeWebhook(only().id);
		sandbox.addFault({
			method: 'GET',
			path: '/webhooks',
			count: 1,
			answer: { type: 'status', status: 200, body: { success: true, data: gone } },
		});
		await scene.create();
		expect(only().enabled).toBe(true);
	});
});

describe('an activation that fails', () => {
	const failure = async (call = {}) =>
		await scene.create(call).then(
			() => 'it did not fail',
			(error: Error) => error.message,
		);

	it.each([
		[401, /refused the API key.*Check the API key/],
		[403, /may not list webhooks\. Look at its rights/],
		[404, /not found at this address.*base URL/],
		[429, /too many requests.*Wait a while/],
		[500, /for a reason of its own.*Try again later/],
		[503, /not available.*Try again/],
	])('because of %d says what happened and what to do', async (status, message) => {
		sandbox.addFault({ answer: { type: 'status', status, message: 'Authorization' } });
		expect(await failure()).toMatch(message);
	});

	it('because the service is gone says so, without the word that ends the tries of n8n 1.x', async () => {
		await sandbox.goDown();
		try {
			expect(await failure()).toMatch(/cannot be reached.*base URL/);
			expect(await failure()).not.toMatch(/authorization/i);
		} finally {
			await sandbox.comeBack();
		}
	});

	it('because of values says what the service said, without that word too', async () => {
		sandbox.addFault({
			method: 'POST',
			answer: {
				type: 'status',
				status: 400,
				issues: [{ path: 'url', message: 'Authorization is odd', code: 'custom' }],
			},
		});
		const message = await failure();
		expect(message).toContain('url: permission is odd');
	});

	it('because of an address that cannot be delivered to names it without the path, and asks nothing', async () => {
		const message = await failure({ webhookBaseUrl: 'https://192.168.1.7:5678/webhook' });
		expect(message).toMatch(
			/its address https:\/\/192\.168\.1\.7:5678 leads to the private .* 192\.168\.1\.7\. .*N8N_WEBHOOK_URL/,
		);
		expect(message).not.toContain('/webhook');
		expect(requests()).toEqual([]);
	});

	it('because no identity is chosen asks nothing', async () => {
		expect(await failure({ parameters: forOne('') })).toMatch(/No identity is chosen/);
		expect(requests()).toEqual([]);
	});
});

describe('a start of n8n', () => {
	it('mends with one line in the log, which holds no secret', async () => {
		const { staticData } = await scene.create();
		const { id, url } = only();
		sandbox.editWebhook(id, { url: url.replace('n8n.example', 'old.example') });
		const { logLines } = await startScene(sandbox).create({ ...START, staticData });
		expect(only()).toMatchObject({ id, url });
		expect(logLines).toEqual([
			{ level: 'info', message: expect.stringMatching(`${id} was mended \\(address corrected\\)`) },
		]);
	});

	it('during an outage throws nothing, so that n8n keeps its own address alive', async () => {
		sandbox.addFault({ answer: { type: 'status', status: 503 } });
		const { logLines } = await scene.create(START);
		expect(logLines).toEqual([
			{ level: 'error', message: expect.stringContaining('could not be checked') },
		]);
	});

	it('removes a test subscription that a crash left behind', async () => {
		await scene.create(TEST);
		await startScene(sandbox).create(START);
		expect(sandbox.webhooks().map(({ url }) => url.split('?')[0])).toEqual([ADDRESS]);
	});
});

describe('deactivation', () => {
	it('pauses in two requests, and is content with what is paused', async () => {
		const { staticData } = await scene.create();
		requests();
		await scene.remove({ staticData });
		expect(requests()).toEqual(['GET webhooks', 'PATCH webhooks']);
		await scene.remove({ staticData });
		expect(requests()).toEqual(['GET webhooks']);
		expect(only().enabled).toBe(false);
	});

	it('is content with one that is deleted at the same moment', async () => {
		await scene.create();
		sandbox.addFault({ method: 'PATCH', count: 1, answer: { type: 'status', status: 404 } });
		expect((await scene.remove()).logLines).toEqual([]);
	});

	it('deletes if that was chosen', async () => {
		await scene.create();
		await scene.remove({ parameters: { options: { onDeactivation: 'delete' } } });
		expect(sandbox.webhooks()).toEqual([]);
	});

	it.each([
		['gone', { answer: { type: 'drop' } }],
		['refusing the key', { answer: { type: 'status', status: 401 } }],
		['answering nonsense', { answer: { type: 'html' } }],
	] as const)(
		'throws nothing with the service %s, and says so without a secret',
		async (_, fault) => {
			const { staticData } = await scene.create();
			sandbox.addFault(fault);
			const { logLines } = await scene.remove({ staticData });
			expect(logLines).toEqual([
				{ level: 'warn', message: expect.stringContaining('could not be switched off') },
			]);
			expect(logLines[0]?.message).not.toMatch(/token|sk_/);
		},
	);

	it('says nothing of a subscription that was never made, however often n8n takes down what failed', async () => {
		sandbox.addFault({ answer: { type: 'drop' } });
		await expect(scene.create()).rejects.toThrow();
		for (let attempt = 0; attempt < 2; attempt++) {
			expect((await scene.remove({})).logLines).toEqual([]);
		}
	});

	it('says nothing of one that is paused and could not be resumed', async () => {
		const { staticData } = await scene.create();
		const paused = await scene.remove({ staticData });
		sandbox.addFault({ answer: { type: 'drop' } });
		await expect(scene.create({ staticData: paused.staticData })).rejects.toThrow();
		expect((await scene.remove({ staticData: paused.staticData })).logLines).toEqual([]);
	});

	it('says that one may be on which was there before a failed activation', async () => {
		const { staticData } = await scene.create();
		sandbox.addFault({ answer: { type: 'drop' } });
		await expect(scene.create({ staticData })).rejects.toThrow();
		expect((await scene.remove({ staticData })).logLines).toEqual([
			{ level: 'warn', message: expect.stringContaining('could not be switched off') },
		]);
	});

	it('says what is left in an account that the credential no longer belongs to', async () => {
		const { staticData } = await scene.create();
		const { id, ownerId } = only();
		const { logLines, ...left } = await scene.remove({ staticData, account: 'other' });
		expect(logLines).toEqual([
			{ level: 'warn', message: expect.stringMatching(`${id}.*user ${ownerId}.*delete it there`) },
		]);
		const again = await scene.create({ ...left, account: 'other' });
		expect(again.logLines).toEqual([]);
	});
});

describe('a copy of the workflow with the same webhook ID', () => {
	const COPY = { workflow: { id: 'copy', name: 'Flow copy' } };

	it('that n8n could not publish beside the original, and takes down, leaves that switched on and looked after', async () => {
		await scene.create();
		const cron = await scene.trigger();
		await scene.remove(COPY);
		await scene.remove(COPY);
		expect(only().enabled).toBe(true);
		scene.clock.now += 15 * 60_000;
		requests();
		await cron?.tick();
		expect(requests()).toEqual(['GET webhooks']);
	});

	it('leaves it so after a restart of n8n, too', async () => {
		const { staticData } = await scene.create();
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

	it('that is published once the original is not is switched off as any other', async () => {
		const { staticData } = await scene.create();
		await scene.remove({ staticData });
		await scene.create(COPY);
		expect(only().enabled).toBe(true);
		await scene.remove(COPY);
		expect(only().enabled).toBe(false);
	});

	it('that another main published in its place is switched off by this one', async () => {
		const original = await scene.create();
		const otherMain = startScene(sandbox);
		await otherMain.remove(original);
		const { staticData } = await otherMain.create(COPY);
		expect(only().enabled).toBe(true);
		await scene.remove({ ...COPY, staticData });
		expect(only().enabled).toBe(false);
	});
});

describe('listening for a test event', () => {
	it('is cancelled while it is being set up, and leaves nothing', async () => {
		sandbox.addFault({ method: 'POST', count: 1, delayAfter: 100 });
		const listening = scene.create(TEST);
		await sandbox.waitForRequest(({ path }) => path === '/me');
		// n8n has no static data to hand over yet.
		await scene.remove({ isTest: true });
		await listening;
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('does not end the checks of the active workflow', async () => {
		await scene.create();
		const cron = await scene.trigger();
		await scene.create(TEST);
		expect(sandbox.webhooks().map(({ url }) => url.split('?')[0])).toEqual([ADDRESS, TEST_ADDRESS]);
		await scene.remove({ isTest: true });
		scene.clock.now += 15 * 60_000;
		requests();
		await cron?.tick();
		expect(requests()).toEqual(['GET webhooks']);
	});
});

describe('the check at intervals', () => {
	const MINUTE = 60_000;

	const activate = async (parameters = {}) => {
		await scene.create({ parameters });
		const cron = await scene.trigger({ parameters });
		requests();
		return cron!;
	};

	const later = (minutes: number) => {
		scene.clock.now += minutes * MINUTE;
	};

	it('asks nothing before it is due, and once when all is right', async () => {
		const { tick, logLines } = await activate();
		later(14);
		await tick();
		expect(requests()).toEqual([]);
		later(1);
		await tick();
		await tick();
		expect(requests()).toEqual(['GET webhooks']);
		expect(logLines()).toEqual([]);
	});

	it('mends what is still wrong a minute later', async () => {
		const { tick, logLines } = await activate({ options: { checkEvery: 5 } });
		sandbox.editWebhook(only().id, { enabled: false });
		later(5);
		await tick();
		expect(only().enabled).toBe(false);
		later(1);
		await tick();
		expect(only().enabled).toBe(true);
		expect(logLines()).toEqual([
			{ level: 'info', message: expect.stringContaining('was mended (resumed)') },
		]);
	});

	it('logs a failure, and looks again a minute later', async () => {
		const { tick, logLines } = await activate();
		sandbox.addFault({ answer: { type: 'status', status: 503 } });
		later(15);
		await tick();
		sandbox.clearFaults();
		requests();
		later(1);
		await tick();
		expect(requests()).toEqual(['GET webhooks']);
		expect(logLines()).toEqual([
			{ level: 'warn', message: expect.stringContaining('could not be checked') },
		]);
	});

	it('never resumes what is being switched off', async () => {
		const { tick } = await activate();
		sandbox.editWebhook(only().id, { enabled: false });
		later(15);
		await tick();
		later(1);
		sandbox.addFault({ method: 'GET', count: 1, delayAfter: 100 });
		requests();
		const check = tick();
		await sandbox.waitForRequest(() => true);
		await Promise.all([check, scene.remove()]);
		expect(only().enabled).toBe(false);
		later(15);
		await tick();
		later(1);
		await tick();
		expect(only().enabled).toBe(false);
	});

	it('asks nothing once the workflow is unpublished, should n8n still call it', async () => {
		const { tick } = await activate();
		await scene.remove();
		requests();
		later(15);
		await tick();
		expect(requests()).toEqual([]);
	});

	it('is not registered when switched off, or while testing', async () => {
		expect(await scene.trigger({ parameters: { options: { checkEvery: 0 } } })).toBeUndefined();
		expect(await scene.trigger({ mode: 'manual' })).toBeUndefined();
	});
});
