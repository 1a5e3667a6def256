import type { IHookFunctions, INodeParameters, ITriggerFunctions } from 'n8n-workflow';
import { EmailIdentityTrigger } from '../../../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import {
	readHookRequest,
	readTriggerRequest,
} from '../../../../../nodes/EmailIdentity/trigger/hooks/readRequest';
import { Lifecycle } from '../../../../../nodes/EmailIdentity/trigger/hooks/lifecycle';
import {
	startSandbox,
	type DialectName,
	type Sandbox,
	type SandboxState,
} from '../../../../../sandbox';
import { hookContext, triggerContext, type HookSetup } from '../../../support';

export const WEBHOOK_ID = '3f0e4c7a-8f57-4f6a-9a7f-0d5a4f6b1c2d';
export const INSTANCE_ID = 'this-n8n';
const ORIGIN = 'https://n8n.example';
export const ADDRESS = `${ORIGIN}/webhook/${WEBHOOK_ID}/webhook`;
export const TEST_ADDRESS = `${ORIGIN}/webhook-test/${WEBHOOK_ID}/webhook`;

/** By default, an activation. */
export interface Call extends Partial<HookSetup> {
	account?: 'owner' | 'other';
}

export const START: Call = { activation: 'init' };
export const TEST: Call = { mode: 'manual', activation: 'manual', isTest: true };

export function identityOf(
	sandbox: Sandbox,
	kind: 'email' | 'domain',
	account: 'owner' | 'other' = 'owner',
) {
	return sandbox.accounts[account].identities.find((identity) => identity.kind === kind)!;
}

export function forOne(value: string, cachedResultName?: string): INodeParameters {
	const mode = cachedResultName === undefined ? 'id' : 'list';
	return { receiveFor: 'one', identityId: { __rl: true, mode, value, cachedResultName } };
}

/** The editor cuts longer messages. */
export const MAX_WORDS = 45;

export const wordsIn = (message: string): number => message.split(/\s+/).length;

const MINUTE = 60_000;

type Setup = Omit<HookSetup, 'type'>;

interface Process {
	now(): number;
	deadline?: (delayMs: number) => AbortSignal;
	equip?<Context extends IHookFunctions | ITriggerFunctions>(context: Context): Context;
}

/** A busy machine may need longer than a deadline: tests of deadlines bring their own. */
const never = () => new AbortController().signal;

/** A process of n8n that calls the hooks of trigger nodes. */
export function startProcess({ now, deadline = never, equip = (context) => context }: Process) {
	const type = new EmailIdentityTrigger();
	const retry = { attempts: 2, firstDelay: 1, maxDelay: 1, total: 60_000, timeout: 60_000 };
	const lifecycle = new Lifecycle({ retry, now, wallClock: now, deadline });

	const call = async (hook: 'create' | 'remove', setup: Setup) => {
		const { context, staticData, logLines } = hookContext({ type, ...setup });
		const error = await lifecycle[hook](readHookRequest(equip(context))).then(
			() => undefined,
			(reason: Error) => reason,
		);
		return { staticData: staticData(), logLines: logLines(), error };
	};

	return {
		states: lifecycle.states,

		create: async (setup: Setup) => await call('create', setup),

		/** Always with mode `internal` and activation `update`, whatever it is for. */
		remove: async (setup: Setup) =>
			await call('remove', { ...setup, mode: 'internal', activation: 'update' }),

		/** @returns what n8n's scheduler calls each minute, undefined when nothing was registered */
		trigger(setup: Setup) {
			const { context, crons, failures, logLines } = triggerContext({ type, ...setup });
			lifecycle.trigger(readTriggerRequest(equip(context)));
			const [cron] = crons;
			return cron && { tick: async () => await cron.onTick(new Date(now())), failures, logLines };
		},
	};
}

/** One trigger node in one n8n process. */
export function startScene(sandbox: Sandbox, more?: Pick<Process, 'deadline' | 'equip'>) {
	const clock = { now: Date.now() };
	const process = startProcess({ now: () => clock.now, ...more });

	const setup = ({ account = 'owner', ...call }: Call): Setup => ({
		name: 'Mail',
		webhookId: WEBHOOK_ID,
		workflow: { id: 'workflow', name: 'Flow', active: true },
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.accounts[account].apiKey },
		webhookBaseUrl: `${ORIGIN}/webhook`,
		webhookTestBaseUrl: `${ORIGIN}/webhook-test`,
		instanceId: INSTANCE_ID,
		...call,
	});

	const create = async (call: Call = {}) => {
		const { error, ...made } = await process.create(setup(call));
		if (error) throw error;
		return made;
	};

	return {
		clock,
		states: process.states,
		create,
		tryToCreate: async (call: Call = {}) => await process.create(setup(call)),
		/** The five attempts of n8n 2.x, with a `delete` after each. */
		async publish(call: Call = {}) {
			const publication = {};
			const attempts = [];
			for (let attempt = 1; attempt <= 5; attempt++) {
				const { error, logLines } = await process.create(setup({ ...call, publication }));
				const left = await process.remove(setup({ ...call, publication }));
				attempts.push({ error, logLines: [...logLines, ...left.logLines] });
			}
			return attempts;
		},
		remove: async (call: Call = {}) => await process.remove(setup(call)),
		trigger: (call: Call = {}) => process.trigger(setup(call)),
		/** The test calls the checks. */
		async activate(call: Call = {}) {
			const made = await create(call);
			const cron = process.trigger(setup(call));
			sandbox.clearRecordings();
			const check = async (...minutes: number[]) => {
				for (const pause of minutes) {
					clock.now += pause * MINUTE;
					await cron?.tick();
				}
			};
			const { failures = [] } = cron ?? {};
			return { ...made, check, failures, log: () => cron?.logLines() ?? [] };
		},
		async failure(call: Call = {}) {
			const { error } = await process.create(setup(call));
			return error?.message ?? 'it did not fail';
		},
	};
}

export type Scene = ReturnType<typeof startScene>;

/** For all tests of a file: one service, and a new trigger for each test. */
export function setTheScene(
	begin: (fresh: { sandbox: Sandbox; scene: Scene }) => void,
	dialect: DialectName = 'observed',
): void {
	let sandbox: Sandbox;
	let identities: SandboxState['identities'];

	beforeAll(async () => {
		sandbox = await startSandbox({ dialect });
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

export function onlyWebhook(sandbox: Sandbox) {
	expect(sandbox.webhooks()).toHaveLength(1);
	return sandbox.webhooks()[0]!;
}
