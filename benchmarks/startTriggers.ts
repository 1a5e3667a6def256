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
	title:
		'Start of a real n8n with published triggers of one credential, until it is quiet; lazy expression engine',
	async run(bench: Bench) {
		const counts = bench.quick ? [1, 20] : [1, 100, 500];
		const ours = await starts(bench, 'n8n-nodes-email-identity.emailIdentityTrigger', counts);
		const theirs = await starts(bench, 'n8n-nodes-empty-trigger.emptyTriggerInMemory', counts);
		const against = 'empty trigger';
		return counts.flatMap((count, index): Comparison[] => [
			compare({
				what: `processor time, triggers: ${count}`,
				unit: 's',
				ours: [ours[index]!.cpuSeconds],
				against,
				theirs: [theirs[index]!.cpuSeconds],
				goal: { of: 'ours', atMost: 15 },
			}),
			compare({
				what: `most memory, triggers: ${count}`,
				unit: 'MB',
				ours: [ours[index]!.maxRSS / 1024],
				against,
				theirs: [theirs[index]!.maxRSS / 1024],
				goal: { of: 'ratio', atMost: 1.1 },
			}),
		]);
	},
};

/** @returns what a start used with each number of triggers */
async function starts(bench: Bench, type: string, counts: number[]): Promise<Usage[]> {
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
		const used: Usage[] = [];
		const workflowIds: string[] = [];
		for (const count of counts) {
			say(`  ${type}: ${count}`);
			while (workflowIds.length < count) {
				const credentials = { [CREDENTIAL_TYPE]: credential };
				const webhookId = randomUUID();
				const trigger = { name: 'Trigger', type, typeVersion: 2, webhookId, credentials };
				const nothing = { name: 'Nothing', type: 'n8n-nodes-base.noOp' };
				const workflow = chain(`Mail ${workflowIds.length}`, [trigger, nothing]);
				workflowIds.push(await publish(n8n, workflow));
			}
			for (const id of workflowIds) await untilPublished(n8n, id);
			await n8n.restart();
			used.push(await untilQuiet(file));
		}
		return used;
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
