import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox';
import { TestDns } from '../../test/dns';
import { composeMail, createSigner, type Signer } from '../../test/dns/signedMails';
import { N8n } from '../../test/e2e/driver';
import { deliveryBodiesOf } from '../deliver/bodies';
import { deliveryContest } from '../deliver/contest';
import { activateOurs, storeCredential } from '../deliver/receivers';
import { composeEmail, type EmailPlan } from '../emails/composeEmail';
import { compare } from '../measure/compare';
import { freshProcess } from '../measure/freshProcess';
import { quantile } from '../measure/statistics';
import { benchPackages } from '../n8n/packages';
import type { Bench, Benchmark, Comparison } from '../types';
import type { CheckingFigures, CheckingTask } from './measureChecking';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

const SMALL: EmailPlan = { size: 4 * KILOBYTE, attachments: 0 };
const LARGE: EmailPlan = { size: 10 * MEGABYTE, attachments: 3 };

const NEARLY_AS_FAST = 0.9;
const LONGEST_BLOCK_MS = 100;

/** The domain that the emails of the benchmarks are from. */
const DOMAIN = 'example.com';

/** Seconds for which the DNS may be remembered: longer than the benchmark takes. */
const REMEMBERED = 3600;

/** A signature of nobody's, of which the key would be asked for again and again. */
const SIGNATURE_OF_NOBODY = /^DKIM-Signature:[^]*?\r\n(?![ \t])/m;

/** What Only Authenticated Senders costs where it is switched on; switched off, its code is not even loaded. */
export const authentication: Benchmark = {
	name: 'check-sender',
	title: 'Only Authenticated Senders, against the same trigger without it; the DNS is known',
	async run(bench: Bench) {
		const signer = createSigner(DOMAIN);
		return {
			comparisons: [
				...(await measureDeliveries(bench, signer)),
				...(await measureBlocks(bench, signer)),
			],
		};
	},
};

const signed = async (plan: EmailPlan, signer: Signer) => {
	const raw = composeEmail(plan).replace(SIGNATURE_OF_NOBODY, '');
	return await composeMail(
		{ raw, envelope: { from: `ada@${DOMAIN}`, to: 'sales@example.test' } },
		signer,
	);
};

async function measureDeliveries(bench: Bench, signer: Signer): Promise<Comparison[]> {
	const { key } = signer;
	const dns = await TestDns.start({
		[DOMAIN]: [
			[key.name, 'TXT', key.text, REMEMBERED],
			['_dmarc', 'TXT', 'v=DMARC1; p=reject', REMEMBERED],
		],
	});
	const sandbox = await startSandbox({ dialect: 'observed' });
	const packages = await benchPackages(bench.scratch);
	const n8n = await N8n.start({ release: '2', packages });
	try {
		const credentials = await storeCredential(n8n, sandbox);
		const checking = {
			filters: { onlyAuthenticated: true },
			options: { dnsResolver: dns.address },
		};
		const receivers = {
			with: await activateOurs(n8n, sandbox, credentials, checking),
			without: await activateOurs(n8n, sandbox, credentials),
		};
		const bodies = deliveryBodiesOf(await signed(SMALL, signer), SMALL);
		const load = {
			count: bench.quick ? 40 : 60,
			connections: 10,
			rounds: bench.quick ? 3 : 24,
			warmUp: bench.quick ? 40 : 600,
		};
		const results = await deliveryContest({ n8n, receivers }, bodies, load);
		return [
			compare({
				what: 'accepted, emails of 4 KB, 10 connections',
				unit: '/s',
				ours: results.with.map(({ perSecond }) => perSecond),
				against: 'without the filter',
				theirs: results.without.map(({ perSecond }) => perSecond),
				goal: { of: 'ratio', atLeast: NEARLY_AS_FAST },
			}),
			compare({
				what: 'processor time a delivery',
				unit: 'ms',
				ours: results.with.map(({ processor }) => processor ?? NaN),
				against: 'without the filter',
				theirs: results.without.map(({ processor }) => processor ?? NaN),
			}),
		];
	} finally {
		await n8n.stop();
		await sandbox.stop();
		await dns.stop();
	}
}

async function measureBlocks(bench: Bench, signer: Signer): Promise<Comparison[]> {
	const script = join(__dirname, 'measureChecking.ts');
	const measuring = await freshProcess<CheckingTask, CheckingFigures>(script, bench.scratch);
	const file = join(bench.scratch, 'signed.eml');
	const warmUp = join(bench.scratch, 'small-signed.eml');
	await writeFile(file, await signed(LARGE, signer));
	await writeFile(warmUp, await signed(SMALL, signer));
	const figures: CheckingFigures[] = [];
	for (let round = 0; round < (bench.quick ? 2 : 9); round++) {
		figures.push(await measuring.run({ file, warmUp, zones: signer.zones }));
	}
	const all = (read: (one: CheckingFigures) => number, part: number) =>
		quantile(figures.map(read), part);
	return [
		{
			what: 'longest block of the event loop in any round, 10 MB with 3 attachments',
			unit: 'ms',
			ours: all(({ longestBlock }) => longestBlock, 1),
			goal: { of: 'ours', atMost: LONGEST_BLOCK_MS },
		},
		{ what: 'time for it', unit: 'ms', ours: all(({ time }) => time, 0.5) },
	];
}
