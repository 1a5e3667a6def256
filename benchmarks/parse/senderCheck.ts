import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signedWith } from '../../test/unit/lib/proof/support/signing';
import { composeEmail } from '../composeEmail';
import { freshProcess } from '../freshProcess';
import { compare, inTurn } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import type { ParsingFigures, ParsingTask } from './measureParsing';

const KILOBYTE = 1024;

/** As most emails are signed. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const SIZES = [
	{ label: '4 KB', size: 4 * KILOBYTE, attachments: 0, times: 400, atMost: 2 },
	{
		label: '180 KB',
		size: 180 * KILOBYTE,
		attachments: 1,
		body: 90 * KILOBYTE,
		times: 40,
		atMost: 1.7,
	},
	{
		label: '10 MB, 3 files',
		size: 10 * KILOBYTE * KILOBYTE,
		attachments: 3,
		times: 5,
		atMost: 2.5,
	},
];

/** What Sender Check adds to reading an email, without the wait for the DNS. */
export const senderCheck: Benchmark = {
	name: 'sender-check',
	title: 'Reading a signed email with Sender Check, against reading it without',
	async run(bench: Bench) {
		const script = join(__dirname, 'measureParsing.ts');
		const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
		const flags = ['--expose-gc'];
		const measure = await freshProcess<ParsingTask, ParsingFigures>(script, bench.scratch, flags, {
			DKIM_KEY: `v=DKIM1; k=rsa; p=${key}`,
		});
		const comparisons: Comparison[] = [];
		for (const { label, times, atMost, ...plan } of SIZES) {
			const file = join(bench.scratch, 'signed.eml');
			const fields = ['From', 'To', 'Subject', 'Date', 'Content-Type'];
			const email = (await composeEmail(plan)).replace(/\r?\n/g, '\r\n');
			await writeFile(file, signedWith(privateKey, email, { selector: 'own', fields }));
			const contestant = (parser: 'ours' | 'proved') => async () =>
				await measure({ parser, emails: [file], warmUp: file, files: plan.attachments, times });
			const contest = { proved: contestant('proved'), read: contestant('ours') };
			const { proved, read } = await inTurn(contest, bench.quick ? 2 : 9);
			comparisons.push(
				compare({
					what: `time for an email, ${label}`,
					unit: 'ms',
					ours: proved.map(({ time }) => time),
					against: 'without Sender Check',
					theirs: read.map(({ time }) => time),
					goal: { of: 'ratio', atMost },
				}),
			);
		}
		return comparisons;
	},
};
