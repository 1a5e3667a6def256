import { setTimeout as pause } from 'node:timers/promises';
import type { N8n, StoredWorkflow } from '../../support/n8n';
import { isAccepted, post } from '../../e2e/support/deliveries';
import { startOtherServer, type OtherServer } from '../../e2e/support/otherServer';
import { webhookPath } from '../../e2e/support/stage';

const PAUSE_MS = 200;

interface KeptDelivery {
	/** unchanged, with its question mark */
	query: string;
	body: string;
	headers: Record<string, string>;
}

/** A webhook gateway as `docs/recovery.md` describes it, in memory: it forwards each delivery until n8n accepts it. */
export class Forwarder {
	/** Each attempt; without a status when no answer came. */
	readonly handedOn: { body: string; status: number | undefined }[] = [];
	/** deliveries that were answered */
	taken = 0;
	private readonly waiting: KeptDelivery[] = [];
	private isStopped = false;
	private work: Promise<void>[] = [];
	private server!: OtherServer;

	static async start(): Promise<Forwarder> {
		const forwarder = new Forwarder();
		forwarder.server = await startOtherServer(({ path, headers, body }) => {
			const type = headers['content-type'];
			forwarder.waiting.push({
				query: new URL(path, forwarder.url).search,
				headers: type === undefined ? {} : { 'content-type': type },
				body,
			});
			forwarder.taken++;
		});
		return forwarder;
	}

	get url(): string {
		return this.server.url;
	}

	get accepted(): number {
		return this.handedOn.filter(isAccepted).length;
	}

	/** Begins to forward. @param atATime how many deliveries at the same time */
	handOnTo(n8n: N8n, workflow: StoredWorkflow, atATime: number): void {
		const url = `${n8n.url}${webhookPath(workflow)}`;
		// While n8n starts, it answers everything with 200 and drops it.
		const isReady = async () => {
			const answer = await fetch(`${n8n.url}/healthz/readiness`).catch(() => undefined);
			await answer?.arrayBuffer().catch(() => undefined);
			return answer?.status === 200;
		};
		this.work = Array.from({ length: atATime }, async () => {
			while (!this.isStopped) {
				const next = (await isReady()) ? this.waiting.shift() : undefined;
				if (!next || !(await this.handOn(url, next))) await pause(PAUSE_MS);
			}
		});
	}

	async stop(): Promise<void> {
		this.isStopped = true;
		await Promise.all(this.work);
		await this.server.stop();
	}

	private async handOn(url: string, kept: KeptDelivery): Promise<boolean> {
		const status = await post(`${url}${kept.query}`, kept.body, kept.headers);
		this.handedOn.push({ body: kept.body, status });
		const isTaken = isAccepted({ status });
		if (!isTaken) this.waiting.push(kept);
		return isTaken;
	}
}
