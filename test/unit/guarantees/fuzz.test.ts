import { openEmail } from '../../support/reading';
import { corpusFiles, readCorpus } from './support/corpus';
import { mutate } from './support/mutation';

// `FUZZ_EMAILS=2000 FUZZ_SEED=7` reads that many, other ones.
const count = Number(process.env.FUZZ_EMAILS ?? 150);
const firstSeed = Number(process.env.FUZZ_SEED ?? 1);

const options = { attachments: true, headers: true, binaryPrefix: 'attachment_' };
const emails = corpusFiles.map(readCorpus);

/** What a seed's email broke, or undefined. */
async function whatBreaks(seed: number): Promise<string | undefined> {
	const rawEmail = mutate(emails, seed);
	const opened = await openEmail(rawEmail, () => ({ subject: 'known' }));
	const { email, files } = await opened.read(options);
	const { attachments, date, parsed = true, warning } = email;
	if (!parsed && warning === undefined) return 'does not say why it is not parsed';
	if (parsed && attachments.length !== files.length) return 'loses a file';
	if (files.some(({ content }, index) => content.length !== attachments[index]?.size))
		return 'has a wrong size';
	if (new Set(attachments.map(({ fileName }) => fileName)).size !== attachments.length)
		return 'repeats a name';
	if (date !== null && Number.isNaN(Date.parse(date))) return 'gives a date that is none';
	if (warning?.includes('fault')) return 'is taken for a fault of the node';
	const listed = (await opened.listFiles()) ?? [];
	const names = (files: ReadonlyArray<{ fileName: string }>) =>
		files.map(({ fileName }) => fileName).join();
	if (parsed && names(listed) !== names(attachments)) return 'misleads filters';
	return undefined;
}

test(
	`${count} spoiled emails do not break the reading`,
	async () => {
		const broken: Record<number, string> = {};
		for (let seed = firstSeed; seed < firstSeed + count; seed++) {
			const problem = await whatBreaks(seed).catch((error: unknown) => `throws ${String(error)}`);
			if (problem !== undefined) broken[seed] = problem;
		}
		expect(broken).toEqual({});
	},
	60_000 + count * 100,
);
