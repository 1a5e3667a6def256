import type { Sandbox } from '../../../../sandbox';
import {
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
} from './support/scene';

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const only = () => onlyWebhook(sandbox);

describe('one identity', () => {
	let parameters: NonNullable<Call['parameters']>;
	let identity: ReturnType<typeof identityOf>;

	beforeEach(() => {
		identity = identityOf(sandbox, 'email');
		parameters = forOne(identity.id, identity.value);
	});

	/** As Kurrier 3.5.0 does it: subscriptions to it are for everything then. */
	const deleteIdentity = () => {
		sandbox.removeIdentity(identity.id);
		for (const { id } of sandbox.webhooks()) sandbox.editWebhook(id, { identityId: null });
	};

	const activate = async (call: Call = {}) => await scene.activate({ parameters, ...call });

	/** Until what is wrong was seen, repaired, and seen to be right. */
	const ROUND = [15, 1, 1];

	it('is looked up when the workflow is published, and not by checks that find nothing wrong', async () => {
		const { check } = await activate();
		expect(only().identityId).toBe(identity.id);
		await check(...ROUND);
		expect(sandbox.requests().map(({ path }) => path)).toEqual(['/webhooks']);
	});

	it.each(['email', 'domain'] as const)(
		'that is deleted pauses the subscription and is logged once, and resumes it when it is back: %s',
		async (kind) => {
			identity = identityOf(sandbox, kind);
			parameters = forOne(identity.id, identity.value);
			const { check, log } = await activate();
			const { identityId } = only();
			deleteIdentity();
			await check(...ROUND);
			expect(only()).toMatchObject({ enabled: false, identityId: null });
			sandbox.editWebhook(only().id, { enabled: true });
			await check(...ROUND);
			expect(only().enabled).toBe(false);
			expect(log()).toMatchObject([{ message: expect.stringContaining(identity.value) }]);
			sandbox.addIdentity(identity);
			await check(...ROUND);
			expect(only()).toMatchObject({ enabled: true, identityId });
			await check(...ROUND);
			expect(log()).toHaveLength(2);
		},
	);

	it('of a former account leaves a webhook there, which the log names once', async () => {
		const { staticData } = await scene.create({ parameters });
		scene = startScene(sandbox);
		const { logLines, check, log } = await activate({ ...START, staticData, account: 'other' });
		await check(...ROUND);
		const messages = [...logLines, ...log()].map(({ message }) => message);
		expect(messages.filter((message) => message.includes(only().id))).toHaveLength(1);
	});

	it('gets a lost restriction back at the first check', async () => {
		const { check, log } = await activate();
		sandbox.editWebhook(only().id, { identityId: null });
		await check(15);
		expect(only()).toMatchObject({ enabled: true, identityId: identity.id });
		expect(log()).toHaveLength(1);
	});

	describe('that a delivery found unrestricted', () => {
		const scope = {
			instanceId: INSTANCE_ID,
			webhookPath: WEBHOOK_ID,
			listening: 'production',
		} as const;

		/** A delivery says so. Ends when the subscription was changed, and all that was begun has ended. */
		const repaired = async () => {
			sandbox.clearRecordings();
			scene.states.repair(scope);
			await sandbox.waitForRequest(({ method }) => method === 'PATCH');
			await scene.create({ ...START, parameters });
		};

		it.each([15, 0])('is repaired at once, with Check Interval %d', async (checkEvery) => {
			parameters = { ...parameters, advanced: { checkEvery } };
			await activate();
			// n8n keeps the list for a moment.
			await scene.create({ ...START, parameters });
			sandbox.editWebhook(only().id, { identityId: null });
			await repaired();
			expect(only()).toMatchObject({ enabled: true, identityId: identity.id });
			expect(scene.states.lastSeen(scope)).toMatchObject({ restrictedTo: identity.id });
		});

		it('because the identity was deleted is paused at once', async () => {
			await activate();
			deleteIdentity();
			await repaired();
			expect(only().enabled).toBe(false);
			expect(scene.states.lastSeen(scope)).toMatchObject({ restrictedTo: null });
		});

		it('is not believed to be restricted if the service does not keep the repair', async () => {
			const { check } = await activate();
			sandbox.setOddities({ keep: () => ({ identityId: null }) });
			sandbox.editWebhook(only().id, { identityId: null });
			await check(15, 1);
			expect(scene.states.lastSeen(scope)).toMatchObject({ restrictedTo: null });
		});

		it('is checked at most once a minute, and not after the deactivation', async () => {
			const { staticData } = await activate();
			sandbox.setOddities({ keep: () => ({ identityId: null }) });
			sandbox.editWebhook(only().id, { identityId: null });
			sandbox.clearRecordings();
			for (let delivery = 0; delivery < 20; delivery++) scene.states.repair(scope);
			await sandbox.waitForRequest(({ method }) => method === 'PATCH');
			await scene.remove({ staticData, parameters });
			expect(sandbox.requests(({ path }) => path === '/webhooks')).toHaveLength(2);
			sandbox.clearRecordings();
			scene.states.repair(scope);
			await scene.remove({ staticData, parameters });
			expect(sandbox.requests(({ path }) => path === '/webhooks')).toHaveLength(1);
		});
	});
});
