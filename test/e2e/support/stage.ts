import type { SendMailOptions } from 'nodemailer';
import type { DialectName, Sandbox, StoredWebhook } from '../../../sandbox';
import { chain, itemsOf, N8n, until } from '../../support/n8n';
import type {
	CredentialReference,
	Execution,
	Item,
	NodeDefinition,
	StoredWorkflow,
} from '../../support/n8n';
import { ADDRESS, CREDENTIAL_TYPE, deploy } from './deployment';
import { sendMail } from './sendMail';

export const TRIGGER = 'Email Received';
export const TRIGGER_NODE = 'n8n-nodes-email-identity.emailIdentityTrigger';

/** n8n writes the output of a trigger into the execution when the next node has run. */
const AFTER_TRIGGER = { name: 'Next', type: 'n8n-nodes-base.noOp' };

interface StageOptions {
	dialect?: DialectName;
	/** starts an own n8n for the file, which is not tidied up */
	start?: () => Promise<N8n>;
	/** each test continues the one before: nothing is tidied up in between */
	isStory?: boolean;
}

/** An n8n, a stand-in for the service, and a credential for it in that n8n. */
export class Stage {
	n8n!: N8n;
	sandbox!: Sandbox;
	credential!: CredentialReference;
	private readonly cleanUps: (() => Promise<unknown>)[] = [];

	constructor(private readonly options: StageOptions) {}

	async open(): Promise<void> {
		const { start, dialect = 'observed' } = this.options;
		this.n8n = await (start ? start() : N8n.shared());
		Object.assign(this, await deploy(this.n8n, dialect));
	}

	async tidyUp(): Promise<void> {
		this.sandbox.clearFaults();
		for (const cleanUp of this.cleanUps.splice(0)) await cleanUp();
		for (const { id } of this.sandbox.webhooks()) this.sandbox.removeWebhook(id);
		this.sandbox.clearRecordings();
	}

	async close(): Promise<void> {
		if (this.sandbox && !this.options.start) await this.tidyUp();
		await this.sandbox?.stop();
		if (this.options.start) await this.n8n?.stop();
	}

	/** Creates a workflow that starts on received emails, without checks at intervals unless set. */
	async create(
		parameters: Record<string, unknown> = {},
		credential = this.credential,
		next: NodeDefinition = AFTER_TRIGGER,
	): Promise<StoredWorkflow> {
		const trigger = {
			name: TRIGGER,
			type: TRIGGER_NODE,
			typeVersion: 2,
			parameters: { advanced: { checkEvery: 0 }, ...parameters },
			credentials: { [CREDENTIAL_TYPE]: credential },
		};
		return this.keep(await this.n8n.workflows.create(chain('On email', [trigger, next])));
	}

	/** Has a function called after the test, or at the end of a story. */
	afterwards(cleanUp: () => Promise<unknown>): void {
		this.cleanUps.push(cleanUp);
	}

	/** Has a workflow deleted afterwards. */
	keep(workflow: StoredWorkflow): StoredWorkflow {
		this.afterwards(() => this.n8n.workflows.delete(workflow.id));
		return workflow;
	}

	async publish(...workflow: Parameters<Stage['create']>): Promise<StoredWorkflow> {
		const stored = await this.create(...workflow);
		await this.activate(stored);
		return stored;
	}

	/** Publishes a workflow, and waits until n8n takes its deliveries, which 2.x does a moment later. */
	async activate(workflow: StoredWorkflow): Promise<StoredWebhook> {
		await this.n8n.workflows.activate(workflow.id);
		await this.registered(workflow);
		return this.subscription(workflow);
	}

	async registered(workflow: StoredWorkflow): Promise<void> {
		await until(
			`n8n takes deliveries for workflow ${workflow.id}`,
			async () => (await this.statusOf(workflow)) !== 404,
		);
	}

	/** The answer to a delivery without a secret. */
	async statusOf(workflow: StoredWorkflow): Promise<number> {
		return (await fetch(`${this.n8n.url}${webhookPath(workflow)}`, { method: 'POST' })).status;
	}

	/** Sends an email to the service. @returns its Message-ID */
	async mail(subject: string, mail: SendMailOptions = {}): Promise<string> {
		const usual = { from: 'zoe@example.org', to: ADDRESS, text: 'Hello' };
		return await sendMail(this.sandbox.smtpPort, { ...usual, subject, ...mail });
	}

	/** The items that started a workflow, oldest first. Waits for a number of them. */
	async started({ id }: StoredWorkflow, count: number): Promise<Item[]> {
		return (await this.n8n.executions.atLeast(id, count)).map(startedWith);
	}

	async subjects(workflow: StoredWorkflow, count: number): Promise<unknown[]> {
		return (await this.started(workflow, count)).map(({ json }) => json.subject);
	}

	subscriptions(workflow: StoredWorkflow): StoredWebhook[] {
		const path = webhookPath(workflow);
		return this.sandbox.webhooks().filter(({ url }) => new URL(url).pathname === path);
	}

	/** The one subscription of a workflow. @throws Error if there is another number of them */
	subscription(workflow: StoredWorkflow): StoredWebhook {
		const all = this.subscriptions(workflow);
		if (all.length !== 1) throw new Error(`The workflow has ${all.length} subscriptions.`);
		return all[0]!;
	}

	tests(): StoredWebhook[] {
		return this.sandbox.webhooks().filter(({ url }) => url.includes('/webhook-test/'));
	}

	/** Clicks "Listen for test event". @returns a function that cancels */
	async listen({ id }: StoredWorkflow): Promise<() => Promise<void>> {
		return await this.n8n.workflows.listen(id, TRIGGER);
	}

	async noTestIsLeft(): Promise<void> {
		await until('the test subscription is gone', () => this.tests().length === 0);
	}

	async logged(mark: number, text: string): Promise<string> {
		const log = () => this.n8n.log.text(mark);
		await until(`n8n's log contains "${text}"`, () => log().includes(text));
		return log();
	}
}

/** A stage for the tests of a file, or of a `describe`. */
export function onStage(options: StageOptions = {}): Stage {
	const stage = new Stage(options);
	beforeAll(() => stage.open());
	if (!options.isStory) afterEach(() => stage.tidyUp());
	afterAll(() => stage.close());
	return stage;
}

export function webhookPath({ nodes }: Pick<StoredWorkflow, 'nodes'>): string {
	const trigger = nodes.find(({ type }) => type === TRIGGER_NODE);
	return `/webhook/${trigger?.webhookId}/webhook`;
}

/** The item that the trigger passed to the next node. */
export function startedWith(execution: Execution): Item {
	const [item] = itemsOf(execution, AFTER_TRIGGER.name);
	if (!item) throw new Error(`Execution ${execution.id} has no item.`);
	return item;
}
