import type { Sandbox, StoredWebhook } from '../../../../sandbox';
import { Restrictions } from '../../../../nodes/EmailIdentity/trigger/restriction';
import {
	ADDRESS,
	forOne,
	identityOf,
	INSTANCE_ID,
	onlyWebhook,
	setTheScene,
	START,
	startScene,
	WEBHOOK_ID,
	type Call,
	type Scene,
} from './scene';

/** What services were seen to do, or may do within the contract's words, and what a trigger makes of it. */

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const MINUTE = 60_000;

const only = () => onlyWebhook(sandbox);

/** Methods of the requests that change something, since the last time this was asked. */
const writes = () => {
	const made = sandbox.requests(({ method }) => method !== 'GET').map(({ method }) => method);
	sandbox.clearRecordings();
	return made;
};

/** Hours of an active workflow, as n8n's scheduler calls it around each check. @returns n8n's log */
async function manyChecks(call: Call = {}, checks = 8): Promise<string[]> {
	const cron = await scene.trigger(call);
	for (let check = 0; check < checks; check++) {
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
	it.each([false, true])(
		'makes no second one, and it is switched off by its ID (hidden there too: %s)',
		async (hidesSingle) => {
			sandbox.setOddities({ list: [], hidesSingle });
			const { staticData } = await scene.create();
			const { id } = only();
			expect((await manyChecks()).length).toBeLessThanOrEqual(2);
			expect(only()).toMatchObject({ id, enabled: true });
			await scene.remove({ staticData });
			expect(only()).toMatchObject({ id, enabled: false });
			scene = startScene(sandbox);
			await scene.create({ staticData });
			expect(only()).toMatchObject({ id, enabled: true });
			await scene.remove({ staticData, parameters: { advanced: { onDeactivation: 'delete' } } });
			expect(sandbox.webhooks()).toEqual([]);
		},
	);

	it('is asked by the ID: one that is really gone is made anew', async () => {
		const { staticData } = await scene.create();
		const { id } = only();
		sandbox.removeWebhook(id);
		await scene.create({ staticData });
		expect(only().id).not.toBe(id);
	});

	it('nor answers creations: what may have been created is awaited, longer each time', async () => {
		await scene.create();
		sandbox.removeWebhook(only().id);
		sandbox.setOddities({ list: [], hidesSingle: true });
		sandbox.addFault({ method: 'POST', acts: true, answer: { type: 'drop' } });
		const log = await manyChecks({}, 20);
		expect(sandbox.webhooks().length).toBeLessThanOrEqual(8);
		expect(log).toContainEqual(expect.stringContaining('could not be checked'));
	});

	it('because it cannot be read makes no second one', async () => {
		await scene.create();
		const answer = {
			type: 'status',
			status: 200,
			body: { success: false, error: 'busy' },
		} as const;
		sandbox.addFault({ method: 'GET', path: '/webhooks', answer });
		await manyChecks();
		expect(only().enabled).toBe(true);
	});
});

describe('a list that lags', () => {
	let before: StoredWebhook[];
	const lag = () => sandbox.setOddities({ list: before });
	const keep = () => {
		before = sandbox.webhooks();
	};

	it.each([false, true])(
		'shows it enabled after it was paused: an activation resumes it (after a restart: %s)',
		async (isRestarted) => {
			const { staticData } = await scene.create();
			keep();
			const left = await scene.remove({ staticData });
			lag();
			await (isRestarted ? startScene(sandbox) : scene).create(left);
			expect(only().enabled).toBe(true);
		},
	);

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
		await scene.remove({ staticData, parameters: { advanced: { onDeactivation: 'delete' } } });
		lag();
		await scene.create({ staticData });
		expect(only().enabled).toBe(true);
	});

	it('shows the identity of before: an activation sends the one of now', async () => {
		const parameters = forOne(identityOf(sandbox, 'email').id);
		const { staticData } = await scene.create();
		keep();
		await scene.create({ staticData, parameters });
		lag();
		await scene.create({ staticData });
		expect(only().identityId).toBeNull();
	});
});

test('whether it is enabled is not told: activations and deactivations make sure, checks and starts do not ask twice', async () => {
	sandbox.setOddities({ show: (shown) => ({ ...shown, enabled: undefined }) });
	const { staticData } = await scene.create();
	sandbox.editWebhook(only().id, { enabled: false });
	writes();
	await scene.create({ staticData });
	expect(writes()).toEqual(['PATCH']);
	expect(only().enabled).toBe(true);
	expect(await manyChecks()).toEqual([]);
	expect(writes()).toEqual([]);
	scene = startScene(sandbox);
	await scene.create({ ...START, staticData });
	writes();
	await manyChecks();
	expect(writes()).toEqual([]);
	await scene.remove({ staticData });
	expect(only().enabled).toBe(false);
});

test('IDs of another kind are taken as the service gave them', async () => {
	const newId = 'wh_7/ä b';
	sandbox.setOddities({ newId: () => newId });
	const { id } = sandbox.addIdentity({ id: 'idn_Ab3', value: 'odd@alice.example' });
	const parameters = forOne(id);
	const { staticData } = await scene.create({ parameters });
	expect(only()).toMatchObject({ id: newId, identityId: 'idn_Ab3', enabled: true });
	await scene.remove({ staticData, parameters });
	expect(only().enabled).toBe(false);
	await scene.create({ staticData, parameters });
	expect(only().enabled).toBe(true);
	const removal = { ...parameters, advanced: { onDeactivation: 'delete' } };
	await scene.remove({ staticData, parameters: removal });
	expect(sandbox.webhooks()).toEqual([]);
});

type Shown = Record<string, unknown>;
const url = (change: (url: string) => string) => (shown: Shown) => ({
	...shown,
	url: change(String(shown.url)),
});

describe('what comes back spelled otherwise is the same', () => {
	it.each<[string, (shown: Shown) => Shown]>([
		['a slash at the end', url((text) => text.replace('?', '/?'))],
		['a secret in stars', url((text) => text.replace(/token=.*/, 'token=********'))],
		['a query in stars', url((text) => text.replace(/\?.*/, '?***'))],
		['no URL at all', (shown) => ({ ...shown, url: undefined })],
		['events twice', (shown) => ({ ...shown, events: ['MESSAGE.RECEIVED', 'message.received'] })],
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
		scene = startScene(sandbox);
		const { logLines } = await scene.create({ ...START, staticData, parameters });
		expect(await manyChecks({ parameters })).toEqual([]);
		expect(writes()).toEqual([]);
		expect(logLines).toEqual([]);
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

test('one that the service shows and belongs to another account is tried once, and named in the log', async () => {
	await scene.create();
	const { owner, other } = sandbox.accounts;
	const foreign = sandbox.addWebhook({ url: ADDRESS, ownerId: other.userId });
	const list = sandbox.webhooks().map((webhook) => ({ ...webhook, ownerId: owner.userId }));
	sandbox.setOddities({ list });
	const answer = { type: 'status', status: 403 } as const;
	sandbox.addFault({ method: 'DELETE', path: `/webhooks/${foreign.id}`, answer });
	writes();
	const log = await manyChecks();
	expect(writes()).toEqual(['DELETE']);
	expect(log).toEqual([expect.stringContaining(foreign.id)]);
});

test.each(['👩‍👩‍👧‍👦', '😀', 'é', '🇪🇺', 'n'])('a description is not cut within %s', async (character) => {
	for (const start of ['', 'a', 'ab', 'abc']) {
		const name = start + character.repeat(200);
		await scene.create({ workflow: { id: 'workflow', name, active: true } });
		const description = only().description ?? '';
		expect(description.length).toBeGreaterThan(140);
		expect(description.replace(`n8n: ${start}`, '').replaceAll(character, '')).toBe('');
	}
});

describe('one identity', () => {
	let parameters: NonNullable<Call['parameters']>;
	let identity: ReturnType<typeof identityOf>;

	beforeEach(() => {
		identity = identityOf(sandbox, 'email');
		parameters = forOne(identity.id);
	});

	/** As Kurrier 3.5.0 does it: subscriptions to it are for everything then. */
	const deleteIdentity = () => {
		sandbox.removeIdentity(identity.id);
		for (const { id } of sandbox.webhooks()) sandbox.editWebhook(id, { identityId: null });
	};

	/** An active node, and one round of checks: until what is wrong was seen, repaired, and seen to be right. */
	const activate = async (call: Call = {}) => {
		const made = await scene.create({ parameters, ...call });
		const cron = await scene.trigger({ parameters, ...call });
		const tick = async (minutes: number) => {
			scene.clock.now += minutes * MINUTE;
			await cron?.tick();
		};
		const check = async () => {
			for (const minutes of [15, 1, 1]) await tick(minutes);
		};
		const log = () => cron?.logLines().map(({ message }) => message) ?? [];
		return { ...made, tick, check, log };
	};

	it('is looked up when the workflow is published, and no more when all is right', async () => {
		const { check } = await activate();
		expect(only().identityId).toBe(identity.id);
		sandbox.clearRecordings();
		await check();
		expect(sandbox.requests().map(({ path }) => path)).toEqual(['/webhooks']);
	});

	it('that is deleted pauses the subscription, is named in the log once, and resumes it when it is back', async () => {
		const { check, log } = await activate();
		deleteIdentity();
		await check();
		expect(only()).toMatchObject({ enabled: false, identityId: null });
		sandbox.editWebhook(only().id, { enabled: true });
		await check();
		expect(only().enabled).toBe(false);
		expect(log()).toEqual([expect.stringContaining(identity.value)]);
		sandbox.addIdentity({ ...identity, kind: 'email' });
		await check();
		expect(only()).toMatchObject({ enabled: true, identityId: identity.id });
		await check();
		expect(log()).toHaveLength(2);
	});

	it('that was deleted while n8n was down pauses the subscription at its start', async () => {
		const { staticData } = await scene.create({ parameters });
		deleteIdentity();
		scene = startScene(sandbox);
		const { logLines, check } = await activate({ ...START, staticData });
		expect(only().enabled).toBe(false);
		expect(logLines).toMatchObject([{ level: 'error' }]);
		sandbox.addIdentity({ ...identity, kind: 'email' });
		await check();
		expect(only()).toMatchObject({ enabled: true, identityId: identity.id });
	});

	it('that is deleted while the service cannot pause is paused a minute later', async () => {
		const { tick, log } = await activate();
		deleteIdentity();
		const answer = { type: 'status', status: 500 } as const;
		sandbox.addFault({ method: 'PATCH', count: 1, answer });
		await tick(15);
		await tick(1);
		expect(only().enabled).toBe(false);
		expect(log()).toHaveLength(2);
	});

	it('whose restriction is lost has it back at the first check', async () => {
		const { tick, log } = await activate();
		sandbox.editWebhook(only().id, { identityId: null });
		await tick(15);
		expect(only()).toMatchObject({ enabled: true, identityId: identity.id });
		expect(log()).toHaveLength(1);
	});

	it('that is a domain is subscribed to without a restriction, and that is right', async () => {
		const { id, value } = identityOf(sandbox, 'domain');
		parameters = forOne(id);
		const { staticData, check, log } = await activate();
		expect(only()).toMatchObject({ enabled: true, identityId: null });
		const stored = { identityId: id, identityValue: value, isForDomain: true };
		expect(staticData.subscription).toMatchObject(stored);
		await check();
		expect(log()).toEqual([]);
	});

	it('is changed from an address to a domain and back while the workflow is active', async () => {
		const domain = forOne(identityOf(sandbox, 'domain').id);
		let { staticData } = await scene.create({ parameters });
		const { id } = only();
		for (const [former, chosen, identityId] of [
			[parameters, domain, null],
			[domain, parameters, identity.id],
		] as const) {
			({ staticData } = await scene.remove({ staticData, parameters: former }));
			({ staticData } = await scene.create({ staticData, parameters: chosen }));
			expect(only()).toMatchObject({ id, enabled: true, identityId });
		}
	});

	describe('that a delivery found unrestricted', () => {
		const scope = {
			instanceId: INSTANCE_ID,
			webhookPath: WEBHOOK_ID,
			listening: 'production',
		} as const;
		let restrictions: Restrictions;

		/** The subscription is looked at, once all that was begun has ended. */
		const settled = async () => await scene.create({ ...START, parameters });

		beforeEach(() => {
			restrictions = new Restrictions();
			scene = startScene(sandbox, restrictions);
		});

		it.each([15, 0])('is repaired at once, with Check Interval %d', async (checkEvery) => {
			parameters = { ...parameters, advanced: { checkEvery } };
			await activate();
			sandbox.editWebhook(only().id, { identityId: null });
			sandbox.clearRecordings();
			restrictions.repairNow(scope);
			await sandbox.waitForRequest(({ method }) => method === 'PATCH');
			await settled();
			expect(only()).toMatchObject({ enabled: true, identityId: identity.id });
			expect(restrictions.seen(scope)).toMatchObject({ identityId: identity.id });
		});

		it('because it was deleted is paused at once', async () => {
			await activate();
			deleteIdentity();
			sandbox.clearRecordings();
			restrictions.repairNow(scope);
			await sandbox.waitForRequest(({ method }) => method === 'PATCH');
			await settled();
			expect(only().enabled).toBe(false);
			expect(restrictions.seen(scope)).toMatchObject({ identityId: null });
		});

		it('is looked at once a minute, however many deliveries come, and never once it is switched off', async () => {
			const { staticData } = await activate();
			sandbox.setOddities({ keep: () => ({ identityId: null }) });
			sandbox.editWebhook(only().id, { identityId: null });
			sandbox.clearRecordings();
			for (let delivery = 0; delivery < 20; delivery++) restrictions.repairNow(scope);
			await sandbox.waitForRequest(({ method }) => method === 'PATCH');
			await scene.remove({ staticData, parameters });
			expect(sandbox.requests(({ path }) => path === '/webhooks')).toHaveLength(2);
			sandbox.clearRecordings();
			restrictions.repairNow(scope);
			await scene.remove({ staticData, parameters });
			expect(sandbox.requests(({ path }) => path === '/webhooks')).toHaveLength(1);
		});
	});
});

describe('a Delivery URL', () => {
	const GATEWAY = 'https://gateway.example/in?key=k3y';
	const at = (deliveryUrl: string) => ({ parameters: { advanced: { deliveryUrl } } });
	const secretOf = (text: string) => new URL(text).searchParams.get('token');

	it('is where the subscription points, with the same secret; n8n need not be public, and the log says where to hand on', async () => {
		await scene.create();
		const secret = secretOf(only().url);
		sandbox.replaceState({ webhooks: [] });
		const inside = { webhookBaseUrl: 'http://10.0.0.7:5678/webhook' };
		scene = startScene(sandbox);
		const { staticData, logLines } = await scene.create({ ...at(` ${GATEWAY} `), ...inside });
		expect(only().url).toMatch(/^https:\/\/gateway\.example\/in\?key=k3y&node=[-\w]{16}&token=/);
		expect(secretOf(only().url)).toBe(secret);
		expect(logLines).toMatchObject([{ level: 'info' }]);
		expect(logLines[0]?.message).toMatch(/gateway\.example.*http:\/\/10\.0\.0\.7:5678\/webhook/);
		expect(JSON.stringify([staticData, logLines])).not.toContain('k3y');
	});

	it('that is added, changed and removed moves the one subscription, also where URLs are not shown', async () => {
		sandbox.setOddities({ show: (shown) => ({ ...shown, url: undefined }) });
		let { staticData } = await scene.create();
		const { id } = only();
		for (const deliveryUrl of [GATEWAY, `${GATEWAY}2`, 'https://gateway.example/in/', '']) {
			await scene.remove({ staticData });
			({ staticData } = await startScene(sandbox).create({ ...at(deliveryUrl), staticData }));
			expect(only()).toMatchObject({ id, enabled: true });
			expect(only().url.startsWith(deliveryUrl || `${ADDRESS}?`)).toBe(true);
		}
	});

	it('is found again without what was stored, with another API key, and repaired', async () => {
		await scene.create(at(GATEWAY));
		const { id, url: given } = only();
		sandbox.editWebhook(id, { enabled: false, url: given.replace(/token=.*/, 'token=former') });
		await startScene(sandbox).create({ ...START, ...at(GATEWAY) });
		expect(only()).toMatchObject({ id, url: given, enabled: true });
	});

	it('of two triggers is each one’s own: neither touches the other’s, and the log says what comes of it', async () => {
		await scene.create({ ...at(GATEWAY), webhookId: 'ffff' });
		const theirs = only();
		const { staticData, logLines } = await scene.create(at(GATEWAY));
		const message = expect.stringContaining(theirs.id) as string;
		expect(logLines).toContainEqual({ level: 'warn', message });
		await scene.remove({ ...at(GATEWAY), staticData });
		expect(sandbox.webhooks().filter(({ enabled }) => enabled)).toEqual([theirs]);
	});

	it('where none can be created through the API takes over the one that the error names', async () => {
		sandbox.addFault({ method: 'POST', answer: { type: 'status', status: 500 } });
		const message = await scene.create(at(GATEWAY)).catch((error: Error) => error.message);
		expect(message).not.toContain('k3y');
		const [node = ''] = /node=[-\w]{16}/.exec(String(message)) ?? [];
		const made = sandbox.addWebhook({ url: `${GATEWAY}&${node}` });
		await scene.create(at(GATEWAY));
		expect(only()).toMatchObject({ id: made.id, url: expect.stringContaining('&token=') });
	});
});
