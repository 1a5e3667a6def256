import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import {
	readHookRequest,
	readTriggerRequest,
} from '../../../nodes/EmailIdentity/trigger/subscription/hookRequest';
import { Lifecycle } from '../../../nodes/EmailIdentity/trigger/subscription/lifecycle';
import type { Sandbox } from '../../../sandbox';
import { credentialOf } from '../resources/support/operation';
import { hookContext, triggerContext } from '../rig';
import type { RequestKind } from './faults';
import type { Ending, Subject } from './operations';
import { patience } from './patience';

const WEBHOOK_ID = '7f3c1a52-2b7e-4f0e-9a55-1d2c3b4a5e6f';
const N8N = 'https://n8n.example.com';
const MINUTE = 60_000;

/** One trigger node in one n8n whose clock the test turns. */
class ActiveNode {
	private now = Date.now();

	private readonly lifecycle = new Lifecycle({ retry: patience, now: () => this.now });

	private staticData: IDataObject = {};

	/** Problems that the node wrote to n8n's log. */
	readonly problems: string[] = [];

	constructor(
		private readonly sandbox: Sandbox,
		private readonly onDeactivation: 'pause' | 'delete' = 'pause',
	) {}

	async create(mode: WorkflowExecuteMode, activation: WorkflowActivateMode): Promise<void> {
		const rigged = hookContext(this.setup(mode, activation));
		try {
			await this.lifecycle.create(readHookRequest(this.listen(rigged.context)));
		} finally {
			this.staticData = rigged.staticData();
		}
	}

	async delete(isTest = false): Promise<void> {
		const rigged = hookContext({ ...this.setup('internal', 'update'), isTest });
		await this.lifecycle.remove(readHookRequest(this.listen(rigged.context)));
		this.staticData = rigged.staticData();
	}

	/** The checks of one interval: what is wrong is mended when it is still wrong a minute later. */
	async check(): Promise<void> {
		const rigged = triggerContext(this.setup('trigger', 'activate'));
		this.lifecycle.trigger(readTriggerRequest(this.listen(rigged.context)));
		this.now += 30 * MINUTE;
		for (let minute = 0; minute < 4; minute++) {
			for (const { onTick } of rigged.crons) await onTick(new Date(this.now));
			this.now += MINUTE;
		}
	}

	/** Many nodes live at the same time here, while n8n has one log. */
	private listen<Context extends IHookFunctions | ITriggerFunctions>(context: Context): Context {
		const note = (message: string) => void this.problems.push(message);
		const ignore = () => undefined;
		const logger = { error: note, warn: note, info: ignore, debug: ignore };
		return Object.defineProperty(context, 'logger', { value: logger });
	}

	private setup(mode: WorkflowExecuteMode, activation: WorkflowActivateMode) {
		return {
			type: new EmailIdentityTrigger(),
			name: 'Email Identity Trigger',
			webhookId: WEBHOOK_ID,
			parameters: { options: { onDeactivation: this.onDeactivation } },
			credential: credentialOf(this.sandbox),
			workflow: { id: 'workflow1', name: 'Sales', active: true },
			staticData: this.staticData,
			webhookBaseUrl: `${N8N}/webhook`,
			webhookTestBaseUrl: `${N8N}/webhook-test`,
			instanceId: 'instance-1',
			mode,
			activation,
			isTest: mode === 'manual',
		};
	}
}

const at = (sandbox: Sandbox, path: string) =>
	sandbox.webhooks().filter(({ url }) => new URL(url).pathname.startsWith(path));

const isListening = (sandbox: Sandbox) => {
	const [only, ...others] = at(sandbox, '/webhook/');
	return only?.enabled === true && others.length === 0;
};

const nothingEnabled = (sandbox: Sandbox) =>
	at(sandbox, '/webhook/').every(({ enabled }) => !enabled);

interface StepRow {
	name: string;
	kind: RequestKind;
	method: string;
	path: string;
	onDeactivation?: 'pause' | 'delete';
	before?: (node: ActiveNode, sandbox: Sandbox) => Promise<void>;
	step: (node: ActiveNode) => Promise<void>;
	isDone: (sandbox: Sandbox) => boolean;
	isLogged?: boolean;
}

const activate = async (node: ActiveNode) => await node.create('trigger', 'activate');
const deactivate = async (node: ActiveNode) => await node.delete();
const listen = async (node: ActiveNode) => await node.create('manual', 'manual');

const STEPS: readonly StepRow[] = [
	{
		name: 'Trigger: first activation, creating',
		kind: 'creation',
		method: 'POST',
		path: '/webhooks',
		step: activate,
		isDone: isListening,
	},
	{
		name: 'Trigger: first activation, looking',
		kind: 'read',
		method: 'GET',
		path: '/webhooks',
		step: activate,
		isDone: isListening,
	},
	{
		name: 'Trigger: activation again, resuming',
		kind: 'change',
		method: 'PATCH',
		path: '/webhooks/*',
		before: async (node) => {
			await activate(node);
			await deactivate(node);
		},
		step: activate,
		isDone: isListening,
	},
	{
		name: 'Trigger: deactivation, pausing',
		kind: 'change',
		method: 'PATCH',
		path: '/webhooks/*',
		before: activate,
		step: deactivate,
		isDone: nothingEnabled,
		isLogged: true,
	},
	{
		name: 'Trigger: deactivation, deleting',
		kind: 'removal',
		method: 'DELETE',
		path: '/webhooks/*',
		onDeactivation: 'delete',
		before: activate,
		step: deactivate,
		isDone: (sandbox) => at(sandbox, '/webhook/').length === 0,
		isLogged: true,
	},
	{
		name: 'Trigger: check at an interval, mending',
		kind: 'change',
		method: 'PATCH',
		path: '/webhooks/*',
		before: async (node, sandbox) => {
			await activate(node);
			for (const { id } of at(sandbox, '/webhook/')) sandbox.editWebhook(id, { enabled: false });
		},
		step: async (node) => await node.check(),
		isDone: isListening,
		isLogged: true,
	},
	{
		name: 'Trigger: listening for a test event',
		kind: 'creation',
		method: 'POST',
		path: '/webhooks',
		step: listen,
		isDone: (sandbox) => at(sandbox, '/webhook-test/').length === 1,
	},
	{
		name: 'Trigger: end of listening for a test event',
		kind: 'removal',
		method: 'DELETE',
		path: '/webhooks/*',
		before: listen,
		step: async (node) => await node.delete(true),
		isDone: (sandbox) => at(sandbox, '/webhook-test/').length === 0,
		isLogged: true,
	},
];

/** Every step in the life of the trigger's subscription. */
export const lifecycleSteps: readonly Subject[] = STEPS.map((row) => {
	const nodes = new WeakMap<Sandbox, ActiveNode>();
	return {
		...row,
		request: { method: row.method, path: row.path },
		looksAgain: true,
		isTrigger: true,
		async prepare(sandbox: Sandbox) {
			const node = new ActiveNode(sandbox, row.onDeactivation);
			nodes.set(sandbox, node);
			await row.before?.(node, sandbox);
			node.problems.length = 0;
		},
		async perform(sandbox: Sandbox): Promise<Ending> {
			const node = nodes.get(sandbox) ?? new ActiveNode(sandbox);
			try {
				await row.step(node);
			} catch (error) {
				return { failure: (error as Error).message };
			}
			const [problem] = node.problems;
			const isHarmless = row.isDone(sandbox) && !problem?.includes('another account');
			return problem === undefined || isHarmless ? {} : { failure: problem };
		},
		isDone: row.isDone,
		/** Switched on and off again, with the service well: what the fault left behind is gone. */
		async mend(sandbox: Sandbox) {
			const node = nodes.get(sandbox) ?? new ActiveNode(sandbox);
			await activate(node);
			expect([row.name, isListening(sandbox)]).toEqual([row.name, true]);
			await deactivate(node);
			expect([row.name, nothingEnabled(sandbox)]).toEqual([row.name, true]);
		},
	};
});
