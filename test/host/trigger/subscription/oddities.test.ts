import type { StoredWebhook } from '../../../../sandbox';
import { type Sandbox } from '../../../../sandbox';
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
	type Call,
	onlyWebhook,
} from './scene';

/** What a service may do within the contract's words, and what a trigger makes of it. */

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const MINUTE = 60_000;

const only = () => onlyWebhook(sandbox);

const enabled = () => sandbox.webhooks().filter((webhook) => webhook.enabled);

/** Methods of the requests that change something, since the last time this was asked. */
const writes = () => {
	const made = sandbox.requests(({ method }) => method !== 'GET').map(({ method }) => method);
	sandbox.clearRecordings();
	return made;
};

const addresses = () => sandbox.webhooks().map(({ url }) => url.split('?')[0]);

/** Five hours of an active workflow, as n8n's scheduler calls it around each of twenty checks. */
async function twentyChecks(call: Call = {}): Promise<string[]> {
	const cron = await scene.trigger(call);
	for (let check = 0; check < 20; check++) {
		scene.clock.now += 15 * MINUTE;
		for (let minute = 0; minute < 3; minute++) {
			await cron?.tick();
			scene.clock.now += MINUTE;
		}
		scene.clock.now -= 3 * MINUTE;
	}
	return cron?.logLines().map(({ message }) => message) ?? [];
}

describe('a list that does not show the subscription', () => {
	it.each([
		['but shown by its ID', false],
		['nor shown by its ID', true],
	])(
		'%s: there is one after twenty checks, and none enabled after unpublishing',
		async (_, hidesSingle) => {
			sandbox.setOddities({ list: [], hidesSingle });
			const { staticData } = await scene.create();
			const { id } = only();
			const log = await twentyChecks();
			expect(log.length).toBeLessThanOrEqual(2);
			expect(only()).toMatchObject({ id, enabled: true });
			await scene.create({ staticData });
			expect(only()).toMatchObject({ id, enabled: true });
			await scene.remove({ staticData });
			expect(only()).toMatchObject({ id, enabled: false });
			await scene.create({ staticData });
			expect(only()).toMatchObject({ id, enabled: true });
			await scene.remove({ staticData, parameters: { options: { onDeactivation: 'delete' } } });
			expect(sandbox.webhooks()).toEqual([]);
		},
	);

	it('is looked up by its stored ID after a restart of n8n', async () => {
		const { staticData } = await scene.create();
		const { id } = only();
		sandbox.setOddities({ list: [] });
		scene = startScene(sandbox);
		writes();
		await scene.create({ ...START, staticData });
		expect(writes()).toEqual([]);
		await scene.remove({ staticData });
		expect(only()).toMatchObject({ id, enabled: false });
	});

	it('is made anew once it is really gone', async () => {
		const { staticData } = await scene.create();
		const { id } = only();
		sandbox.removeWebhook(id);
		await scene.create({ staticData });
		expect(only().id).not.toBe(id);
	});

	it('nor the answers to creations: what may have been created is awaited, longer each time', async () => {
		await scene.create();
		sandbox.removeWebhook(only().id);
		sandbox.setOddities({ list: [], hidesSingle: true });
		sandbox.addFault({ method: 'POST', acts: true, answer: { type: 'drop' } });
		const log = await twentyChecks();
		expect(sandbox.webhooks().length).toBeLessThanOrEqual(8);
		expect(log).toContainEqual(expect.stringContaining('could not be checked'));
	});
});

describe('a list that lags', () => {
	let before: StoredWebhook[];
	const lag = () => sandbox.setOddities({ list: before });
	const keep = () => {
		before = sandbox.webhooks();
	};

	it('shows it enabled after it was paused: an activation resumes it', async () => {
		const { staticData } = await scene.create();
		keep();
		const left = await scene.remove({ staticData });
		lag();
		await scene.create(left);
		expect(only().enabled).toBe(true);
	});

	it('shows it enabled after it was paused and n8n was started anew: an activation resumes it', async () => {
		const { staticData } = await scene.create();
		keep();
		const left = await scene.remove({ staticData });
		lag();
		await startScene(sandbox).create(left);
		expect(only().enabled).toBe(true);
	});

	it('shows it paused after it was resumed: a deactivation pauses it', async () => {
		const { staticData } = await scene.create();
		await scene.remove({ staticData });
		keep();
		await scene.create({ staticData });
		lag();
		await scene.remove({ staticData });
		expect(only().enabled).toBe(false);
	});

	it('shows it after it was deleted: an activation makes another one', async () => {
		const { staticData } = await scene.create();
		keep();
		await scene.remove({ staticData, parameters: { options: { onDeactivation: 'delete' } } });
		lag();
		await scene.create({ staticData });
		expect(only().enabled).toBe(true);
	});

	it('shows the identity of before: an activation sends the one of now', async () => {
		const { id } = sandbox.accounts.owner.identities[0]!;
		const one = { receiveFor: 'one', identityId: { __rl: true, mode: 'id', value: id } };
		const { staticData } = await scene.create();
		keep();
		await scene.create({ staticData, parameters: one });
		lag();
		await scene.create({ staticData });
		expect(only().identityId).toBeNull();
	});
});

describe('a list that cannot be read', () => {
	it('keeps nobody from pausing by the ID, and the log says what could not be seen', async () => {
		const { staticData } = await scene.create();
		sandbox.addFault({
			method: 'GET',
			path: '/webhooks',
			answer: { type: 'status', status: 200, body: { success: false, error: 'busy' } },
		});
		const { logLines } = await scene.remove({ staticData });
		expect(only().enabled).toBe(false);
		expect(logLines).toEqual([
			{ level: 'warn', message: expect.stringMatching(/was switched off\. Whether.*not be seen/) },
		]);
	});

	it('makes no second one', async () => {
		await scene.create();
		sandbox.addFault({
			method: 'GET',
			path: '/webhooks',
			answer: { type: 'status', status: 200, body: { success: false, error: 'busy' } },
		});
		await twentyChecks();
		expect(only().enabled).toBe(true);
	});
});

describe('whether it is enabled is not told', () => {
	beforeEach(() => sandbox.setOddities({ show: (shown) => ({ ...shown, enabled: undefined }) }));

	it('so that each activation and each deactivation makes sure, and no check does', async () => {
		const { staticData } = await scene.create();
		sandbox.editWebhook(only().id, { enabled: false });
		writes();
		await scene.create({ staticData });
		expect(writes()).toEqual(['PATCH']);
		expect(only().enabled).toBe(true);
		expect(await twentyChecks()).toEqual([]);
		expect(writes()).toEqual([]);
		await scene.remove({ staticData });
		expect(writes()).toEqual(['PATCH']);
		expect(only().enabled).toBe(false);
	});

	it('after a start of n8n either', async () => {
		const { staticData } = await scene.create();
		scene = startScene(sandbox);
		await scene.create({ ...START, staticData });
		writes();
		await twentyChecks();
		expect(writes()).toEqual([]);
	});
});

describe('IDs of another kind', () => {
	it('are taken as the service gave them', async () => {
		const newId = 'wh_7/ä b';
		sandbox.setOddities({ newId: () => newId });
		const { id } = sandbox.addIdentity({ id: 'idn_Ab3', value: 'odd@alice.example' });
		const parameters = { receiveFor: 'one', identityId: { __rl: true, mode: 'id', value: id } };
		const { staticData } = await scene.create({ parameters });
		expect(only()).toMatchObject({ id: newId, identityId: 'idn_Ab3', enabled: true });
		await scene.remove({ staticData, parameters });
		expect(only().enabled).toBe(false);
		await scene.create({ staticData, parameters });
		expect(only().enabled).toBe(true);
		const removal = { ...parameters, options: { onDeactivation: 'delete' } };
		await scene.remove({ staticData, parameters: removal });
		expect(sandbox.webhooks()).toEqual([]);
	});
});

type Shown = Record<string, unknown>;
const url = (change: (url: string) => string) => (shown: Shown) => ({
	...shown,
	url: change(String(shown.url)),
});

describe('what comes back spelled otherwise is the same', () => {
	it.each<[string, (shown: Shown) => Shown]>([
		['the host in capitals', url((text) => text.replace('n8n.example', 'N8N.Example'))],
		['the default port', url((text) => text.replace('n8n.example', 'n8n.example:443'))],
		['a slash at the end', url((text) => text.replace('?', '/?'))],
		['letters in percent', url((text) => text.replace('/webhook?', '/%77ebhook?'))],
		['a secret in percent', url((text) => text.replace(/-|_/g, encode))],
		['another parameter first', url((text) => text.replace('?', '?by=service&'))],
		['a secret in stars', url((text) => text.replace(/token=.*/, 'token=********'))],
		['a secret in part', url((text) => text.replace(/(token=.{4}).*/, '$1…'))],
		['a secret in words', url((text) => text.replace(/token=.*/, 'token=[redacted]'))],
		['a query in stars', url((text) => text.replace(/\?.*/, '?***'))],
		['no URL at all', (shown) => ({ ...shown, url: undefined })],
		['events in capitals', (shown) => ({ ...shown, events: ['MESSAGE.RECEIVED'] })],
		['events twice', (shown) => ({ ...shown, events: ['message.received', 'message.received'] })],
		['events as objects', (shown) => ({ ...shown, events: [{ name: 'message.received' }] })],
		[
			'an identity in capitals',
			(shown) => ({ ...shown, identityId: String(shown.identityId).toUpperCase() }),
		],
	])('%s', async (_, show) => {
		const parameters = forOne(identityOf(sandbox, 'email').id);
		sandbox.setOddities({ show });
		const { staticData } = await scene.create({ parameters });
		writes();
		await scene.create({ staticData, parameters });
		expect(await twentyChecks({ parameters })).toEqual([]);
		scene = startScene(sandbox);
		const { logLines } = await scene.create({ ...START, staticData, parameters });
		expect(await twentyChecks({ parameters })).toEqual([]);
		expect(writes()).toEqual([]);
		expect(logLines).toEqual([]);
		expect(only().enabled).toBe(true);
	});

	it('a masked secret is not taken for the one of a new API key', async () => {
		sandbox.setOddities({ show: url((text) => text.replace(/token=.*/, 'token=***')) });
		const { staticData } = await scene.create();
		const former = only().url;
		sandbox.rotateKey('owner');
		await startScene(sandbox).create({ ...START, staticData });
		expect(only().url).not.toBe(former);
	});
});

describe('a secret that the service does not keep', () => {
	const KEEPING = [
		['drops', (text: string) => text.replace(/\?.*/, '')],
		['writes in small letters', (text: string) => text.toLowerCase()],
	] as const;

	it.each(KEEPING)('makes the activation fail with one sentence: it %s it', async (_, keptUrl) => {
		sandbox.setOddities({
			keep: (given) => (given.url === undefined ? {} : { url: keptUrl(given.url) }),
		});
		const failed = scene.create();
		await expect(failed).rejects.toThrow(/^The service does not keep the secret[^.]*\.$/);
		expect(enabled()).toEqual([]);
	});

	it.each(KEEPING)('nor when one is taken over: it %s it', async (_, keptUrl) => {
		const { id } = sandbox.addWebhook({ url: ADDRESS, enabled: true });
		sandbox.setOddities({
			keep: (given) => (given.url === undefined ? {} : { url: keptUrl(given.url) }),
		});
		await expect(scene.create()).rejects.toThrow(/does not keep the secret/);
		expect(only()).toMatchObject({ id, enabled: false });
	});

	it('nor when the path is written in small letters', async () => {
		const webhookBaseUrl = 'https://n8n.example/WebHook';
		sandbox.setOddities({
			keep: (given) => (given.url ? { url: given.url.replace('WebHook', 'webhook') } : {}),
		});
		await expect(scene.create({ webhookBaseUrl })).rejects.toThrow(/does not keep the webhook URL/);
		expect(enabled()).toEqual([]);
	});

	it('nor for a test event', async () => {
		sandbox.setOddities({ keep: () => ({ url: TEST_ADDRESS }) });
		await expect(scene.create(TEST)).rejects.toThrow(/does not keep the secret/);
		expect(sandbox.webhooks()).toEqual([]);
	});
});

describe('a mend that does not stick', () => {
	it.each<[string, Partial<StoredWebhook>]>([
		['being enabled', { enabled: false }],
		['the address', { url: 'https://elsewhere.example/hook' }],
		['the events', { events: ['message.sent'] }],
	])('is made once and told once: %s', async (_, wrong) => {
		await scene.create();
		sandbox.editWebhook(only().id, wrong);
		sandbox.setOddities({ keep: () => wrong });
		writes();
		const log = await twentyChecks();
		expect(writes()).toEqual(['PATCH']);
		expect(log).toEqual([
			expect.stringContaining('was mended'),
			expect.stringContaining('the service shows it as it was before'),
		]);
	});

	it('is made again when it would stick', async () => {
		await scene.create();
		const { id } = only();
		sandbox.editWebhook(id, { enabled: false });
		sandbox.setOddities({ keep: () => ({ enabled: false }) });
		await twentyChecks();
		sandbox.setOddities({});
		sandbox.editWebhook(id, { enabled: true });
		await twentyChecks();
		sandbox.editWebhook(id, { enabled: false });
		await twentyChecks();
		expect(only().enabled).toBe(true);
	});

	it('of one that belongs to another account is tried once', async () => {
		await scene.create();
		const foreign = sandbox.addWebhook({ url: ADDRESS, ownerId: sandbox.accounts.other.userId });
		sandbox.setOddities({
			list: sandbox.webhooks().map((webhook) => ({
				...webhook,
				ownerId: sandbox.accounts.owner.userId,
			})),
		});
		sandbox.addFault({
			method: 'DELETE',
			path: `/webhooks/${foreign.id}`,
			answer: { type: 'status', status: 403 },
		});
		writes();
		const log = await twentyChecks();
		expect(writes()).toEqual(['DELETE']);
		expect(log).toEqual([expect.stringContaining(foreign.id)]);
	});
});

describe('a test subscription', () => {
	const OTHER_NODE = { webhookId: 'c1d2e3f4-0000-4000-8000-000000000001' };

	it.each([
		['behind', '2020-01-01T00:00:00.000Z'],
		['ahead', '2040-01-01T00:00:00.000Z'],
		['without a zone', '2026-01-01 00:00:00'],
	])('in use stays with the service’s clock %s', async (_, createdAt) => {
		sandbox.setOddities({ show: (shown) => ({ ...shown, createdAt }) });
		await scene.create();
		const cron = await scene.trigger();
		scene.clock.now += 15 * MINUTE;
		await scene.create(TEST);
		for (let minute = 0; minute < 3; minute++) {
			await cron?.tick();
			scene.clock.now += MINUTE;
		}
		expect(addresses()).toEqual([ADDRESS, TEST_ADDRESS]);
	});

	it('of another main process stays while it may be in use, and goes then', async () => {
		await scene.create();
		const cron = await scene.trigger();
		await startScene(sandbox).create({ ...TEST, ...OTHER_NODE });
		const minutes = async (count: number) => {
			for (let minute = 0; minute < count; minute++) {
				scene.clock.now += MINUTE;
				await cron?.tick();
			}
		};
		await minutes(30);
		expect(sandbox.webhooks()).toHaveLength(2);
		await minutes(35);
		expect(addresses()).toEqual([ADDRESS]);
	});

	it('that a crash left of a workflow that was never published goes when another trigger starts', async () => {
		await scene.create(TEST);
		await startScene(sandbox).create({ ...START, ...OTHER_NODE });
		expect(addresses()).toEqual([ADDRESS.replace(/[-0-9a-f]{36}/, OTHER_NODE.webhookId)]);
	});

	it('of another n8n, or with another API key, or that only looks like one, stays', async () => {
		await scene.create({ ...TEST, instanceId: 'another-n8n' });
		sandbox.addWebhook({ url: TEST_ADDRESS.replace(/3f0e/, 'ffff') });
		sandbox.addWebhook({ url: `${TEST_ADDRESS.replace(/3f0e/, 'fffe')}?token=${'a'.repeat(43)}` });
		await startScene(sandbox).create({ ...START, ...OTHER_NODE });
		expect(sandbox.webhooks()).toHaveLength(4);
	});

	it('ends without a touch to production, whatever static data n8n hands over', async () => {
		const { staticData } = await scene.create();
		await startScene(sandbox).remove({ staticData, isTest: true });
		expect(only().enabled).toBe(true);
	});

	it('that someone listens with stays when another trigger starts late', async () => {
		await scene.create(TEST);
		await scene.create({ ...START, ...OTHER_NODE });
		expect(sandbox.webhooks()).toHaveLength(2);
	});
});

describe('a description', () => {
	it.each(['👩‍👩‍👧‍👦', '😀', 'é', '🇪🇺', 'n'])('is not cut within %s', async (character) => {
		for (const start of ['', 'a', 'ab', 'abc']) {
			const name = start + character.repeat(200);
			await scene.create({ workflow: { id: 'workflow', name, active: true } });
			const description = only().description ?? '';
			expect(description.length).toBeGreaterThan(140);
			expect(description.replace(`n8n: ${start}`, '').replaceAll(character, '')).toBe('');
		}
	});
});

function encode(character: string): string {
	return `%${character.charCodeAt(0).toString(16)}`;
}
