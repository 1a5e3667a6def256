import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { chain, completeNode, hostOf, itemsOf, manualTrigger, N8n, until } from '../../support/n8n';
import type {
	CredentialReference,
	Execution,
	NodeDefinition,
	StoredWorkflow,
} from '../../support/n8n';

const PROBE = 'n8n-nodes-host-probe.probe';
const PROBE_TRIGGER = 'n8n-nodes-host-probe.probeTrigger';
export const TRIGGER = 'Probe Trigger';
export const NODE = 'Probe';

/** Small, because a test exceeds it. */
const MAX_BODY_MIB = '1';

/** A line that the probe's trigger wrote to n8n's console. */
interface Report {
	workflow: string;
	event: string;
	url?: string;
}

/** An n8n with the nodes of `probe/`, which report what n8n does with them. */
export class ProbedHost {
	n8n!: N8n;
	/** Nodes send requests to it: `/hang` is not answered, `/redirect` leads elsewhere. */
	standIn!: Sandbox;
	private credential!: CredentialReference;
	private probing: Promise<StoredWorkflow> | undefined;

	async start(): Promise<void> {
		this.n8n = await N8n.start({
			packages: [join(__dirname, '../probe')],
			environment: { N8N_PAYLOAD_SIZE_MAX: MAX_BODY_MIB },
		});
		this.credential = await this.n8n.credentials.create('probeApi', { key: 'the-key' });
		this.standIn = await startSandbox();
		this.standIn.addFault({ path: '/hang', delayBefore: 600_000 });
		this.standIn.addFault({
			path: '/redirect',
			answer: { type: 'redirect', location: '/elsewhere' },
		});
	}

	async stop(): Promise<void> {
		await Promise.all([this.standIn?.stop(), this.n8n?.stop()]);
	}

	async triggerWorkflow(
		parameters: Record<string, unknown> = {},
		...others: NodeDefinition[]
	): Promise<StoredWorkflow> {
		const trigger = {
			name: TRIGGER,
			type: PROBE_TRIGGER,
			typeVersion: 2,
			parameters,
			webhookId: randomUUID(),
		};
		const { nodes, ...definition } = chain('A probed trigger', [trigger]);
		const all = [...nodes, ...others.map(completeNode)];
		return await this.n8n.workflows.create({ ...definition, nodes: all });
	}

	/** An active workflow that facts about deliveries share. */
	async active(): Promise<StoredWorkflow> {
		this.probing ??= this.triggerWorkflow().then(async (workflow) => {
			await this.n8n.workflows.activate(workflow.id);
			return workflow;
		});
		return await this.probing;
	}

	/** All reports of a workflow's trigger, or those since a mark in n8n's log. */
	reports({ id }: StoredWorkflow, mark = 0): Report[] {
		return this.n8n.log
			.text(mark)
			.split('\n')
			.filter((line) => line.startsWith('PROBE ') && line.endsWith('}'))
			.map((line) => JSON.parse(line.slice('PROBE '.length)) as Report)
			.filter(({ workflow }) => workflow === id);
	}

	async reported(workflow: StoredWorkflow, event: string, mark = 0): Promise<Report> {
		return await until(
			`the probe reports "${event}"`,
			() => this.reports(workflow, mark).find((report) => report.event === event),
			20_000,
		);
	}

	/** The address that `create` was called with first. */
	async address(workflow: StoredWorkflow): Promise<string> {
		const { url } = await this.reported(workflow, 'create');
		if (!url) throw new Error('n8n named no address to create()');
		return url;
	}

	/** Delivers to an address of the trigger; `query` starts with what it is to do. */
	async deliver(
		address: string,
		query: string,
		{ type, body = '{}' }: { type?: string; body?: string } = { type: 'application/json' },
	): Promise<{ status: number; body: Record<string, unknown> }> {
		const response = await fetch(`${address}?do=${query}`, {
			method: 'POST',
			headers: type === undefined ? {} : { 'content-type': type },
			body: Buffer.from(body),
		});
		const text = await response.text();
		return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : { text } };
	}

	async run(node: Partial<NodeDefinition>): Promise<Execution> {
		const credentials = { probeApi: this.credential };
		const definition = { name: NODE, type: PROBE, credentials, ...node };
		const { workflows, executions } = this.n8n;
		const { id } = await workflows.create(chain('A probed node', [manualTrigger(), definition]));
		return await executions.ended(await workflows.run(id, 'Start'));
	}

	/** The output of the probe's node for an operation. */
	async operation(name: string, parameters: Record<string, unknown> = {}) {
		const execution = await this.run({ parameters: { operation: name, ...parameters } });
		return itemsOf(execution, NODE)[0]!.json;
	}
}

/** A real n8n with the probe's nodes, for the facts of a file. */
export function onProbedHost(): ProbedHost {
	const host = new ProbedHost();
	beforeAll(() => host.start());
	afterAll(() => host.stop());
	return host;
}

/**
 * A test of something that our code relies on and n8n does not document.
 *
 * @param usedIn folders or files of `nodes/EmailIdentity/` whose code relies on it
 * @param line the line of n8n that it is about, if it is about one
 */
export function fact(
	usedIn: string,
	statement: string,
	attempt: () => Promise<void>,
	line = hostOf().line,
): void {
	if (line === hostOf().line) test(`${statement} (used in: ${usedIn})`, attempt);
}
