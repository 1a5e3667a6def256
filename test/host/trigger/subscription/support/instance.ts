import { randomUUID } from 'node:crypto';
import type {
	IDataObject,
	IHookFunctions,
	INodeParameters,
	ITriggerFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { Sandbox, StoredIdentity } from '../../../../../sandbox';
import type { HookSetup } from '../../../support';
import { startProcess, TEST } from './scene';

/** The trigger node of a workflow, as one version of the workflow has it. */
export interface TriggerNode {
	name: string;
	webhookId: string;
	parameters: INodeParameters;
	/** Which credential of its n8n it uses. */
	credential: 'first' | 'second';
}

/** A workflow, as the database of an n8n and its process have it. */
export class Workflow {
	readonly id = randomUUID();

	readonly name = `Flow ${this.id}`;

	/** As activated; undefined while inactive. */
	published?: TriggerNode | undefined;

	/** Whether n8n takes deliveries for it while it is published: not after an activation of n8n 2.x that failed. */
	isRegistered = false;

	/** What the outbox of n8n 2.x still has to do: survives a crash. */
	outbox?: (() => Promise<void>) | undefined;

	/** The test event that is waited for, with the static data that `create` left. */
	listening?: { node: TriggerNode; staticData: IDataObject } | undefined;

	/** What the scheduler calls each minute. */
	tick?: (() => Promise<void>) | undefined;

	/** Whether it was set up as part of the last start, before any test event can be listened for. */
	isInitialised = false;

	/**
	 * @param draft as saved in the editor
	 * @param staticData by node name, as n8n keys them
	 */
	constructor(
		public draft: TriggerNode,
		readonly staticData: Record<string, IDataObject>,
	) {}
}

export type AccountName = 'owner' | 'other';

/** The service and the clock that all n8n of a test share. */
export interface World {
	sandbox: Sandbox;
	/** All that there were in the beginning. */
	identities: readonly StoredIdentity[];
	/** IDs of exact copies that belong to another user. */
	copies: Set<string>;
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
	readonly workflows: Workflow[] = [];

	/** Every address it ever had, the present one last. */
	readonly addresses: string[];

	readonly credentials: Record<TriggerNode['credential'], AccountName> = {
		first: 'owner',
		second: 'other',
	};

	power = new Power();

	private process: ReturnType<typeof startProcess>;

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
	abstract activate(workflow: Workflow): Promise<boolean>;

	/** Switches a workflow off. False: nothing to do. */
	abstract deactivate(workflow: Workflow): Promise<boolean>;

	/** Saves a node; a change to an active workflow takes effect. False: nothing to do. @throws what the user is shown */
	abstract save(workflow: Workflow, node: TriggerNode): Promise<boolean>;

	protected abstract comeUp(): Promise<void>;

	/** What n8n forgets of its test webhooks when one ends. */
	protected abstract stopListening(workflow: Workflow): void;

	/** Begins to wait for a test event. @throws what the user is shown */
	async listen(workflow: Workflow): Promise<boolean> {
		const node = workflow.draft;
		workflow.listening = { node, staticData: {} };
		const { staticData, error } = await this.create(workflow, node, TEST, {});
		workflow.listening = { node, staticData };
		if (!error) return true;
		await this.endListening(workflow);
		throw error;
	}

	/** The event came, the user cancelled, or the time was up: all the same to the node. False: nobody listened. */
	async endListening(workflow: Workflow): Promise<boolean> {
		if (!workflow.listening) return false;
		const { node, staticData } = workflow.listening;
		const setup = { ...this.setup(workflow, node), staticData, isTest: true };
		await this.power.run(async () => await this.process.remove(setup));
		this.stopListening(workflow);
		return true;
	}

	/** Ends the process, by force if it is still busy, and starts another one. */
	async restart(address = this.address): Promise<void> {
		if (address !== this.address) this.addresses.push(address);
		this.process = this.load();
		for (const workflow of this.workflows) {
			workflow.tick = workflow.listening = undefined;
			workflow.isInitialised = false;
		}
		await this.comeUp();
	}

	/** One minute of n8n's scheduler, until all checks that it began have ended. */
	async tick(): Promise<void> {
		await this.power.run(async () => {
			await Promise.all(this.workflows.map(async ({ tick }) => await tick?.()));
		});
	}

	protected async create(
		workflow: Workflow,
		node: TriggerNode,
		call: Call,
		staticData = workflow.staticData[node.name] ?? {},
	): Promise<{ staticData: IDataObject; error?: Error }> {
		if (call.activation === 'init') workflow.isInitialised = true;
		const setup = { ...this.setup(workflow, node), ...call, staticData };
		// n8n calls `checkExists` first; the node's answers false, without a request.
		return await this.power.run(async () => await this.process.create(setup));
	}

	/** For a deactivation; what the node leaves is saved. */
	protected async delete(
		workflow: Workflow,
		node: TriggerNode,
		staticData = workflow.staticData[node.name] ?? {},
	): Promise<void> {
		const setup = { ...this.setup(workflow, node), staticData };
		const left = await this.power.run(async () => await this.process.remove(setup));
		workflow.staticData[node.name] = left.staticData;
	}

	protected async trigger(
		workflow: Workflow,
		node: TriggerNode,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const setup = { ...this.setup(workflow, node), activation };
		const cron = await this.power.run(
			async () => await Promise.resolve(this.process.trigger(setup)),
		);
		workflow.tick = cron?.tick;
	}

	private setup({ id, name }: Workflow, node: TriggerNode): Omit<HookSetup, 'type'> {
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
