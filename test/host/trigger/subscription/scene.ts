import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EmailIdentityTrigger } from '../../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import {
	readHookRequest,
	readTriggerRequest,
} from '../../../../nodes/EmailIdentity/trigger/subscription/hookRequest';
import { Lifecycle } from '../../../../nodes/EmailIdentity/trigger/subscription/lifecycle';
import { Restrictions } from '../../../../nodes/EmailIdentity/trigger/restriction';
import { startSandbox, type Sandbox, type SandboxState } from '../../../../sandbox';
import { hookContext, triggerContext, type HookSetup } from '../../rig';

export const WEBHOOK_ID = '3f0e4c7a-8f57-4f6a-9a7f-0d5a4f6b1c2d';

export const INSTANCE_ID = 'this-n8n';

const ORIGIN = 'https://n8n.example';

export const ADDRESS = `${ORIGIN}/webhook/${WEBHOOK_ID}/webhook`;

export const TEST_ADDRESS = `${ORIGIN}/webhook-test/${WEBHOOK_ID}/webhook`;

const type = new EmailIdentityTrigger();

const IMPATIENT = { attempts: 2, firstDelay: 1, longestDelay: 1, total: 500, timeout: 5000 };

/** How a test wants a hook to be called; the rest is as for an activation. */
export interface Call extends Partial<HookSetup> {
	parameters?: INodeParameters;
	staticData?: IDataObject;
	account?: 'owner' | 'other';
}

/** An identity of an account, as the sandbox has it. */
export function identityOf(
	sandbox: Sandbox,
	kind: 'email' | 'domain',
	account: 'owner' | 'other' = 'owner',
) {
	return sandbox.accounts[account].identities.find((identity) => identity.kind === kind)!;
}

/** The parameters of a node that receives for one identity. */
export function forOne(value: string, cachedResultName?: string): INodeParameters {
	const mode = cachedResultName === undefined ? 'id' : 'list';
	return { receiveFor: 'one', identityId: { __rl: true, mode, value, cachedResultName } };
}

export const START: Call = { activation: 'init' };

export const TEST: Call = { mode: 'manual', activation: 'manual', isTest: true };

/** One trigger node in one n8n process, with a clock of its own. */
export function startScene(sandbox: Sandbox, restrictions = new Restrictions()) {
	const clock = { now: Date.now() };
	const lifecycle = new Lifecycle(restrictions, () => clock.now, IMPATIENT);

	const setup = ({ account = 'owner', ...call }: Call): HookSetup => ({
		type,
		name: 'Mail',
		webhookId: WEBHOOK_ID,
		workflow: { id: 'workflow', name: 'Flow', active: true },
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.accounts[account].apiKey },
		webhookBaseUrl: `${ORIGIN}/webhook`,
		webhookTestBaseUrl: `${ORIGIN}/webhook-test`,
		instanceId: INSTANCE_ID,
		...call,
	});

	return {
		clock,

		async create(call: Call = {}) {
			const { context, staticData, logLines } = hookContext(setup(call));
			await lifecycle.create(readHookRequest(context));
			return { staticData: staticData(), logLines: logLines() };
		},

		async remove(call: Call = {}) {
			const { context, staticData, logLines } = hookContext(
				setup({ mode: 'internal', activation: 'update', ...call }),
			);
			await lifecycle.remove(readHookRequest(context));
			return { staticData: staticData(), logLines: logLines() };
		},

		/** @returns what n8n's scheduler calls each minute, undefined when nothing was registered */
		async trigger(call: Call = {}) {
			const { context, crons, logLines } = triggerContext(setup(call));
			lifecycle.trigger(readTriggerRequest(context));
			const [cron] = crons;
			return cron && { tick: async () => await cron.onTick(new Date(clock.now)), logLines };
		},
	};
}

export type Scene = ReturnType<typeof startScene>;

/**
 * For all tests of a file: one service, and for each of them a new trigger and no subscription, fault or oddity.
 *
 * @param begin is given both before each test
 */
export function setTheScene(begin: (fresh: { sandbox: Sandbox; scene: Scene }) => void): void {
	let sandbox: Sandbox;
	let identities: SandboxState['identities'];

	beforeAll(async () => {
		sandbox = await startSandbox({ dialect: 'observed' });
		({ identities } = sandbox.dumpState());
	});

	afterAll(async () => {
		await sandbox.stop();
	});

	beforeEach(() => {
		sandbox.clearFaults();
		sandbox.setOddities({});
		sandbox.replaceState({ webhooks: [], identities });
		sandbox.clearRecordings();
		begin({ sandbox, scene: startScene(sandbox) });
	});
}

/** The one subscription that a service has; fails where there is none, or another beside it. */
export function onlyWebhook(sandbox: Sandbox) {
	expect(sandbox.webhooks()).toHaveLength(1);
	return sandbox.webhooks()[0]!;
}
