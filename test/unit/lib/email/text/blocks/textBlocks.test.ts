import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';

import { isApart, quotationDepth } from '../../../../../../lib/email/text/blocks/blocks';
import { writeMarkdown } from '../../../../../../lib/email/text/write/markdown';
import { writePlain } from '../../../../../../lib/email/text/blocks/plainText';
import { textBlocks } from '../../../../../../lib/email/text/blocks/textBlocks';
import { newPace } from '../../../../../support/reading';
import '../../../../../support/propertySeed';

const blocksOf = async (text: string) => (await textBlocks(text, 1000, newPace())) ?? [];

const LINE = fc.oneof(
	fc.constantFrom(
		'',
		' ',
		'\t',
		'Yes.',
		'  two  blanks ',
		'>',
		'> ',
		'> > a',
		' >b',
		'>>>\tc',
		'- d',
	),
	fc.string(),
);

test('the blocks of a plain text give the same text, without empty lines at its ends', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(LINE), async (lines) => {
			const text = lines.join('\n');
			const inner = text.split('\n');
			while (inner[0]?.trim() === '') inner.shift();
			while (inner.at(-1)?.trim() === '') inner.pop();
			expect(writePlain(await blocksOf(text))).toBe(inner.join('\n'));
		}),
		{ numRuns: 300 },
	);
});

test('marks of quoting are no words, and empty lines are no blocks unless they are quoted', async () => {
	const blocks = await blocksOf('Yes.\n\n> > a\n>\n>b\nc');
	const read = blocks.map((block) => [
		quotationDepth(block),
		isApart(block),
		block.runs.map(({ text }) => text).join(),
	]);
	expect(read).toEqual([
		[0, false, 'Yes.'],
		[2, true, 'a'],
		[1, false, ''],
		[1, false, 'b'],
		[0, false, 'c'],
	]);
});

test.each(['>From here on', 'Ada <ada@example.com\n> wrote:'])(
	'a line with a mark that no one quoted with is no quotation: %j',
	async (text) => {
		const blocks = await blocksOf(text);
		expect(blocks.map(quotationDepth)).not.toContain(1);
		const markdown = new MarkdownIt().render(await writeMarkdown(blocks, newPace()));
		expect(markdown).not.toContain('<blockquote>');
	},
);

test('a text of more lines than are kept has no blocks', async () => {
	expect(await textBlocks('a\nb\nc', 3, newPace())).toHaveLength(3);
	expect(await textBlocks('a\nb\nc', 2, newPace())).toBeUndefined();
});
