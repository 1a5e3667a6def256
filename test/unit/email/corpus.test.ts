import { readEmail } from '../../reading';
import { differences, readWithMailparser, readWithOurs } from './comparison';
import { corpusComments, corpusFiles, readCorpus } from './corpus';
import { knownDifferences } from './knownDifferences';

const options = { attachments: true, headers: false, binaryPrefix: 'attachment_' };

test('the corpus has at least 60 emails, each with a comment that says what it is for', () => {
	expect(corpusFiles.length).toBeGreaterThanOrEqual(60);
	expect(Object.keys(corpusComments).sort()).toEqual(corpusFiles);
	expect(Object.values(corpusComments).every((comment) => comment.length > 10)).toBe(true);
});

test('every known difference belongs to a file of the corpus', () => {
	expect(Object.keys(knownDifferences).filter((name) => !corpusFiles.includes(name))).toEqual([]);
});

describe.each(corpusFiles)('%s', (name) => {
	const rawEmail = readCorpus(name);

	test('is read as an independent parser reads it, except where the difference is known', async () => {
		const found = differences(await readWithOurs(rawEmail), await readWithMailparser(rawEmail));
		const expected = Object.keys(knownDifferences[name] ?? {}).sort();
		const fields = Object.keys(found).sort();
		if (fields.join() !== expected.join()) expect({ fields, found }).toEqual({ fields: expected });
	});

	test('names its files safely and uniquely', async () => {
		const { email, files } = await readEmail(rawEmail, undefined, options);
		const names = email.attachments.map(({ fileName }) => fileName.toLowerCase());
		expect(new Set(names).size).toBe(names.length);
		for (const fileName of names)
			expect(fileName).toMatch(/^[^./\\\p{Cc}][^/\\\p{Cc}\p{Cf}]{0,250}$/u);
		expect(files.map(({ binaryProperty }) => binaryProperty)).toEqual(
			names.map((_, index) => `attachment_${index}`),
		);
	});
});
