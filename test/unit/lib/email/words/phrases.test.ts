import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { phrasesFor, type Purpose } from '../../../../../lib/email';

const FOLDER = join(__dirname, '../../../../../lib/email/words');

const read = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as object;

const LANGUAGES = read('languages.json') as Record<string, string>;

const FILES = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json') && file !== 'languages.json')
	.map((file): [purpose: string, phrases: Record<string, string[]>] => [
		file.replace('.json', ''),
		read(file) as Record<string, string[]>,
	]);

test('each language is called by its name, and has a phrase', () => {
	const names = new Intl.DisplayNames(['en'], { type: 'language' });
	const named = Object.keys(LANGUAGES).map((code) => [code, names.of(code)]);
	expect(LANGUAGES).toEqual(Object.fromEntries(named));
	const used = FILES.flatMap(([, phrases]) => Object.keys(phrases));
	expect(Object.keys(LANGUAGES)).toEqual([...new Set(used)].sort());
});

/** Languages in which nobody has shown us the header of an earlier email yet. */
const WITHOUT_HEADER_LABELS = ['eu', 'fil', 'gl', 'hi', 'is', 'lt', 'lv', 'sq', 'sr', 'th'];

test.each(['dateLabels', 'fromLabels', 'toLabels'])(
	'each language with "wrote" has %s, except those without a known header',
	(labels) => {
		const codesOf = (purpose: string) => Object.keys(read(`${purpose}.json`));
		const missing = codesOf('wrote').filter((code) => !codesOf(labels).includes(code));
		expect(missing).toEqual(WITHOUT_HEADER_LABELS);
	},
);

describe.each(FILES)('%s', (purpose, byLanguage) => {
	test('has its languages in order', () => {
		const codes = Object.keys(byLanguage);
		expect(codes).toEqual([...codes].sort());
	});

	test.each(Object.entries(byLanguage))(
		'has the phrases in %s once and in order',
		(_code, phrases) => {
			expect(phrases).toEqual([...new Set(phrases)].sort());
			expect(phrases).toEqual(phrases.map((phrase) => phrase.normalize('NFC').trim()));
			expect(phrases).not.toContain('');
		},
	);

	test('is read in all languages', () => {
		const all = Object.values(byLanguage).flat();
		expect(phrasesFor(purpose as Purpose).sort()).toEqual(all.sort());
	});
});
