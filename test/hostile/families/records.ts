import { around, familiesOf, fill, nest, numbered, record, toFamilies } from '../support/family';
import type { Family, Hostile, Rows } from '../support/family';

const listOf = <Entry>(count: number, entry: (index: number) => Entry): Entry[] =>
	Array.from({ length: count }, (_, index) => entry(index));

const fieldsOf = (size: number) =>
	Object.fromEntries(listOf(size / 18, (index) => [`field_${index}`, 1] as const));

const lists = (size: number) => nest(size, '[', ']');

/** Values of every field of the service's record of an email. */
const VALUES: Rows = [
	['blanks', (size) => `${fill(size / 8, ' ')}x`],
	['brackets', (size) => fill(size / 8, '<')],
	['digits', (size) => fill(size / 8, '2026-11-')],
];

const KEYS = ['messageId', 'references', 'subject', 'date', 'text', 'body', 'contentId', 'id'];

const recorded = (value: string): Hostile[] => [
	{ message: Object.fromEntries(KEYS.map((key) => [key, value])) },
	record({ headersJson: value, attachments: [{ name: value, mimeType: value, contentId: value }] }),
];

const HEADERS: Rows = [
	['no JSON', '[', '{"a":'],
	['within each other', lists, around('{"a":', lists, '}')],
	[
		'thousands',
		around(
			'{',
			numbered((index) => `"x-${index}":"v",`),
			'"x":"v"}',
		),
	],
];

export const RECORD_FAMILIES: Family[] = [
	...familiesOf('record: every field of', VALUES, recorded),
	...familiesOf('record: headers', HEADERS, (headersJson) => [record({ headersJson })]),
	...toFamilies({
		'record: thousands of fields': (size) => [{ message: fieldsOf(size) }],
		'record: fields of one name': (size) => {
			const nameOf = (index: number) => `${'_'.repeat(index % 100)}from${'-'.repeat(index / 100)}`;
			const fields = listOf(size / 200, (index) => [nameOf(index), 'a@b']);
			return [{ message: Object.fromEntries(fields) as Record<string, unknown> }];
		},
		'record: one huge name of a field': (size) => [
			{ message: { [fill(size, '_')]: 1, [`${fill(size, '-')}x`]: 1 } },
		],
		'record: thousands of headers and files': (size) => [
			record({ headers: listOf(size / 20, () => ({ name: 'Received', value: 'x' })) }),
			record({ attachments: listOf(size / 20, (index) => ({ name: `${index}.pdf` })) }),
		],
	}),
];

const answer = (said: unknown): Hostile => ({ answer: JSON.stringify(said) });

const MESSAGES: Rows = [
	['blanks', around('', ' ', 'x'), around('x', ' ')],
	['dots', around('', '.', 'x'), '. '],
	['the key', 'SECRET-OF-THE-KEY', 'SECRET-OF-THE-KE', 'token=', '://a', '&#'],
	['the key, escaped', '%25%25', '%253d', around('token=', '%2525')],
];

const ANSWERS: Rows = [
	['blanks', around('', ' ', 'x')],
	['within itself', lists, '{"error":', (size) => nest(size, '{"data":', '}', '1')],
	['HTML', '<title>', '<'],
];

export const ANSWER_FAMILIES: Family[] = [
	...familiesOf('answer with a message', MESSAGES, (message) => [answer({ message })]),
	...familiesOf('answer', ANSWERS, (text) => [{ answer: text }]),
	...toFamilies({
		'answer: thousands of issues': (size) => [
			answer({ errors: listOf(size / 30, (index) => ({ path: ['a', index], message: 'x ' })) }),
			answer({ errors: listOf(size / 2000, () => ({ message: `${' '.repeat(2000)}x` })) }),
			answer({ issues: [{ path: listOf(size / 4, () => 'a'), message: 'x' }] }),
		],
	}),
];

const delivered = (message: unknown): string =>
	JSON.stringify({ event: 'message.received', data: { rawEmail: '', message } });

const DELIVERED = '{"event":"message.received","data":{"rawEmail":"","message":{"id":';

const DELIVERIES: Rows = [
	['blanks', ' ', around('', ' ', 'x')],
	['within itself', lists, '{"data":', around(DELIVERED, lists, '}}}')],
	['thousands of fields', (size) => delivered(fieldsOf(size))],
	['a huge ID', (size) => delivered({ id: fill(size, '/ ') })],
];

export const DELIVERY_FAMILIES = familiesOf('delivery', DELIVERIES, (delivery) => [{ delivery }]);
