import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { differences, readWithMailparser, readWithOurs } from './comparison';
import { corpusFiles, readCorpus } from './corpus';

/** Where our reading differs from mailparser's on purpose: `file: fields: reason`. */
const known = readFileSync(join(__dirname, 'knownDifferences.txt'), 'utf8')
	.trim()
	.split('\n')
	.map((line) => line.split(': '))
	.map(([file = '', fields = '']) => ({ file, fields: fields.split(' ') }));

const knownFields = (name: string) =>
	known.filter(({ file }) => file === name).flatMap(({ fields }) => fields);

test('every known difference belongs to a file of the corpus', () => {
	expect(known.map(({ file }) => file).filter((name) => !corpusFiles.includes(name))).toEqual([]);
});

test.each(corpusFiles)(
	'%s is read as an independent parser reads it, except where the difference is known',
	async (name) => {
		const rawEmail = readCorpus(name);
		const found = differences(await readWithOurs(rawEmail), await readWithMailparser(rawEmail));
		const expected = knownFields(name).sort();
		const fields = Object.keys(found).sort();
		if (fields.join() !== expected.join()) expect({ fields, found }).toEqual({ fields: expected });
	},
);
