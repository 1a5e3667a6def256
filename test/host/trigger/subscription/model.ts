import { randomUUID } from 'node:crypto';
import type { FaultRule, StoredWebhook } from '../../../../sandbox';
import { carriesMark } from '../../../../nodes/EmailIdentity/trigger/subscription/address';
import { accountOf, checkExpectation, checkListening, type Situated } from './expectations';
import type { Instance } from './instance';
import { InstanceOf1, InstanceOf2 } from './lines';
import { editNode, interfere, otherCredential, renameNode } from './people';
import { Crashed } from './power';
import { ruleFor, tellStep, type Oddity, type Step, type StepOf, type Trouble } from './steps';
import {
	foreignSubscriptions,
	subscriptionsById,
	type AccountName,
	type TriggerNode,
	type World,
} from './world';

/** What came of a step: `idle` when n8n had nothing to do. */
type Outcome = 'acted' | 'idle' | 'failed' | 'crashed';

const MINUTE = 60_000;
const CHECK_INTERVAL = 15 * MINUTE;

const CREATES_NOTHING: FaultRule = {
	method: 'POST',
	path: '/webhooks',
	answer: { type: 'status', status: 500 },
};

const SAID_UNDONE = /could not be (switched off|checked)/;
const SAID_FORMER = /former account \(user ([-0-9a-f]+)\)/;

/** Two n8n of a line, their workflows and one service, on which steps are played and looked at after each. */
export class Model {
	private readonly instances: [Instance, Instance];

	private readonly workflows: Situated[] = [];

	private readonly foreign: Map<string, StoredWebhook>;

	/**
	 * What was there before each of the last steps, the newest first: as far back as the n8n that acted then
	 * can know of everything that was done since.
	 */
	private history: StoredWebhook[][] = [];

	constructor(
		private readonly world: World,
		line: '1' | '2',
		private readonly oddity: Oddity,
	) {
		const { sandbox } = world;
		sandbox.replaceState({ webhooks: [], identities: [...world.identities] });
		this.makeOdd();
		world.story.length = 0;
		world.story.push(`service: ${oddity}`);
		const Line = line === '1' ? InstanceOf1 : InstanceOf2;
		this.instances = [
			new Line(world, 'instance-of-first', 'https://first.example'),
			new Line(world, 'instance-of-second', 'https://second.example'),
		];
		const webhookId = randomUUID();
		for (const { url } of foreignSubscriptions(webhookId)) {
			sandbox.addWebhook({ url, events: ['message.received'] });
		}
		this.foreign = subscriptionsById(world);
		this.add(this.instances[0], {
			name: 'Mail',
			webhookId,
			parameters: {},
			credential: 'first',
		});
	}

	/** Plays a step and looks at everything. @throws Error saying which promise was broken */
	async play(step: Step): Promise<void> {
		this.world.story.push(tellStep(step));
		const before = subscriptionsById(this.world);
		if (!isRemembered(step)) this.history = [];
		this.history.unshift([...before.values()]);
		const touched = await this.perform(step);
		if (!isRemembered(step)) this.history = [];
		const after = subscriptionsById(this.world);
		this.claimNew(before, after, touched);
		this.checkUntouched(before, after, touched);
		const isListening = step.do === 'listen' || step.do === 'end listening';
		if (isListening && step.trouble.kind !== 'crash') this.checkProduction(before, after);
		for (const situated of this.workflows) {
			checkExpectation(this.world, situated);
			checkListening(this.world, situated);
		}
		for (const instance of this.instances) instance.log.length = 0;
	}

	/** @returns whose subscriptions the step may have changed */
	private async perform(step: Step): Promise<Situated[]> {
		if (step.do === 'rotate key') {
			this.world.sandbox.rotateKey(step.account);
			for (const situated of this.workflows) {
				disturb(situated);
				const { instance, workflow, mayHaveStrayTest } = situated;
				situated.mayHaveFormerTest ||= mayHaveStrayTest || instance.isListening(workflow);
			}
			return [];
		}
		if (step.do === 'edit credential in place') {
			const { credentials } = this.instances[step.instance % 2]!;
			credentials.first = credentials.first === 'owner' ? 'other' : 'owner';
			// Nothing tells the nodes; it comes to light when they are looked after the next time.
			for (const situated of this.workflows) disturb(situated);
			return [];
		}
		if (step.do === 'delete the identity' || step.do === 'bring the identity back') {
			this.changeIdentity(step.do === 'bring the identity back', step.account);
			return [...this.workflows];
		}
		if ('instance' in step) return await this.onInstance(step);
		const situated = this.workflows[step.workflow % this.workflows.length]!;
		if (step.do === 'interfere') {
			interfere(this.world, situated, step.with);
			disturb(situated);
			return [situated];
		}
		if (step.do === 'duplicate') {
			this.copy(situated, situated.instance, {
				...situated.workflow.draft,
				webhookId: randomUUID(),
			});
			return [];
		}
		if (step.do === 'copy to the other n8n') {
			const target = this.instances.find((instance) => instance !== situated.instance)!;
			this.copy(situated, target, { ...situated.workflow.draft });
			return [];
		}
		await this.onWorkflow(situated, step);
		return this.workflows.filter(({ instance }) => instance === situated.instance);
	}

	/** What subscriptions for it become by that is the dialect's choice. */
	private changeIdentity(isThere: boolean, account: AccountName): void {
		const { sandbox, identities } = this.world;
		const { userId } = sandbox.accounts[account];
		const identity = identities.find(({ kind, ownerId }) => kind === 'email' && ownerId === userId);
		const isThereNow = sandbox.accounts[account].identities.some(({ id }) => id === identity?.id);
		if (!identity || isThere === isThereNow) return;
		if (isThere) sandbox.addIdentity(identity);
		else sandbox.removeIdentity(identity.id);
		for (const situated of this.workflows) disturb(situated);
	}

	private makeOdd(): void {
		const { sandbox } = this.world;
		sandbox.clearFaults();
		sandbox.setOddities({});
		if (this.oddity === 'creates nothing') sandbox.addFault(CREATES_NOTHING);
	}

	private async onWorkflow(situated: Situated, step: StepOf<'workflow'>): Promise<void> {
		const { workflow, instance } = situated;
		const isListening = step.do === 'listen' || step.do === 'end listening';
		const outcome = await this.withTrouble(instance, step.trouble, async () => {
			switch (step.do) {
				case 'activate':
					return await instance.activate(workflow);
				case 'deactivate':
					return await instance.deactivate(workflow);
				case 'listen':
					return await instance.listen(workflow);
				case 'end listening':
					return await instance.endListening(workflow);
				case 'rename node':
					return await instance.save(workflow, renameNode(workflow.draft));
				case 'rename workflow':
					workflow.name = `Flow ${randomUUID()}`;
					situated.names.add(workflow.name);
					return await instance.save(workflow, { ...workflow.draft });
				case 'switch credential':
					return await instance.save(workflow, otherCredential(workflow.draft));
				case 'edit':
					return await instance.save(workflow, editNode(this.world, situated, step.change));
			}
		});
		const isUndone = this.readLog(instance);
		const isLeft = outcome === 'crashed' || isUndone;
		if (isListening) {
			if (outcome !== 'idle') situated.mayHaveStrayTest = isLeft;
			return;
		}
		if (outcome === 'acted' && workflow.published) situated.expectation = 'on';
		else if (outcome === 'acted' || outcome === 'failed') {
			situated.expectation = isUndone ? 'open' : 'off';
		}
	}

	private async onInstance(step: StepOf<'instance'>): Promise<Situated[]> {
		const instance = this.instances[step.instance % 2]!;
		const all = this.on(instance);
		const outcome = await this.withTrouble(instance, step.trouble, async () => {
			if (step.do === 'wait for the check') {
				// Once to see what is wrong, once more to repair it, and once to see that it is right.
				this.world.now += CHECK_INTERVAL;
				await instance.tick();
				this.world.now += MINUTE;
				await instance.tick();
				this.world.now += MINUTE;
				await instance.tick();
			} else {
				this.expectStrays(instance);
				await instance.restart(step.do === 'move' ? `https://${randomUUID()}.example` : undefined);
			}
			return true;
		});
		if (outcome === 'acted') this.expectAfterStart(instance, step.do !== 'wait for the check');
		return all;
	}

	/** What is known after n8n came up, or checked, without being killed. */
	private expectAfterStart(instance: Instance, isStart: boolean): void {
		const isUndone = this.readLog(instance);
		const active = this.on(instance).filter(
			({ workflow }) => workflow.published && instance.isRegistered(workflow),
		);
		for (const situated of active) situated.expectation = isUndone ? 'open' : 'on';
		if (!isStart || isUndone) return;
		// Each trigger that starts looks after what was left of all nodes with the same API key, also one whose identity is gone.
		const looked = active.filter(({ workflow }) => instance.wasInitialised(workflow));
		const users = looked.map(({ workflow }) => this.userOf(instance, workflow.published));
		for (const situated of this.on(instance)) {
			const isLookedAfter = users.includes(this.userOf(instance, situated.workflow.draft));
			if (isLookedAfter) situated.mayHaveStrayTest = false;
		}
	}

	/** Runs what may go wrong, and puts everything in order again for the next step. */
	private async withTrouble(
		instance: Instance,
		trouble: Trouble,
		work: () => Promise<boolean>,
	): Promise<Outcome> {
		const { sandbox } = this.world;
		if (trouble.kind === 'crash') instance.power.cutAfter(trouble.moment);
		if (trouble.kind === 'fault') sandbox.addFault(ruleFor(trouble));
		if (trouble.kind === 'lag') {
			const before = this.history[trouble.steps] ?? this.history.at(-1) ?? [];
			const isOld = ({ id }: StoredWebhook) => before.some((webhook) => webhook.id === id);
			sandbox.setOddities({ lists: isOld });
		}
		const listeningBefore = this.on(instance).filter(({ workflow }) =>
			instance.isListening(workflow),
		);
		try {
			return (await work()) ? 'acted' : 'idle';
		} catch (error) {
			if (error instanceof Crashed) return await this.comeBack(instance);
			this.world.story.push(`  n8n says: ${(error as Error).message}`);
			checkMessage((error as Error).message);
			return 'failed';
		} finally {
			this.makeOdd();
			instance.power.keep();
			for (const situated of listeningBefore) {
				// n8n 1.x forgets all test events when one has ended.
				if (!instance.isListening(situated.workflow)) situated.mayHaveStrayTest = true;
			}
		}
	}

	/** After a power cut everything is as the database says, and comes up again. */
	private async comeBack(instance: Instance): Promise<Outcome> {
		this.world.story.push('  n8n comes up again');
		for (const situated of this.on(instance)) disturb(situated);
		this.expectStrays(instance);
		await instance.restart();
		this.expectAfterStart(instance, true);
		return 'crashed';
	}

	private expectStrays(instance: Instance): void {
		for (const situated of this.on(instance)) {
			if (instance.isListening(situated.workflow)) situated.mayHaveStrayTest = true;
		}
	}

	/** Notes what the user was told. @returns whether something could not be done */
	private readLog(instance: Instance): boolean {
		for (const { message } of instance.log) {
			this.world.story.push(`  log: ${message}`);
			checkMessage(message);
			const mentioned = this.on(instance).filter(({ names }) =>
				[...names].some((name) => message.includes(name)),
			);
			const former = SAID_FORMER.exec(message)?.[1];
			const { owner, other } = this.world.sandbox.accounts;
			const told = former ? [former] : [owner.userId, other.userId];
			for (const situated of mentioned) {
				if (former || SAID_UNDONE.test(message)) told.forEach((user) => situated.told.add(user));
			}
		}
		return instance.log.some(({ message }) => SAID_UNDONE.test(message));
	}

	private userOf(instance: Instance, node: TriggerNode | undefined): string | undefined {
		return node && accountOf(this.world, instance, node).userId;
	}

	private on(instance: Instance): Situated[] {
		return this.workflows.filter((situated) => situated.instance === instance);
	}

	private copy(situated: Situated, instance: Instance, node: TriggerNode): void {
		const isTaken = this.on(instance).some(
			({ workflow }) => workflow.draft.webhookId === node.webhookId,
		);
		// n8n refuses a second workflow with the same address.
		if (!isTaken) this.add(instance, node, structuredClone(situated.workflow.staticData));
	}

	private add(
		instance: Instance,
		draft: TriggerNode,
		staticData: Situated['workflow']['staticData'] = {},
	): void {
		const id = randomUUID();
		const workflow = { id, name: `Flow ${id}`, draft, staticData };
		const names = new Set([workflow.name]);
		instance.workflows.push(workflow);
		this.workflows.push({
			workflow,
			instance,
			expectation: 'off',
			own: new Set(),
			handMade: new Set(),
			names,
			told: new Set(),
			mayHaveStrayTest: false,
			mayHaveFormerTest: false,
		});
	}

	/** A subscription that appeared belongs to the workflow that was acting, by its address. */
	private claimNew(
		before: Map<string, StoredWebhook>,
		after: Map<string, StoredWebhook>,
		touched: readonly Situated[],
	): void {
		for (const [id, { url }] of after) {
			if (before.has(id)) continue;
			const owner = touched.find((situated) => isFor(situated, url));
			if (!owner) throw new Error(`A subscription appeared out of nowhere: ${url}`);
			owner.own.add(id);
		}
	}

	/** Nobody's subscriptions but those of the acting n8n's nodes may have changed. */
	private checkUntouched(
		before: Map<string, StoredWebhook>,
		after: Map<string, StoredWebhook>,
		touched: readonly Situated[],
	): void {
		const own = new Set(touched.flatMap((situated) => [...situated.own]));
		for (const [id, webhook] of [...before, ...this.foreign]) {
			if (own.has(id)) continue;
			const now = JSON.stringify(after.get(id));
			if (now !== JSON.stringify(webhook)) {
				throw new Error(`Someone else's subscription was changed.
  ${JSON.stringify(webhook)}
  ${now}`);
			}
		}
	}

	/** Listening for a test event touches no production subscription. */
	private checkProduction(
		before: Map<string, StoredWebhook>,
		after: Map<string, StoredWebhook>,
	): void {
		for (const [id, webhook] of before) {
			if (webhook.url.includes('/webhook-test/')) continue;
			if (JSON.stringify(after.get(id)) !== JSON.stringify(webhook)) {
				throw new Error(`Listening changed a production subscription: ${webhook.url}`);
			}
		}
	}
}

/** Whether the process that acts in a step, and in all since, knows everything that was done in it. */
function isRemembered(step: Step): boolean {
	if (!('trouble' in step) || step.do === 'restart' || step.do === 'move') return false;
	return step.trouble.kind === 'none' || step.trouble.kind === 'lag';
}

/** Whether only that workflow can have made a subscription. */
function isFor({ workflow, instance }: Situated, url: string): boolean {
	const { webhookId } = workflow.draft;
	const { instanceId, addresses } = instance;
	return (
		carriesMark(url, { instanceId, webhookPath: webhookId }) ||
		(url.includes(webhookId) && addresses.some((address) => url.startsWith(address)))
	);
}

/** What was right may be wrong from now on, without anyone knowing. */
function disturb(situated: Situated): void {
	situated.expectation = 'open';
}

/** What users read holds no secret, and never the word that stops n8n 1.x from trying again. */
function checkMessage(message: string): void {
	if (/authorization|token=|sk_|bearer/i.test(message))
		throw new Error(`Said to a user: ${message}`);
}
