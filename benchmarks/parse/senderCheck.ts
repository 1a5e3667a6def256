import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signedWith } from '../../test/unit/lib/proof/support/signing';
import { composeEmail, type EmailPlan } from '../composeEmail';
import { freshProcess } from '../freshProcess';
import { compare, inTurn } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import type { ParserName, ParsingFigures, ParsingTask } from './measureParsing';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

const ROUNDS = 9;
const QUICK_ROUNDS = 2;

/** Most emails are signed like this. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SIGNED_FIELDS = ['From', 'To', 'Subject', 'Date', 'Content-Type'];

interface Kind {
	label: string;
	plan: EmailPlan;
	/** How often it is read in one process before it is measured, and then again. */
	times: number;
	/** How many times as long reading may take with Sender Check. */
	goal: number;
}

const KINDS: Kind[] = [
	{
		label: '4 KB',
		plan: { size: 4 * KILOBYTE, attachments: 0 },
		times: 1000,
		goal: 2,
	},
	{
		label: '180 KB, 1 file',
		plan: { size: 180 * KILOBYTE, attachments: 1, body: 90 * KILOBYTE },
		times: 150,
		goal: 1.7,
	},
	{
		label: '10 MB, 3 files',
		plan: { size: 10 * MEGABYTE, attachments: 3 },
		times: 8,
		goal: 2.5,
	},
];

type Measure = (task: ParsingTask) => Promise<ParsingFigures>;

/** What Sender Check adds to reading an email, without the wait for the DNS. */
export const senderCheck: Benchmark = {
	name: 'sender-check',
	title: 'How long reading a signed email takes with Sender Check, once the DNS has answered',
	async run(bench: Bench) {
		const script = join(__dirname, 'measureParsing.ts');
		const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
		const environment = { DKIM_KEY: `v=DKIM1; k=rsa; p=${key}` };
		const flags = ['--expose-gc'];
		const measure: Measure = await freshProcess(script, bench.scratch, flags, environment);
		const comparisons: Comparison[] = [];
		for (const kind of KINDS) comparisons.push(await measureKind(kind, measure, bench));
		return comparisons;
	},
};

async function measureKind(kind: Kind, measure: Measure, bench: Bench): Promise<Comparison> {
	const { label, plan, times, goal } = kind;
	const file = join(bench.scratch, 'signed.eml');
	const email = (await composeEmail(plan)).replace(/\r?\n/g, '\r\n');
	await writeFile(file, signedWith(privateKey, email, { selector: 'own', fields: SIGNED_FIELDS }));
	const task = { emails: [file], warmUp: file, files: plan.attachments, times };
	const contestant = (parser: ParserName) => async () => await measure({ ...task, parser });
	const contest = { ours: contestant('proved'), theirs: contestant('ours') };
	const { ours, theirs } = await inTurn(contest, bench.quick ? QUICK_ROUNDS : ROUNDS);
	return compare({
		what: label,
		unit: 'ms',
		ours: ours.map(({ time }) => time),
		against: 'without Sender Check',
		theirs: theirs.map(({ time }) => time),
		goal: { of: 'ratio', atMost: goal },
	});
}
