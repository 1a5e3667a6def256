import { randomUUID } from 'node:crypto';
import type { StoredWebhook } from '../../../../../sandbox';
import { logLinesSince, logPosition } from '../../../support';
import { checkListening, checkProduction, Flow } from './expectations';
import { Crashed, type Instance, type World } from './instance';
import { InstanceOf1, InstanceOf2 } from './lines';
import { edited, meddle, ruleFor, tellStep, type Oddness, type Step } from './steps';

const MINUTE = 60_000;
const CHECK_INTERVAL = 15 * MINUTE;

const SAID_UNDONE = /could not be (?:switched off|checked)/;
const SAID_FORMER = /former account/;

type Webhooks = ReadonlyMap<string, StoredWebhook>;

/** Two n8n of a line, their workflows and one service. All of it is checked after each step. */
export class Model {
	private readonly instances: [Instance, Instance];

	private readonly flows: Flow[] = [];

	/** Subscriptions that no trigger node made; five look like a node's own. */
	private readonly foreign: Webhooks;

	/** Before each of the last steps, the newest first, as far back as the n8n that acted knows what was done since. */
	private history: Webhooks[] = [];

	constructor(
		private readonly world: World,
		line: '1' | '2',
		oddness: Oddness,
	) {
		const { sandbox, identities } = world;
		sandbox.replaceState({ webhooks: [], identities: [...identities] });
		sandbox.setDialect(oddness);
		world.story = [JSON.stringify(oddness)];
		world.copies.clear();
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
		this.add(this.instances[0], draft);
	}

	/** @throws Error that names the broken promise */
	async play(step: Step): Promise<void> {
		this.world.story.push(tellStep(step));
		const before = this.webhooks();
		const ownBefore = new Map(this.flows.map((flow) => [flow, flow.ownIds()]));
		this.history.unshift(before);
		const { touched, isRemembered } = await this.perform(step);
		if (!isRemembered) this.history = [];
		const after = this.webhooks();
		const without = (own: string[]) => (webhook: StoredWebhook) => !own.includes(webhook.id);
		// A step may change only what pointed at its node before.
		const wasOthers = without(touched.flatMap((flow) => ownBefore.get(flow) ?? []));
		// These steps are changes by the service and by people.
		if (step.do !== 'delete the identity') {
			checkUnchanged([...before, ...this.foreign], after, wasOthers);
		}
		if (step.do !== 'interfere') {
			checkUnchanged(after, before, without(touched.flatMap((flow) => flow.ownIds())));
		}
		const isListening = step.do === 'listen' || step.do === 'end listening';
		if (isListening && step.trouble !== 'crash') {
			checkUnchanged(before, after, ({ url }) => !url.includes('/webhook-test/'));
		}
		for (const flow of this.flows) {
			checkProduction(flow);
			checkListening(flow);
		}
	}

	/**
	 * @returns whose subscriptions the step may have changed, and whether the process that acted, and acts next, knows
	 * everything that was done
	 */
	private async perform(step: Step): Promise<{ touched: Flow[]; isRemembered?: boolean }> {
		const { sandbox } = this.world;
		const flow = this.flows[step.workflow % this.flows.length]!;
		const instance = this.instances[step.instance]!;
		switch (step.do) {
			case 'rotate key':
				// Without the old key, nobody can recognize a test subscription.
				if (this.flows.some((each) => each.mayHaveStrayTest || isListening(each))) break;
				sandbox.rotateKey(step.account);
				this.flows.forEach(disturb);
				break;
			case 'edit credential in place': {
				const { credentials } = instance;
				credentials.first = credentials.first === 'owner' ? 'other' : 'owner';
				// The nodes notice it at their next check.
				this.flows.forEach(disturb);
				break;
			}
			case 'delete the identity':
			case 'bring the identity back':
				this.changeIdentity(step);
				return { touched: this.flows };
			case 'interfere': {
				const [webhook] = flow.pointingAt('production');
				if (webhook) meddle(step, this.world, webhook);
				disturb(flow);
				return { touched: [flow] };
			}
			case 'duplicate':
				this.copy(flow, flow.instance, randomUUID());
				break;
			case 'copy to the other n8n': {
				const target = this.instances.find((each) => each !== flow.instance)!;
				this.copy(flow, target, flow.draft.webhookId);
				break;
			}
			case 'restart':
			case 'move':
			case 'wait for the check':
				await this.onInstance(instance, step);
				return {
					touched: this.on(instance),
					isRemembered: step.do === 'wait for the check' && isPassing(step),
				};
			default:
				await this.onFlow(flow, step);
				return { touched: this.on(flow.instance), isRemembered: isPassing(step) };
		}
		return { touched: [] };
	}

	private changeIdentity({ do: doing, account }: Step): void {
		const { sandbox, identities } = this.world;
		const { userId, identities: present } = sandbox.accounts[account];
		const identity = identities.find(
			({ kind, ownerId }) => kind === 'email' && ownerId === userId,
		)!;
		const isThere = present.some(({ id }) => id === identity.id);
		if (isThere === (doing === 'bring the identity back')) return;
		if (isThere) sandbox.removeIdentity(identity.id);
		else sandbox.addIdentity(identity);
		this.flows.forEach(disturb);
	}

	private async onFlow(flow: Flow, step: Step): Promise<void> {
		const { instance, draft } = flow;
		const { sandbox } = this.world;
		const { userId } = flow.accountOf(draft);
		const start = logPosition();
		const outcome = await this.withTrouble(instance, step, async () => {
			switch (step.do) {
				case 'activate':
					return await instance.activate(flow);
				case 'deactivate':
					return await instance.deactivate(flow);
				case 'listen':
					return await instance.listen(flow);
				case 'end listening':
					return await instance.endListening(flow);
				case 'rename node':
					return await instance.save(flow, { ...draft, name: `Mail ${randomUUID()}` });
				case 'switch credential': {
					const credential = draft.credential === 'first' ? 'second' : 'first';
					return await instance.save(flow, { ...draft, credential });
				}
				default: {
					const parameters = edited(step, draft.parameters, sandbox, userId);
					return await instance.save(flow, { ...draft, parameters });
				}
			}
		});
		if (outcome === 'idle') return;
		const isUndone = this.readLog(instance, start);
		if (step.do === 'listen' || step.do === 'end listening') {
			flow.mayHaveStrayTest = outcome === 'crashed' || isUndone;
		} else if (outcome === 'acted' && flow.published) {
			flow.expectation = 'on';
		} else if (outcome !== 'crashed') {
			flow.expectation = isUndone ? 'open' : 'off';
		}
	}

	private async onInstance(instance: Instance, step: Step): Promise<void> {
		const start = logPosition();
		const isStart = step.do !== 'wait for the check';
		const outcome = await this.withTrouble(instance, step, async () => {
			if (isStart) {
				await instance.restart(step.do === 'move' ? `https://${randomUUID()}.example` : undefined);
				return true;
			}
			// Once to see what is wrong, once more to repair it, and once to see that it is right.
			for (const pause of [CHECK_INTERVAL, MINUTE, MINUTE]) {
				this.world.now += pause;
				await instance.tick();
			}
			return true;
		});
		// A list that lags does not show them.
		const looksAfterTests = isStart && step.trouble !== 'lag';
		if (outcome === 'acted') this.expectAfterStart(instance, looksAfterTests, start);
	}

	private expectAfterStart(instance: Instance, looksAfterTests: boolean, start: number): void {
		const isUndone = this.readLog(instance, start);
		const active = this.on(instance).filter((flow) => flow.published && flow.isRegistered);
		for (const flow of active) flow.expectation = isUndone ? 'open' : 'on';
		if (!looksAfterTests || isUndone) return;
		// Each trigger that starts deletes the leftovers of all nodes with the same API key.
		const looked = active.filter(({ isInitialised }) => isInitialised);
		const users = looked.map((flow) => flow.accountOf(flow.published!).userId);
		for (const flow of this.on(instance)) {
			if (users.includes(flow.accountOf(flow.draft).userId)) flow.mayHaveStrayTest = false;
		}
	}

	/** `idle`: n8n had nothing to do. */
	private async withTrouble(
		instance: Instance,
		step: Step,
		work: () => Promise<boolean>,
	): Promise<'acted' | 'idle' | 'failed' | 'crashed'> {
		const { sandbox, story } = this.world;
		if (step.trouble === 'crash') instance.power.left = step.after;
		if (step.trouble === 'fault') sandbox.addFault(ruleFor(step));
		if (step.trouble === 'lag') {
			const before = this.history[step.after % 3] ?? this.history.at(-1)!;
			sandbox.setOddities({ lists: ({ id }) => before.has(id) });
		}
		const listening = this.on(instance).filter(isListening);
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
			for (const flow of listening) if (!isListening(flow)) flow.mayHaveStrayTest = true;
		}
	}

	private async comeBack(instance: Instance): Promise<'crashed'> {
		this.world.story.push('  n8n comes up again');
		this.on(instance).forEach(disturb);
		const start = logPosition();
		await instance.restart();
		this.expectAfterStart(instance, true, start);
		return 'crashed';
	}

	/** @returns whether the log says that something could not be done */
	private readLog(instance: Instance, start: number): boolean {
		const messages = logLinesSince(start).map(({ message }) => message);
		for (const message of messages) {
			this.world.story.push(`  log: ${message}`);
			checkMessage(message);
			const isLeft = SAID_FORMER.test(message) || SAID_UNDONE.test(message);
			for (const flow of this.on(instance)) {
				if (isLeft && message.includes(flow.name)) flow.isTold = true;
			}
		}
		return messages.some((message) => SAID_UNDONE.test(message));
	}

	private on(instance: Instance): Flow[] {
		return this.flows.filter((flow) => flow.instance === instance);
	}

	private webhooks(): Webhooks {
		return new Map(this.world.sandbox.webhooks().map((webhook) => [webhook.id, webhook]));
	}

	private copy(original: Flow, instance: Instance, webhookId: string): void {
		const isTaken = this.on(instance).some(({ draft }) => draft.webhookId === webhookId);
		// n8n refuses a second workflow with the same address.
		if (isTaken) return;
		this.add(instance, { ...original.draft, webhookId }, structuredClone(original.staticData));
	}

	private add(...about: ConstructorParameters<typeof Flow>): void {
		const flow = new Flow(...about);
		const { instance } = flow;
		instance.workflows.push(flow);
		this.flows.push(flow);
	}
}

const isListening = ({ listening }: Flow): boolean => listening !== undefined;

const isPassing = ({ trouble }: Step): boolean => trouble === 'none' || trouble === 'lag';

const disturb = (flow: Flow): void => {
	flow.expectation = 'open';
};

/** Also shows, with the arguments exchanged, that none was added. */
function checkUnchanged(
	before: Iterable<[string, StoredWebhook]>,
	after: Webhooks,
	isMeant: (webhook: StoredWebhook) => boolean,
): void {
	for (const [id, webhook] of before) {
		const [was, is] = [webhook, after.get(id)].map((each) => JSON.stringify(each));
		if (isMeant(webhook) && was !== is) {
			throw new Error(`A subscription of others was changed:\n  ${was}\n  ${is}`);
		}
	}
}

/** No secret, and not the word that stops n8n 1.x from trying again. */
function checkMessage(message: string): void {
	if (/authorization|token=|sk_|bearer/i.test(message))
		throw new Error(`Shown to a user: ${message}`);
}
