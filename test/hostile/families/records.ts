import { fill, type Family, type Hostile } from '../family';

/** A text wherever the service's record of an email may hold one. */
function recorded(value: unknown): Hostile[] {
	const keys = ['messageId', 'references', 'subject', 'date', 'text', 'body', 'contentId', 'id'];
	return [
		{ message: Object.fromEntries(keys.map((key) => [key, value])) },
		{
			message: {
				id: '1',
				headersJson: value,
				attachments: [{ name: value, mimeType: value, contentId: value }],
			},
		},
	];
}

const headersOf = (size: number, entry: (index: number) => string) =>
	`{${fill(size, entry).replace(/,$/, '')}}`;

export const RECORD_FAMILIES: Family[] = [
	{ name: 'record: blanks in every field', make: (size) => recorded(`${fill(size / 8, ' ')}x`) },
	{ name: 'record: brackets in every field', make: (size) => recorded(fill(size / 8, '<')) },
	{ name: 'record: commas in every field', make: (size) => recorded(fill(size / 8, ', ')) },
	{ name: 'record: digits in every field', make: (size) => recorded(fill(size / 8, '2026-11-')) },
	{
		name: 'record: zeros in every field',
		make: (size) => recorded(`2026-11-21T10:00:00.${fill(size / 8, '0')}`),
	},
	{
		name: 'record: thousands of fields',
		make: (size) => [
			{
				message: Object.fromEntries(
					Array.from({ length: size / 12 }, (_, index) => [`field_${index}`, 1]),
				),
			},
		],
	},
	{
		name: 'record: fields of one name',
		make: (size) => [
			{
				message: Object.fromEntries(
					Array.from({ length: size / 200 }, (_, index) => [
						`${'_'.repeat(index % 100)}from${'-'.repeat(index / 100)}`,
						'a@b',
					]),
				),
			},
		],
	},
	{
		name: 'record: one huge name of a field',
		make: (size) => [{ message: { [fill(size, '_')]: 1, [`${fill(size, '-')}x`]: 1 } }],
	},
	{
		name: 'record: thousands of headers',
		make: (size) => [
			{ message: { id: '1', headersJson: headersOf(size, (index) => `"x-${index}":"v",`) } },
			{
				message: {
					id: '1',
					headers: Array.from({ length: size / 20 }, () => ({ name: 'Received', value: 'x' })),
				},
			},
		],
	},
	{
		name: 'record: headers that are no JSON',
		make: (size) => [
			{ message: { id: '1', headersJson: fill(size, '[') } },
			{ message: { id: '1', headersJson: fill(size, '{"a":') } },
		],
	},
	{
		name: 'record: headers within each other',
		make: (size) => [
			{ message: { id: '1', headersJson: `${fill(size / 2, '[')}${fill(size / 2, ']')}` } },
			{ message: { id: '1', headersJson: `{"a":${fill(size / 2, '[')}${fill(size / 2, ']')}}` } },
		],
	},
	{
		name: 'record: headers of encoded words',
		make: (size) => [
			{ message: { id: '1', headers: { subject: fill(size, '=?utf-8?B?YWFh?= ') } } },
		],
	},
	{
		name: 'record: thousands of files',
		make: (size) => [
			{
				message: {
					id: '1',
					attachments: Array.from({ length: size / 20 }, (_, index) => ({ name: `${index}.pdf` })),
				},
			},
		],
	},
	{
		name: 'record: HTML in the body',
		make: (size) => [{ message: { id: '1', body: { html: `<a ${fill(size, 'href=')}` } } }],
	},
];

const answer = (said: unknown): Hostile => ({ answer: JSON.stringify(said) });

export const ANSWER_FAMILIES: Family[] = [
	{
		name: 'answer: blanks',
		make: (size) => [
			answer({ message: `${fill(size, ' ')}x` }),
			answer({ error: `${fill(size, ' ')}x` }),
			{ answer: `${fill(size, ' ')}x` },
		],
	},
	{
		name: 'answer: dots',
		make: (size) => [
			answer({ message: `${fill(size, '.')}x` }),
			answer({ message: fill(size, '. ') }),
			answer({ message: `x${fill(size, ' ')}` }),
		],
	},
	{
		name: 'answer: thousands of issues',
		make: (size) => [
			answer({
				errors: Array.from({ length: size / 30 }, (_, index) => ({
					path: ['a', index],
					message: 'x ',
				})),
			}),
			answer({
				errors: Array.from({ length: size / 2000 }, () => ({ message: `${' '.repeat(2000)}x` })),
			}),
		],
	},
	{
		name: 'answer: a path without end',
		make: (size) => [
			answer({ issues: [{ path: Array.from({ length: size / 4 }, () => 'a'), message: 'x' }] }),
		],
	},
	{
		name: 'answer: within itself',
		make: (size) => [
			{ answer: fill(size / 2, '[') + fill(size / 2, ']') },
			{ answer: fill(size, '{"error":') },
			{ answer: `${fill(size / 2, '{"data":')}1${fill(size / 8, '}')}` },
		],
	},
	{
		name: 'answer: HTML',
		make: (size) => [{ answer: fill(size, '<title>') }, { answer: fill(size, '<') }],
	},
	{
		name: 'answer: the key again and again',
		make: (size) => [
			answer({ message: fill(size, 'SECRET-OF-THE-KEY') }),
			answer({ message: fill(size, 'SECRET-OF-THE-KE') }),
			answer({ message: fill(size, '%25%25') }),
			answer({ message: fill(size, 'token=') }),
			answer({ message: fill(size, '%253d') }),
			answer({ message: fill(size, '://a') }),
			answer({ message: `token=${fill(size, '%2525')}` }),
			answer({ message: fill(size, '&#') }),
		],
	},
];

export const DELIVERY_FAMILIES: Family[] = [
	{
		name: 'delivery: blanks',
		make: (size) => [
			{ delivery: fill(size, ' ') },
			{ delivery: `${fill(size, ' ')}x${fill(size / 2, ' ')}` },
		],
	},
	{
		name: 'delivery: within itself',
		make: (size) => [
			{ delivery: fill(size / 2, '[') + fill(size / 2, ']') },
			{ delivery: fill(size, '{"data":') },
			{
				delivery: `{"event":"message.received","data":{"rawEmail":"","message":{"id":${fill(size / 2, '[')}${fill(size / 2, ']')}}}}`,
			},
		],
	},
	{
		name: 'delivery: thousands of fields',
		make: (size) => [
			{
				delivery: JSON.stringify({
					event: 'message.received',
					data: {
						rawEmail: '',
						message: Object.fromEntries(
							Array.from({ length: size / 12 }, (_, index) => [`field_${index}`, 1]),
						),
					},
				}),
			},
		],
	},
	{
		name: 'delivery: a huge ID',
		make: (size) => [
			{
				delivery: JSON.stringify({
					event: 'message.received',
					data: { rawEmail: '', message: { id: fill(size, '/ ') } },
				}),
			},
		],
	},
];
