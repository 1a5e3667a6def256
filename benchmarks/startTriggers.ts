import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../scripts/setup/progress.mjs';
import { CREDENTIAL_TYPE, deploy } from '../test/e2e/support/deployment';
import { chain, N8n, until, type CredentialReference } from '../test/support/n8n';
import { compare } from './measure';
import type { Bench, Benchmark, Comparison } from './types';

interface Usage {
	cpuSeconds: number;
	/** The most memory so far, in KB. */
	maxRSS: number;
}

/** n8n calls each trigger at its start, and each looks for its own webhook among all of them. */
export const startTriggers: Benchmark = {
	name: 'start-triggers',
	title:
		'Start of a real n8n with published triggers of one credential, until it is quiet; lazy expression engine',
	async run(bench: Bench) {
		const file = join(bench.scratch, 'usage.json');
		const environment = {
			BENCHMARK_METER: file,
			// By default, n8n also prepares a sandbox for expressions for each trigger: 4 MB and 0.15 s.
			N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
			NODE_OPTIONS: `--require ${join(__dirname, 'fixtures/meter.cjs')}`,
		};
		const n8n = await N8n.start({ release: '2', environment });
		const { sandbox, credential } = await deploy(n8n, 'observed');
		try {
			const used: Array<Usage & { count: number }> = [];
			for (const count of bench.quick ? [1, 20] : [1, 100, 500]) {
				say(`  ${count} triggers`);
				for (let number = used.at(-1)?.count ?? 0; number < count; number++)
					await publish(n8n, credential, number);
				await until('all are published', () => sandbox.webhooks().length === count, 600_000);
				await n8n.restart();
				used.push({ count, ...(await untilQuiet(file)) });
			}
			return used.flatMap(({ count, cpuSeconds, maxRSS }): Comparison[] => [
				{
					what: `processor time, triggers: ${count}`,
					unit: 's',
					ours: cpuSeconds,
					goal: { of: 'ours', atMost: 15 },
				},
				compare({
					what: `most memory, triggers: ${count}`,
					unit: 'MB',
					ours: [maxRSS / 1024],
					against: 'one trigger',
					theirs: [used[0]!.maxRSS / 1024],
					goal: { of: 'ratio', atMost: 1.25 },
				}),
			]);
		} finally {
			await n8n.stop();
			await sandbox.stop();
		}
	},
};

async function publish(n8n: N8n, credential: CredentialReference, number: number): Promise<void> {
	const trigger = {
		name: 'Trigger',
		type: 'n8n-nodes-email-identity.emailIdentityTrigger',
		typeVersion: 2,
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	const nothing = { name: 'Nothing', type: 'n8n-nodes-base.noOp' };
	const workflow = chain(`Mail ${number}`, [trigger, nothing]);
	const { id, versionId } = await n8n.workflows.create(workflow);
	// n8n publishes in the background.
	await n8n.session.call('POST', `/rest/workflows/${id}/activate`, { versionId });
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
