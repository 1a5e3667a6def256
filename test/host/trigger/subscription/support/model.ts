import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { StoredWebhook } from '../../../../../sandbox';
import { logLinesSince, logPosition } from '../../../support';
import { accountOf, checkListening, checkProduction, pointingAt } from './expectations';
import { Crashed, Workflow, type Instance, type World } from './instance';
import { InstanceOf1, InstanceOf2 } from './lines';
import { EDITS, FAULTS, MEDDLING, type Oddness, type Step } from './steps';

const SAID_UNDONE = /could not be (?:switched off|checked)/;
const SAID_FORMER = /former account/;

type Webhooks = ReadonlyMap<string, StoredWebhook>;

type Act = (instance: Instance, workflow: Workflow, step: Step) => Promise<boolean>;

/** What an n8n does with one of its workflows. Each returns false if there was nothing to do. */
const ACTS_ON_WORKFLOW: { [Name in Step['do']]?: Act } = {
	activate: async (instance, workflow) => await instance.activate(workflow),
	deactivate: async (instance, workflow) => await instance.deactivate(workflow),
	listen: async (instance, workflow) => await instance.listen(workflow),
	'end listening': async (instance, workflow) => await instance.endListening(workflow),
	'rename node': async (instance, workflow) =>
		await instance.save(workflow, { name: `Mail ${randomUUID()}` }),
	'switch credential': async (instance, workflow) => {
		const credential = workflow.draft.credential === 'first' ? 'second' : 'first';
		return await instance.save(workflow, { credential });
	},
	edit: async (instance, workflow, { edit }) => {
		const { parameters, credential } = workflow.draft;
		const account = instance.credentials[credential];
		const changes: INodeParameters = EDITS[edit](instance.world.sandbox, account);
		const advanced = Object.assign({}, parameters.advanced, changes.advanced);
		return await instance.save(workflow, { parameters: { ...parameters, ...changes, advanced } });
	},
};

/** What an n8n does with all of its workflows. */
const ACTS_ON_ALL: { [Name in Step['do']]?: Act } = {
	restart: async (instance) => await instance.restart(),
	move: async (instance) => await instance.restart(`https://${randomUUID()}.example`),
	'wait for the check': async (instance) => await instance.waitForChecks(),
};

/** Two n8n of a line, their workflows and one service. All of it is checked after each step. */
export class Model {
	private readonly instances: [Instance, Instance];

	private readonly workflows: Workflow[] = [];

	/** Subscriptions that no trigger node made; five look like a node's own. */
	private readonly foreign: Webhooks;

	/** What a list that lags shows: before the last step, if the n8n that acted knows what was done since. */
	private shown: Webhooks | undefined;

	constructor(
		private readonly world: World,
		line: '1' | '2',
		oddness: Oddness,
	) {
		const { sandbox, identities } = world;
		sandbox.replaceState({ webhooks: [], identities: [...identities] });
		sandbox.setDialect(oddness);
		world.story = [JSON.stringify(oddness)];
		const Line = line === '1' ? InstanceOf1 : InstanceOf2;
		this.instances = [
			new Line(world, 'instance-of-first', 'https://first.example'),
			new Line(world, 'instance-of-second', 'https://second.example'),
		];
		const webhookId = randomUUID();
		for (const url of [
			...Array.from({ length: 8 }, (_, index) => `https://crm.example/hooks/${index}`),
			`https://first.example/webhook/${webhookId}/webhook/archive`,
			`https://elsewhere.example/webhook/${webhookId}/webhook`,
			'https://gateway.example/in/a?key=own%20key',
			'https://gateway.example/in/a?key=own%20key&token=of-somebody',
			`https://gateway.example/in/a?key=own%20key&node=${webhookId}&token=of-somebody`,
		]) {
			sandbox.addWebhook({ url, events: ['message.received'] });
		}
		this.foreign = this.webhooks();
		const draft = { name: 'Mail', webhookId, parameters: {}, credential: 'first' } as const;
		this.add(new Workflow(this.instances[0], draft));
	}

	/** @throws Error that names the broken promise */
	async play(step: Step): Promise<void> {
		this.world.story.push(JSON.stringify(step));
		const workflow = this.workflows[step.workflow % this.workflows.length]!;
		if (this.happens(workflow, step)) this.shown = undefined;
		else await this.act(workflow, step);
		for (const each of this.workflows) {
			checkProduction(each);
			checkListening(each);
		}
	}

	/** @returns whether the step is a change by people, in which no node takes part */
	private happens(workflow: Workflow, step: Step): boolean {
		const { sandbox } = this.world;
		const { instance, draft } = workflow;
		switch (step.do) {
			case 'rotate key':
				// Without the old key, nobody can recognize a test subscription.
				if (this.workflows.some((each) => each.mayHaveStrayTest || each.listening)) break;
				sandbox.rotateKey(step.account);
				this.workflows.forEach(disturb);
				break;
			case 'edit credential in place': {
				const { credentials } = this.instances[step.instance]!;
				credentials.first = credentials.first === 'owner' ? 'other' : 'owner';
				// The nodes notice it at their next check.
				this.workflows.forEach(disturb);
				break;
			}
			case 'delete the identity':
			case 'bring the identity back': {
				const { userId, identities } = sandbox.accounts[step.account];
				const { identities: all } = this.world;
				const identity = all.find(({ kind, ownerId }) => kind === 'email' && ownerId === userId)!;
				const isThere = identities.some(({ id }) => id === identity.id);
				if (isThere === (step.do === 'bring the identity back')) break;
				if (isThere) sandbox.removeIdentity(identity.id);
				else sandbox.addIdentity(identity);
				this.workflows.forEach(disturb);
				break;
			}
			case 'interfere': {
				const [webhook] = pointingAt(workflow, 'production', [instance.address]);
				const account = instance.credentials[draft.credential];
				if (webhook) MEDDLING[step.meddling](sandbox, webhook, account);
				disturb(workflow);
				break;
			}
			case 'duplicate':
				this.copy(workflow, instance, randomUUID());
				break;
			case 'copy to the other n8n':
				this.copy(
					workflow,
					this.instances.find((each) => each !== instance)!,
					draft.webhookId,
				);
				break;
			default:
				return false;
		}
		return true;
	}

	/** An n8n does something with one of its workflows, or with all of them. */
	private async act(workflow: Workflow, step: Step): Promise<void> {
		const actOnAll = ACTS_ON_ALL[step.do];
		const instance = actOnAll ? this.instances[step.instance]! : workflow.instance;
		const before = this.webhooks();
		const start = logPosition();
		const ownBefore = this.ownIds(instance);
		const act = actOnAll ?? ACTS_ON_WORKFLOW[step.do]!;
		const outcome = await this.withTrouble(instance, step, before, async () => {
			return await act(instance, workflow, step);
		});
		const isNewProcess = step.do === 'restart' || step.do === 'move';
		// A list that lags does not show them.
		const looksAfterTests = isNewProcess && step.trouble !== 'lag';
		if (outcome === 'acted' && actOnAll) this.expectAfterStart(instance, start, looksAfterTests);
		else if (!actOnAll && outcome !== 'idle') this.expectAfter(workflow, step, outcome, start);
		const after = this.webhooks();
		// A step may change only what pointed at a node of this n8n before, and add only what does now.
		const own = this.ownIds(instance);
		expectUnchanged([...before, ...this.foreign], after, ({ id }) => !ownBefore.includes(id));
		expectUnchanged(after, before, ({ id }) => !own.includes(id));
		const isListening = step.do === 'listen' || step.do === 'end listening';
		if (isListening && step.trouble !== 'crash')
			expectUnchanged(before, after, ({ url }) => !url.includes('/webhook-test/'));
		const isKnown = !isNewProcess && (step.trouble === 'none' || step.trouble === 'lag');
		this.shown = isKnown ? before : undefined;
	}

	private expectAfter(workflow: Workflow, step: Step, outcome: string, start: number): void {
		const isUndone = this.readLog(workflow.instance, start);
		if (step.do === 'listen' || step.do === 'end listening') {
			workflow.mayHaveStrayTest = outcome === 'crashed' || isUndone;
		} else if (outcome === 'acted' && workflow.published) {
			workflow.expectation = 'on';
		} else if (outcome !== 'crashed') {
			workflow.expectation = isUndone ? 'open' : 'off';
		}
	}

	/** Also after a check, which only deletes test subscriptions that it could not delete before. */
	private expectAfterStart(instance: Instance, start: number, looksAfterTests: boolean): void {
		const isUndone = this.readLog(instance, start);
		const workflows = this.on(instance);
		const active = workflows.filter((each) => each.published && each.isRegistered);
		for (const each of active) each.expectation = isUndone ? 'open' : 'on';
		if (!looksAfterTests || isUndone) return;
		// Each trigger that starts deletes the leftovers of all nodes with the same API key.
		const looked = active.filter(({ isInitialised }) => isInitialised);
		const users = looked.map((each) => accountOf(each, each.published!).userId);
		for (const each of workflows) {
			if (users.includes(accountOf(each, each.draft).userId)) each.mayHaveStrayTest = false;
		}
	}

	/** `idle`: n8n had nothing to do. */
	private async withTrouble(
		instance: Instance,
		step: Step,
		before: Webhooks,
		work: () => Promise<boolean>,
	): Promise<'acted' | 'idle' | 'failed' | 'crashed'> {
		const { sandbox, story } = this.world;
		const { trouble, fault, after, times } = step;
		if (trouble === 'crash') instance.power.left = after;
		const passes = fault !== 'gone' && { skip: after % 4, count: times };
		if (trouble === 'fault') sandbox.addFault({ ...FAULTS[fault], ...passes });
		const shown = this.shown ?? before;
		if (trouble === 'lag') sandbox.setOddities({ lists: ({ id }) => shown.has(id) });
		const listening = this.on(instance).filter((each) => each.listening);
		try {
			return (await work()) ? 'acted' : 'idle';
		} catch (error) {
			if (error instanceof Crashed) return await this.comeBack(instance);
			story.push(`  n8n says: ${(error as Error).message}`);
			checkMessage((error as Error).message);
			return 'failed';
		} finally {
			sandbox.clearFaults();
			sandbox.setOddities({});
			instance.power.left = Infinity;
			// A start ends all listening, and so does n8n 1.x when a test event has ended.
			for (const each of listening) if (!each.listening) each.mayHaveStrayTest = true;
		}
	}

	private async comeBack(instance: Instance): Promise<'crashed'> {
		this.world.story.push('  n8n comes up again');
		this.on(instance).forEach(disturb);
		const start = logPosition();
		await instance.restart();
		this.expectAfterStart(instance, start, true);
		return 'crashed';
	}

	/** @returns whether the log says that something could not be done */
	private readLog(instance: Instance, start: number): boolean {
		const messages = logLinesSince(start).map(({ message }) => message);
		for (const message of messages) {
			this.world.story.push(`  log: ${message}`);
			checkMessage(message);
			const isLeft = SAID_FORMER.test(message) || SAID_UNDONE.test(message);
			for (const each of this.on(instance)) {
				if (isLeft && message.includes(each.name)) each.isTold = true;
			}
		}
		return messages.some((message) => SAID_UNDONE.test(message));
	}

	private on(instance: Instance): Workflow[] {
		return this.workflows.filter((each) => each.instance === instance);
	}

	private ownIds(instance: Instance): string[] {
		const own = this.on(instance).flatMap((each) =>
			[pointingAt(each, 'production'), pointingAt(each, 'test')].flat(),
		);
		return own.map(({ id }) => id);
	}

	private webhooks(): Webhooks {
		return new Map(this.world.sandbox.webhooks().map((webhook) => [webhook.id, webhook]));
	}

	private copy({ draft, staticData }: Workflow, instance: Instance, webhookId: string): void {
		// n8n refuses a second workflow with the same address.
		if (this.on(instance).some((each) => each.draft.webhookId === webhookId)) return;
		this.add(new Workflow(instance, { ...draft, webhookId }, structuredClone(staticData)));
	}

	private add(workflow: Workflow): void {
		workflow.instance.workflows.push(workflow);
		this.workflows.push(workflow);
	}
}

const disturb = (workflow: Workflow): void => {
	workflow.expectation = 'open';
};

/** Also shows, with the arguments exchanged, that none was added. */
function expectUnchanged(
	before: Iterable<[string, StoredWebhook]>,
	after: Webhooks,
	isMeant: (webhook: StoredWebhook) => boolean,
): void {
	for (const [id, webhook] of before) {
		const [was, is] = [webhook, after.get(id)].map((each) => JSON.stringify(each));
		if (isMeant(webhook) && was !== is)
			throw new Error(`A subscription of others was changed:\n  ${was}\n  ${is}`);
	}
}

/** No secret, and not the word that stops n8n 1.x from trying again. */
function checkMessage(message: string): void {
	if (/authorization|token=|sk_|bearer/i.test(message))
		throw new Error(`Shown to a user: ${message}`);
}
