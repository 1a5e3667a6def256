import { fill, nest, record, toFamilies, type Hostile } from '../family';

/** A text wherever the service's record of an email may hold one. */
function recorded(value: unknown): Hostile[] {
	const keys = ['messageId', 'references', 'subject', 'date', 'text', 'body', 'contentId', 'id'];
	return [
		{ message: Object.fromEntries(keys.map((key) => [key, value])) },
		record({
			headersJson: value,
			attachments: [{ name: value, mimeType: value, contentId: value }],
		}),
	];
}

const listOf = <Entry>(count: number, entry: (index: number) => Entry): Entry[] =>
	Array.from({ length: count }, (_, index) => entry(index));

const fieldsOf = (size: number) =>
	Object.fromEntries(listOf(size / 12, (index) => [`field_${index}`, 1] as const));

const lists = (size: number) => nest(size, '[', ']');

export const RECORD_FAMILIES = toFamilies({
	'record: blanks in every field': (size) => recorded(`${fill(size / 8, ' ')}x`),
	'record: brackets in every field': (size) => recorded(fill(size / 8, '<')),
	'record: digits in every field': (size) => recorded(fill(size / 8, '2026-11-')),
	'record: thousands of fields': (size) => [{ message: fieldsOf(size) }],
	'record: fields of one name': (size) => [
		{
			message: Object.fromEntries(
				listOf(size / 200, (index) => [
					`${'_'.repeat(index % 100)}from${'-'.repeat(index / 100)}`,
					'a@b',
				]),
			),
		},
	],
	'record: one huge name of a field': (size) => [
		{ message: { [fill(size, '_')]: 1, [`${fill(size, '-')}x`]: 1 } },
	],
	'record: thousands of headers': (size) => [
		record({ headersJson: `{${fill(size, (index) => `"x-${index}":"v",`)}"x":"v"}` }),
		record({ headers: listOf(size / 20, () => ({ name: 'Received', value: 'x' })) }),
	],
	'record: headers that are no JSON': (size) => [
		record({ headersJson: fill(size, '[') }),
		record({ headersJson: fill(size, '{"a":') }),
	],
	'record: headers within each other': (size) => [
		record({ headersJson: lists(size) }),
		record({ headersJson: `{"a":${lists(size)}}` }),
	],
	'record: thousands of files': (size) => [
		record({ attachments: listOf(size / 20, (index) => ({ name: `${index}.pdf` })) }),
	],
});

const answer = (said: unknown): Hostile => ({ answer: JSON.stringify(said) });

const messages = (...texts: string[]) => texts.map((message) => answer({ message }));

export const ANSWER_FAMILIES = toFamilies({
	'answer: blanks': (size) => [
		...messages(`${fill(size, ' ')}x`, `x${fill(size, ' ')}`),
		{ answer: `${fill(size, ' ')}x` },
	],
	'answer: dots': (size) => messages(`${fill(size, '.')}x`, fill(size, '. ')),
	'answer: thousands of issues': (size) => [
		answer({ errors: listOf(size / 30, (index) => ({ path: ['a', index], message: 'x ' })) }),
		answer({ errors: listOf(size / 2000, () => ({ message: `${' '.repeat(2000)}x` })) }),
	],
	'answer: a path without end': (size) => [
		answer({ issues: [{ path: listOf(size / 4, () => 'a'), message: 'x' }] }),
	],
	'answer: within itself': (size) => [
		{ answer: lists(size) },
		{ answer: fill(size, '{"error":') },
		{ answer: nest(size, '{"data":', '}', '1') },
	],
	'answer: HTML': (size) => [{ answer: fill(size, '<title>') }, { answer: fill(size, '<') }],
	'answer: the key again and again': (size) =>
		messages(
			fill(size, 'SECRET-OF-THE-KEY'),
			fill(size, 'SECRET-OF-THE-KE'),
			fill(size, '%25%25'),
			fill(size, 'token='),
			fill(size, '%253d'),
			fill(size, '://a'),
			`token=${fill(size, '%2525')}`,
			fill(size, '&#'),
		),
});

const delivered = (message: unknown): Hostile => ({
	delivery: JSON.stringify({ event: 'message.received', data: { rawEmail: '', message } }),
});

export const DELIVERY_FAMILIES = toFamilies({
	'delivery: blanks': (size) => [
		{ delivery: fill(size, ' ') },
		{ delivery: `${fill(size, ' ')}x${fill(size / 2, ' ')}` },
	],
	'delivery: within itself': (size) => [
		{ delivery: lists(size) },
		{ delivery: fill(size, '{"data":') },
		{
			delivery: `{"event":"message.received","data":{"rawEmail":"","message":{"id":${lists(size)}}}}`,
		},
	],
	'delivery: thousands of fields': (size) => [delivered(fieldsOf(size))],
	'delivery: a huge ID': (size) => [delivered({ id: fill(size, '/ ') })],
});
