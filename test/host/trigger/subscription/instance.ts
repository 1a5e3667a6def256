import type {
	IDataObject,
	IHookFunctions,
	INodeParameters,
	ITriggerFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { Sandbox, StoredIdentity } from '../../../../sandbox';
import type { HookSetup } from '../../rig';
import { startProcess } from './scene';

/** The trigger node of a workflow, as one version of the workflow has it. */
export interface TriggerNode {
	name: string;
	webhookId: string;
	parameters: INodeParameters;
	/** Which credential of its n8n it uses. */
	credential: 'first' | 'second';
}

/** A workflow as the database of an n8n has it. */
export interface StoredWorkflow {
	id: string;
	name: string;
	/** As saved in the editor. */
	draft: TriggerNode;
	/** As activated; undefined while inactive. */
	published?: TriggerNode;
	/** By node name, as n8n keys them. */
	staticData: Record<string, IDataObject>;
}

export type AccountName = 'owner' | 'other';

/** The service and the clock that all n8n of a test share. */
export interface World {
	sandbox: Sandbox;
	/** All that there were in the beginning. */
	identities: readonly StoredIdentity[];
	/** Milliseconds since 1970. */
	now: number;
	/** What happened so far, for the reader of a failure. */
	story: string[];
}

/** Thrown by what waits for an n8n process that has died. */
export class Crashed extends Error {
	override name = 'Crashed';
}

/** Keeps a process running. It can be cut before or after any of its requests; from then on none of its code goes on. */
class Power {
	/** How many moments, two for each request, the process still lives. */
	left = Infinity;

	private dead = false;

	private die: () => void = () => {};

	private readonly died = new Promise<never>((_, reject) => {
		this.die = () => reject(new Crashed('n8n was killed'));
	});

	constructor() {
		this.died.catch(() => {});
	}

	/** Runs code of the process. @throws Crashed when the process dies meanwhile */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.dead) return await this.died;
		return await Promise.race([work(), this.died]);
	}

	/** Makes the requests of a context depend on this power. */
	supply<Context extends IHookFunctions | ITriggerFunctions>(context: Context): Context {
		const { helpers } = context;
		const request = helpers.httpRequestWithAuthentication;
		const pass = async () => await this.passMoment();
		helpers.httpRequestWithAuthentication = async function (...parameters) {
			await pass();
			const answer: unknown = await request.apply(this, parameters);
			await pass();
			return answer;
		};
		return context;
	}

	private async passMoment(): Promise<void> {
		if (!this.dead && this.left-- > 0) return;
		this.dead = true;
		this.die();
		await new Promise<never>(() => {});
	}
}

type Call = Pick<HookSetup, 'mode' | 'activation' | 'isTest'>;

/**
 * One n8n: its database, and the process that runs now. How and when the hooks of a node are called is
 * what its line adds, see `lines.ts`.
 */
export abstract class Instance {
	readonly workflows: StoredWorkflow[] = [];

	/** Every address it ever had, the present one last. */
	readonly addresses: string[];

	readonly credentials: Record<TriggerNode['credential'], AccountName> = {
		first: 'owner',
		second: 'other',
	};

	power = new Power();

	/** IDs of the workflows that were set up as part of the last start, before any test event can be listened for. */
	readonly initialised = new Set<string>();

	/** Test events that are waited for, by workflow ID, with the static data that `create` left. */
	protected listening = new Map<string, { node: TriggerNode; staticData: IDataObject }>();

	private process: ReturnType<typeof startProcess>;

	/** What the scheduler calls each minute, by workflow ID. */
	private ticks = new Map<string, () => Promise<void>>();

	constructor(
		readonly world: World,
		readonly instanceId: string,
		address: string,
	) {
		this.addresses = [address];
		this.process = this.load();
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

	/** Whether n8n takes deliveries for the workflow; not after an activation that failed. */
	abstract isRegistered(workflow: StoredWorkflow): boolean;

	protected abstract comeUp(): Promise<void>;

	/** What n8n forgets of its test webhooks when one ends. */
	protected abstract stopListening(workflow: StoredWorkflow): void;

	/** Begins to wait for a test event. @throws what the user is shown */
	async listen(workflow: StoredWorkflow): Promise<boolean> {
		const node = workflow.draft;
		this.listening.set(workflow.id, { node, staticData: {} });
		const call = { mode: 'manual', activation: 'manual', isTest: true } as const;
		const { staticData, error } = await this.create(workflow, node, call, {});
		this.listening.set(workflow.id, { node, staticData });
		if (!error) return true;
		await this.endListening(workflow);
		throw error;
	}

	/** The event came, the user cancelled, or the time was up: all the same to the node. False: nobody listened. */
	async endListening(workflow: StoredWorkflow): Promise<boolean> {
		const registration = this.listening.get(workflow.id);
		if (!registration) return false;
		const { node, staticData } = registration;
		const setup = { ...this.setup(workflow, node), staticData, isTest: true };
		await this.power.run(async () => await this.process.remove(setup));
		this.stopListening(workflow);
		return true;
	}

	isListening(workflow: StoredWorkflow): boolean {
		return this.listening.has(workflow.id);
	}

	/** Ends the process, by force if it is still busy, and starts another one. */
	async restart(address = this.address): Promise<void> {
		if (address !== this.address) this.addresses.push(address);
		this.process = this.load();
		this.ticks.clear();
		this.listening.clear();
		this.initialised.clear();
		await this.comeUp();
	}

	/** One minute of n8n's scheduler, until all checks that it began have ended. */
	async tick(): Promise<void> {
		await this.power.run(async () => {
			await Promise.all([...this.ticks.values()].map(async (tick) => await tick()));
		});
	}

	protected async create(
		workflow: StoredWorkflow,
		node: TriggerNode,
		call: Call,
		staticData = workflow.staticData[node.name] ?? {},
	): Promise<{ staticData: IDataObject; error?: Error }> {
		if (call.activation === 'init') this.initialised.add(workflow.id);
		const setup = { ...this.setup(workflow, node), ...call, staticData };
		// n8n calls `checkExists` first; the node's answers false, without a request.
		return await this.power.run(async () => await this.process.create(setup));
	}

	/** For a deactivation; what the node leaves is saved. */
	protected async delete(
		workflow: StoredWorkflow,
		node: TriggerNode,
		staticData = workflow.staticData[node.name] ?? {},
	): Promise<void> {
		const setup = { ...this.setup(workflow, node), staticData };
		const left = await this.power.run(async () => await this.process.remove(setup));
		workflow.staticData[node.name] = left.staticData;
	}

	protected async trigger(
		workflow: StoredWorkflow,
		node: TriggerNode,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const setup = { ...this.setup(workflow, node), activation };
		const cron = await this.power.run(
			async () => await Promise.resolve(this.process.trigger(setup)),
		);
		if (cron) this.ticks.set(workflow.id, cron.tick);
	}

	protected forgetTrigger(workflow: StoredWorkflow): void {
		this.ticks.delete(workflow.id);
	}

	private setup({ id, name }: StoredWorkflow, node: TriggerNode): Omit<HookSetup, 'type'> {
		const { world, credentials, address, instanceId } = this;
		return {
			...node,
			workflow: { id, name, active: true },
			credential: {
				baseUrl: world.sandbox.baseUrl,
				// As n8n reads it each time: a context may outlive a change of the credential.
				get apiKey() {
					return world.sandbox.accounts[credentials[node.credential]].apiKey;
				},
			},
			webhookBaseUrl: `${address}/webhook`,
			webhookTestBaseUrl: `${address}/webhook-test`,
			instanceId,
		};
	}

	private load() {
		const power = new Power();
		this.power = power;
		return startProcess({ now: () => this.world.now, equip: (context) => power.supply(context) });
	}
}
