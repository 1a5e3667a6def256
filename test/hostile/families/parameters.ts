import {
	around,
	email,
	emailOf,
	emailOfParts,
	familiesOf,
	fill,
	numbered,
	record,
} from '../support/family';
import type { Family, Hostile, Rows } from '../support/family';

/** Parameters of the content type and of the disposition, for the whole email and for a part of it. */
function parameters(value: string): Hostile[] {
	return [
		{ rawEmail: email([`Content-Type: text/plain; ${value}`], 'Hello') },
		{ rawEmail: email([`Content-Type: multipart/mixed; ${value}`], 'Hello') },
		{ rawEmail: email([`Content-Disposition: attachment; ${value}`], 'Hello') },
		{
			rawEmail: emailOfParts('multipart/mixed', [
				`Content-Type: application/pdf; ${value}`,
				`Content-Disposition: attachment; ${value}`,
				'',
				'Hello',
			]),
		},
	];
}

const PIECES: Rows = [
	['thousands', numbered((index) => `p${index}=v; `)],
	['of one name', 'name=v; '],
	['semicolons', ';'],
	['a quote that never ends', around('name="', 'x')],
	['backslashes', around('name="', '\\\\')],
	['comments within each other', '('],
	['blanks', around('name=a', ' ', 'b')],
	['continuations', numbered((index) => `filename*${index}=a; `)],
	['continuations backwards', (size) => fill(size, (index) => `filename*${size - index}*=a; `)],
	['percent signs', (size) => `filename*=utf-8''${fill(size, '%')}`],
	['encoded characters', (size) => `filename*=utf-8''${fill(size, '%C3%A4')}`],
	['stars', around('', '*', '=x')],
	['huge number', around('filename*', '9', '=x')],
	['prototypes', '__proto__=x; constructor=y; '],
];

const NAMES: Array<[name: string, value: string]> = [
	['blanks', ' '],
	['dots', '.'],
	['dots and blanks', '. '],
	['slashes', '/'],
	['slashes and dots', '../'],
	['invisible characters', '\u200b'],
	['combining marks', 'a\u0300\u0316'],
	['surrogates', '\ud83d\ude00'],
];

const MAX_NAMES = 1800;

/** As many files as an email may have, each with a name of this kind. */
function named(size: number, piece: string): Hostile[] {
	const each = Math.max(10, Math.floor(size / MAX_NAMES) - 60);
	const name = `a${fill(each, piece).slice(0, each)}b`;
	const count = Math.min(MAX_NAMES, Math.ceil(size / (each + 60)));
	const part = `--part\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nx\r\n`;
	return [
		{ rawEmail: emailOf('multipart/mixed; boundary=part', `${part.repeat(count)}--part--\r\n`) },
		{ rawEmail: email([`Content-Disposition: attachment; filename="${fill(size, piece)}"`], 'x') },
		record({ attachments: Array.from({ length: count }, () => ({ name })) }),
	];
}

export const PARAMETER_FAMILIES: Family[] = [
	...familiesOf('parameters', PIECES, parameters),
	...NAMES.map(([name, piece]) => ({
		name: `file names: ${name}`,
		make: (size: number) => named(size, piece),
	})),
	{
		name: 'file names: all the same',
		make: (size) => [
			record({ attachments: Array.from({ length: size / 15 }, () => ({ name: 'a.pdf' })) }),
			record({
				attachments: Array.from({ length: size / 15 }, (_, index) => ({
					name: index % 2 ? 'a.pdf' : `a (${index}).pdf`,
				})),
			}),
		],
	},
];
