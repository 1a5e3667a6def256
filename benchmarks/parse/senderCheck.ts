import { createPrivateKey } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signedWith } from '../../test/unit/lib/proof/support/signing';
import { composeEmail } from '../composeEmail';
import { freshProcess } from '../freshProcess';
import { compare, inTurn } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import type { ParsingFigures, ParsingTask } from './measureParsing';

const KILOBYTE = 1024;

/** Of RFC 8463, appendix A; its public part is in `parsers.ts`. */
const KEY = createPrivateKey({
	key: Buffer.concat([
		Buffer.from('302e020100300506032b657004220420', 'hex'),
		Buffer.from('nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=', 'base64'),
	]),
	format: 'der',
	type: 'pkcs8',
});

const SIZES = [
	{ label: '4 KB', size: 4 * KILOBYTE, attachments: 0, times: 400 },
	{ label: '180 KB', size: 180 * KILOBYTE, attachments: 1, body: 90 * KILOBYTE, times: 40 },
	{ label: '10 MB, 3 files', size: 10 * KILOBYTE * KILOBYTE, attachments: 3, times: 5 },
];

/** What Sender Check adds to reading an email, without the wait for the DNS. */
export const senderCheck: Benchmark = {
	name: 'sender-check',
	title: 'Reading a signed email with Sender Check, against reading it without',
	async run(bench: Bench) {
		const script = join(__dirname, 'measureParsing.ts');
		const measure = await freshProcess<ParsingTask, ParsingFigures>(script, bench.scratch, [
			'--expose-gc',
		]);
		const comparisons: Comparison[] = [];
		for (const { label, times, ...plan } of SIZES) {
			const file = join(bench.scratch, 'signed.eml');
			const fields = ['From', 'To', 'Subject', 'Date', 'Content-Type'];
			const email = (await composeEmail(plan)).replace(/\r?\n/g, '\r\n');
			await writeFile(file, signedWith(KEY, email, { selector: 'own', fields }));
			const contestant = (parser: 'ours' | 'proved') => async () =>
				await measure({ parser, file, warmUp: file, files: plan.attachments, times });
			const contest = { proved: contestant('proved'), read: contestant('ours') };
			const { proved, read } = await inTurn(contest, bench.quick ? 2 : 9);
			comparisons.push(
				compare({
					what: `time for an email, ${label}`,
					unit: 'ms',
					ours: proved.map(({ time }) => time),
					against: 'without Sender Check',
					theirs: read.map(({ time }) => time),
					goal: { of: 'ratio', atMost: 1.5 },
				}),
			);
		}
		return comparisons;
	},
};
