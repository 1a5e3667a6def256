import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../scripts/setup/progress.mjs';
import { CREDENTIAL_TYPE, deploy } from '../test/e2e/support/deployment';
import { chain, N8n, packedPackage, until, type WorkflowDefinition } from '../test/support/n8n';
import { EMPTY_TRIGGER } from './deliver/receivers';
import { compare } from './measure';
import type { Bench, Benchmark, Comparison } from './types';

interface Usage {
	cpuSeconds: number;
	/** The most memory so far, in KB. */
	maxRSS: number;
}

/** n8n publishes each workflow again at its start whose trigger runs in memory. The empty one does that too, and nothing else. */
export const startTriggers: Benchmark = {
	name: 'start-triggers',
	title: 'What a start of n8n costs with 500 published triggers, until it is quiet',
	async run(bench: Bench) {
		const count = bench.quick ? 20 : 500;
		const ours = await startWith(bench, 'n8n-nodes-email-identity.emailIdentityTrigger', count);
		const theirs = await startWith(bench, 'n8n-nodes-empty-trigger.emptyTriggerInMemory', count);
		return [
			compareOnce('processor time', 's', ours.cpuSeconds, theirs.cpuSeconds),
			compareOnce('most memory', 'MB', ours.maxRSS / 1024, theirs.maxRSS / 1024),
		];
	},
};

function compareOnce(what: string, unit: string, ours: number, theirs: number): Comparison {
	const goal = { of: 'ratio', atMost: 1.25 } as const;
	const against = 'empty triggers';
	return compare({ what, unit, ours: [ours], against, theirs: [theirs], goal });
}

/** @returns what a start used */
async function startWith(bench: Bench, type: string, count: number): Promise<Usage> {
	const file = join(bench.scratch, 'usage.json');
	const environment = {
		BENCHMARK_METER: file,
		// By default, n8n also prepares a sandbox for expressions for each trigger.
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		NODE_OPTIONS: `--require ${join(__dirname, 'fixtures/meter.cjs')}`,
	};
	const packages = [await packedPackage(), EMPTY_TRIGGER];
	const n8n = await N8n.start({ release: '2', packages, environment });
	const { sandbox, credential } = await deploy(n8n, 'observed');
	try {
		say(`  ${type}: ${count}`);
		const workflowIds: string[] = [];
		for (let index = 0; index < count; index++) {
			const credentials = { [CREDENTIAL_TYPE]: credential };
			const webhookId = randomUUID();
			const trigger = { name: 'Trigger', type, typeVersion: 2, webhookId, credentials };
			const nothing = { name: 'Nothing', type: 'n8n-nodes-base.noOp' };
			workflowIds.push(await publish(n8n, chain(`Mail ${index}`, [trigger, nothing])));
		}
		for (const id of workflowIds) await untilPublished(n8n, id);
		await n8n.restart();
		return await untilQuiet(file);
	} finally {
		await n8n.stop();
		await sandbox.stop();
	}
}

/** n8n publishes in the background, several at a time. */
async function publish(n8n: N8n, workflow: WorkflowDefinition): Promise<string> {
	const { id, versionId } = await n8n.workflows.create(workflow);
	await n8n.session.call('POST', `/rest/workflows/${id}/activate`, { versionId });
	return id;
}

async function untilPublished(n8n: N8n, id: string): Promise<void> {
	const isPublished = async () => (await n8n.workflows.publication(id)).status === 'published';
	await until(`workflow ${id} is published`, isPublished, 600_000);
}

/** Until n8n used less than a twentieth of a processor for five seconds. */
async function untilQuiet(file: string): Promise<Usage> {
	let before = read(file);
	for (;;) {
		await pause(5000);
		const now = read(file);
		if (now.cpuSeconds - before.cpuSeconds < 0.25) return now;
		before = now;
	}
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Usage;
