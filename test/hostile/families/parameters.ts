import { email, emailOf, fill, type Family, type Hostile } from '../family';

/** Parameters of the content type and of the disposition, for the whole email and for a part of it. */
function parameters(value: string): Hostile[] {
	const part = [
		'--part',
		`Content-Type: application/pdf; ${value}`,
		`Content-Disposition: attachment; ${value}`,
		'',
		'Hello',
		'--part--',
		'',
	].join('\r\n');
	return [
		{ rawEmail: email([`Content-Type: text/plain; ${value}`], 'Hello') },
		{ rawEmail: email([`Content-Type: multipart/mixed; ${value}`], 'Hello') },
		{ rawEmail: email([`Content-Disposition: attachment; ${value}`], 'Hello') },
		{ rawEmail: emailOf('multipart/mixed; boundary=part', part) },
	];
}

const PIECES: Array<[name: string, value: string | ((size: number) => string)]> = [
	['thousands', (size) => fill(size, (index) => `p${index}=v; `)],
	['of one name', 'name=v; '],
	['semicolons', ';'],
	['semicolons and blanks', '; '],
	['names without value', 'flag; '],
	['equals', '='],
	['quotes', '"'],
	['a quote that never ends', (size) => `name="${fill(size, 'x')}`],
	['backslashes', (size) => `name="${fill(size, '\\\\')}`],
	['comments', '(c)'],
	['comments within each other', '('],
	['blanks', (size) => `name=a${fill(size, ' ')}b`],
	['continuations', (size) => fill(size, (index) => `filename*${index}=a; `)],
	['encoded continuations', (size) => fill(size, (index) => `filename*${index}*=%41; `)],
	['continuations backwards', (size) => fill(size, (index) => `filename*${size - index}*=a; `)],
	['percent signs', (size) => `filename*=utf-8''${fill(size, '%')}`],
	['encoded characters', (size) => `filename*=utf-8''${fill(size, '%C3%A4')}`],
	['apostrophes', (size) => `filename*0*=${fill(size, "'")}`],
	['stars', (size) => `${fill(size, '*')}=x`],
	['huge number', (size) => `filename*${fill(size, '9')}=x`],
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

const MOST_NAMES = 1800;

/** As many files as an email may have, each with a name of this kind. */
function named(size: number, piece: string): Hostile[] {
	const each = Math.max(10, Math.floor(size / MOST_NAMES) - 60);
	const name = `a${fill(each, piece).slice(0, each)}b`;
	const count = Math.min(MOST_NAMES, Math.ceil(size / (each + 60)));
	const part = `--part\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nx\r\n`;
	return [
		{ rawEmail: emailOf('multipart/mixed; boundary=part', `${part.repeat(count)}--part--\r\n`) },
		{ rawEmail: email([`Content-Disposition: attachment; filename="${fill(size, piece)}"`], 'x') },
		{ message: { id: '1', attachments: Array.from({ length: count }, () => ({ name })) } },
	];
}

export const PARAMETER_FAMILIES: Family[] = [
	...PIECES.map(([name, value]) => ({
		name: `parameters: ${name}`,
		make: (size: number) => parameters(typeof value === 'string' ? fill(size, value) : value(size)),
	})),
	...NAMES.map(([name, piece]) => ({
		name: `file names: ${name}`,
		make: (size: number) => named(size, piece),
	})),
	{
		name: 'file names: all the same',
		make: (size) => [
			{
				message: {
					id: '1',
					attachments: Array.from({ length: size / 15 }, () => ({ name: 'a.pdf' })),
				},
			},
			{
				message: {
					id: '1',
					attachments: Array.from({ length: size / 15 }, (_, index) => ({
						name: index % 2 ? 'a.pdf' : `a (${index}).pdf`,
					})),
				},
			},
		],
	},
];
