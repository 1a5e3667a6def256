import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { EmailIdentityTrigger } from '../../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import {
	readHookRequest,
	readTriggerRequest,
} from '../../../../nodes/EmailIdentity/trigger/subscription/hookRequest';
import { Restrictions } from '../../../../nodes/EmailIdentity/trigger/restriction';
import { Lifecycle } from '../../../../nodes/EmailIdentity/trigger/subscription/lifecycle';
import { hookContext, triggerContext, type HookSetup } from '../../rig';
import { Power } from './power';
import type { AccountName, StoredWorkflow, TriggerNode, World } from './world';

/** One line that a node wrote to n8n's log. */
export interface Line {
	level: 'error' | 'warn' | 'info' | 'debug';
	message: string;
}

interface HookCall {
	mode: WorkflowExecuteMode;
	activation: WorkflowActivateMode;
	isTest?: boolean;
}

const type = new EmailIdentityTrigger();

/** No pauses, and answers that come at once: the sandbox is in the same process. */
const IMPATIENT = { attempts: 2, firstDelay: 1, longestDelay: 1, total: 1000, timeout: 30_000 };

/**
 * One n8n: its database, and the process that runs now. How and when the hooks of a node are called is
 * what its line adds, see `lines.ts`.
 */
export abstract class Instance {
	readonly workflows: StoredWorkflow[] = [];

	/** Every address it ever had. */
	readonly addresses: string[] = [];

	readonly credentials: Record<TriggerNode['credential'], AccountName> = {
		first: 'owner',
		second: 'other',
	};

	/** What its nodes logged since this was last emptied. */
	readonly log: Line[] = [];

	power = new Power();

	/** Test events that are waited for, by workflow ID, with the static data that `create` left. */
	protected listening = new Map<string, { node: TriggerNode; staticData: IDataObject }>();

	private lifecycle: Lifecycle;

	/** IDs of the workflows that were set up as part of the last start, before any test event can be listened for. */
	private readonly initialised = new Set<string>();

	/** What the scheduler calls each minute, by workflow ID. */
	private ticks = new Map<string, Array<() => Promise<void>>>();

	constructor(
		readonly world: World,
		readonly instanceId: string,
		address: string,
	) {
		this.addresses.push(address);
		this.lifecycle = this.load();
	}

	get address(): string {
		return this.addresses.at(-1) ?? '';
	}

	/** Switches a workflow on, in its saved version. False: nothing to do. @throws what the user is shown */
	abstract activate(workflow: StoredWorkflow): Promise<boolean>;

	/** Switches a workflow off. False: nothing to do. */
	abstract deactivate(workflow: StoredWorkflow): Promise<boolean>;

	/** Saves a node; a change to an active workflow takes effect. False: nothing to do. @throws what the user is shown */
	abstract save(workflow: StoredWorkflow, node: TriggerNode): Promise<boolean>;

	protected abstract comeUp(): Promise<void>;

	/** Begins to wait for a test event. @throws what the user is shown */
	async listen(workflow: StoredWorkflow): Promise<boolean> {
		const node = workflow.draft;
		this.listening.set(workflow.id, { node, staticData: {} });
		const call = { mode: 'manual', activation: 'manual', isTest: true } as const;
		const { staticData, error } = await this.create(workflow, node, call, {});
		if (error) {
			await this.delete(workflow, node, staticData, true);
			this.stopListening(workflow);
			throw error;
		}
		this.listening.set(workflow.id, { node, staticData });
		return true;
	}

	/** The event came, the user cancelled, or the time was up: all the same to the node. False: nobody listened. */
	async endListening(workflow: StoredWorkflow): Promise<boolean> {
		const registration = this.listening.get(workflow.id);
		if (!registration) return false;
		await this.delete(workflow, registration.node, registration.staticData, true);
		this.stopListening(workflow);
		return true;
	}

	/** What n8n forgets of its test webhooks when one ends. */
	protected abstract stopListening(workflow: StoredWorkflow): void;

	/** Ends the process, by force if it is still busy, and starts another one. */
	async restart(address = this.address): Promise<void> {
		if (address !== this.address) this.addresses.push(address);
		this.power = new Power();
		this.lifecycle = this.load();
		this.ticks = new Map();
		this.listening = new Map();
		this.initialised.clear();
		await this.comeUp();
	}

	/** Whether a workflow was set up by the last start itself, and not by what was left to do before it. */
	wasInitialised({ id }: StoredWorkflow): boolean {
		return this.initialised.has(id);
	}

	/** One minute of n8n's scheduler, until all checks that it began have ended. */
	async tick(): Promise<void> {
		await this.power.run(async () => {
			await Promise.all([...this.ticks.values()].flat().map(async (tick) => await tick()));
		});
	}

	isListening(workflow: StoredWorkflow): boolean {
		return this.listening.has(workflow.id);
	}

	/** Whether n8n takes deliveries for the workflow; not after an activation that failed. */
	abstract isRegistered(workflow: StoredWorkflow): boolean;

	protected async create(
		workflow: StoredWorkflow,
		node: TriggerNode,
		call: HookCall,
		staticData: IDataObject,
	): Promise<{ staticData: IDataObject; error?: Error }> {
		const { context, left } = this.hook(workflow, node, call, staticData);
		if (call.activation === 'init') this.initialised.add(workflow.id);
		return await this.power.run(async () => {
			try {
				// n8n calls `checkExists` first; the node's answers false, without a request.
				await this.lifecycle.create(readHookRequest(context));
				return { staticData: left() };
			} catch (error) {
				return { staticData: left(), error: error as Error };
			}
		});
	}

	/** Always with mode `internal` and activation `update`, whatever it is for. */
	protected async delete(
		workflow: StoredWorkflow,
		node: TriggerNode,
		staticData: IDataObject,
		isTest = false,
	): Promise<IDataObject> {
		const call: HookCall = { mode: 'internal', activation: 'update', isTest };
		const { context, left } = this.hook(workflow, node, call, staticData);
		await this.power.run(async () => await this.lifecycle.remove(readHookRequest(context)));
		return left();
	}

	protected async trigger(
		workflow: StoredWorkflow,
		node: TriggerNode,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const setup = this.setup(workflow, node, { mode: 'trigger', activation }, {});
		const { context, crons } = triggerContext(setup);
		await this.power.run(async () =>
			this.lifecycle.trigger(readTriggerRequest(this.equip(context))),
		);
		this.ticks.set(
			workflow.id,
			crons.map(
				({ onTick }) =>
					async () =>
						await onTick(new Date(this.world.now)),
			),
		);
	}

	protected forgetTrigger(workflow: StoredWorkflow): void {
		this.ticks.delete(workflow.id);
	}

	protected staticDataOf(workflow: StoredWorkflow, node: TriggerNode): IDataObject {
		return workflow.staticData[node.name] ?? {};
	}

	private hook(
		workflow: StoredWorkflow,
		node: TriggerNode,
		call: HookCall,
		staticData: IDataObject,
	) {
		const rigged = hookContext(this.setup(workflow, node, call, staticData));
		return { context: this.equip(rigged.context), left: rigged.staticData };
	}

	private setup(
		workflow: StoredWorkflow,
		node: TriggerNode,
		{ mode, activation, isTest }: HookCall,
		staticData: IDataObject,
	): HookSetup {
		return {
			type,
			name: node.name,
			webhookId: node.webhookId,
			parameters: node.parameters,
			credential: this.credentialOf(node),
			workflow: { id: workflow.id, name: workflow.name, active: true },
			staticData,
			webhookBaseUrl: `${this.address}/webhook`,
			webhookTestBaseUrl: `${this.address}/webhook-test`,
			instanceId: this.instanceId,
			mode,
			activation,
			isTest,
		};
	}

	/** As n8n reads it each time: a context may outlive a change of the credential. */
	private credentialOf({ credential }: TriggerNode) {
		const { world, credentials } = this;
		return {
			baseUrl: world.sandbox.baseUrl,
			get apiKey() {
				return world.sandbox.accounts[credentials[credential]].apiKey;
			},
		};
	}

	/** Requests need power, log lines are this n8n's, and n8n waits for nothing that a check does. */
	private equip<Context extends IHookFunctions | ITriggerFunctions>(context: Context): Context {
		const { log, power } = this;
		const write = (level: Line['level']) => (message: string) => {
			if (this.power === power) log.push({ level, message });
		};
		const logger = {
			error: write('error'),
			warn: write('warn'),
			info: write('info'),
			debug: write('debug'),
		};
		Object.defineProperty(context, 'logger', { value: logger });
		return power.supply(context);
	}

	private load() {
		return new Lifecycle(new Restrictions(), () => this.world.now, IMPATIENT);
	}
}
