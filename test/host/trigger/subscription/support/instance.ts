import { randomUUID } from 'node:crypto';
import type {
	IDataObject,
	IHookFunctions,
	INodeParameters,
	ITriggerFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { unlessAborted } from '../../../../../nodes/EmailIdentity/api/requests/cancellation';
import type { Sandbox, StoredIdentity } from '../../../../../sandbox';
import type { HookSetup } from '../../../support';
import { startProcess, TEST } from './scene';

/** In one version of a workflow. */
export interface TriggerNode {
	name: string;
	webhookId: string;
	parameters: INodeParameters;
	credential: 'first' | 'second';
}

export class Workflow {
	readonly id = randomUUID();

	readonly name = `Flow ${this.id}`;

	/** Undefined while inactive. */
	published?: TriggerNode | undefined;

	/** Not after a failed activation of n8n 2.x, although it stays published. */
	isRegistered = false;

	/** Of n8n 2.x; survives a crash. */
	outbox?: (() => Promise<void>) | undefined;

	/** For a test event, with the static data that `create` left. */
	listening?: { node: TriggerNode; staticData: IDataObject } | undefined;

	tick?: (() => Promise<void>) | undefined;

	/** Since the last start. */
	isInitialised = false;

	/** `on`: exactly one, correct and enabled; `off`: none enabled; `open`: unknown after a failure, crash or change by someone. */
	expectation: 'on' | 'off' | 'open' = 'off';

	/** Whether the log named what is left, such as in another account. */
	isTold = false;

	mayHaveStrayTest = false;

	/** @param staticData by node name */
	constructor(
		readonly instance: Instance,
		public draft: TriggerNode,
		readonly staticData: Record<string, IDataObject> = {},
	) {}
}

export type AccountName = 'owner' | 'other';

export interface World {
	sandbox: Sandbox;
	identities: readonly StoredIdentity[];
	now: number;
	/** For the reader of a failure. */
	story: string[];
}

export class Crashed extends Error {}

const MINUTE = 60_000;

/** Lets a process die before or after any of its requests; none of its code continues then. */
class Power {
	/** Moments that the process still lives; each request has two. */
	left = Infinity;

	private readonly death = new AbortController();

	/** @throws Crashed */
	async run<T>(work: () => Promise<T>): Promise<T> {
		const done = await unlessAborted(async () => ({ result: await work() }), this.death.signal);
		if (!done) throw new Crashed();
		return done.result;
	}

	supply<Context extends IHookFunctions | ITriggerFunctions>(context: Context): Context {
		const { helpers } = context;
		const request = helpers.httpRequestWithAuthentication;
		const pass = async () => await this.passMoment();
		helpers.httpRequestWithAuthentication = async function (...parameters) {
			// The user of an API key is remembered beyond this process, so the question must get its answer.
			const [, { url }] = parameters;
			if (String(url).endsWith('/me')) return (await request.apply(this, parameters)) as unknown;
			await pass();
			const answer: unknown = await request.apply(this, parameters);
			await pass();
			return answer;
		};
		return context;
	}

	private async passMoment(): Promise<void> {
		if (!this.death.signal.aborted && this.left-- > 0) return;
		this.death.abort();
		await new Promise<never>(() => {});
	}
}

/** One n8n: its database and its present process. Its line decides how and when hooks are called, see `lines.ts`. */
export abstract class Instance {
	readonly workflows: Workflow[] = [];

	/** The present one last. */
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

	/** These three return false if there is nothing to do, and throw what the user is shown. */
	abstract activate(workflow: Workflow): Promise<boolean>;

	abstract deactivate(workflow: Workflow): Promise<boolean>;

	abstract save(workflow: Workflow, changes: Partial<TriggerNode>): Promise<boolean>;

	protected abstract comeUp(): Promise<void>;

	protected abstract stopListening(workflow: Workflow): void;

	/** @throws what the user is shown */
	async listen(workflow: Workflow): Promise<boolean> {
		const node = workflow.draft;
		workflow.listening = { node, staticData: {} };
		const { staticData, error } = await this.create(workflow, node, TEST, {});
		workflow.listening = { node, staticData };
		if (!error) return true;
		await this.endListening(workflow);
		throw error;
	}

	/** @returns whether the workflow was listening */
	async endListening(workflow: Workflow): Promise<boolean> {
		if (!workflow.listening) return false;
		const { node, staticData } = workflow.listening;
		const setup = { ...this.setup(workflow, node), staticData, isTest: true };
		await this.power.run(async () => await this.process.remove(setup));
		this.stopListening(workflow);
		return true;
	}

	/** After ten minutes, so that nobody listens any more. */
	async restart(address = this.address): Promise<boolean> {
		this.world.now += 10 * MINUTE;
		if (address !== this.address) this.addresses.push(address);
		this.process = this.load();
		for (const workflow of this.workflows) {
			workflow.tick = workflow.listening = undefined;
			workflow.isInitialised = false;
		}
		await this.comeUp();
		return true;
	}

	/** Once to see what is wrong, once more to repair it, and once to see that it is right. */
	async waitForChecks(): Promise<boolean> {
		// n8n listens for two minutes.
		for (const workflow of this.workflows) await this.endListening(workflow);
		for (const minutes of [15, 1, 1]) {
			this.world.now += minutes * MINUTE;
			await this.power.run(async () => {
				await Promise.all(this.workflows.map(async ({ tick }) => await tick?.()));
			});
		}
		return true;
	}

	protected async create(
		workflow: Workflow,
		node: TriggerNode,
		call: Pick<HookSetup, 'mode' | 'activation' | 'isTest' | 'publication'>,
		staticData = workflow.staticData[node.name] ?? {},
	): Promise<{ staticData: IDataObject; error?: Error }> {
		if (call.activation === 'init') workflow.isInitialised = true;
		const setup = { ...this.setup(workflow, node), ...call, staticData };
		return await this.power.run(async () => await this.process.create(setup));
	}

	protected async delete(
		workflow: Workflow,
		node: TriggerNode,
		staticData = workflow.staticData[node.name] ?? {},
		publication?: HookSetup['publication'],
	): Promise<void> {
		const setup = { ...this.setup(workflow, node), staticData, publication };
		const left = await this.power.run(async () => await this.process.remove(setup));
		workflow.staticData[node.name] = left.staticData;
	}

	protected async trigger(
		workflow: Workflow,
		node: TriggerNode,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const setup = { ...this.setup(workflow, node), activation };
		const cron = await this.power.run(async () => Promise.resolve(this.process.trigger(setup)));
		workflow.tick = cron?.tick;
	}

	private setup({ id, name }: Workflow, node: TriggerNode): Omit<HookSetup, 'type'> {
		const { world, credentials, address, instanceId } = this;
		return {
			...node,
			workflow: { id, name, active: true },
			credential: {
				baseUrl: world.sandbox.baseUrl,
				// A context may outlive a change of the credential.
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
