import { readStructured } from '../../../nodes/EmailIdentity/email/contentHeader';

const read = (header: string) => {
	const { value, parameters } = readStructured(header);
	return { value, ...Object.fromEntries(parameters) };
};

test.each([
	['text/plain; charset=utf-8', { value: 'text/plain', charset: 'utf-8' }],
	['Text/PLAIN; Charset="UTF-8"', { value: 'text/plain', charset: 'UTF-8' }],
	['attachment', { value: 'attachment' }],
	['attachment; ; filename=a.pdf;', { value: 'attachment', filename: 'a.pdf' }],
	['attachment; quiet; filename=a.pdf', { value: 'attachment', quiet: '', filename: 'a.pdf' }],
	['attachment; filename=a.pdf; filename=b.pdf', { value: 'attachment', filename: 'a.pdf' }],
	[
		'attachment; filename= My  File.pdf ; x=1',
		{ value: 'attachment', filename: 'My  File.pdf', x: '1' },
	],
	['attachment; filename="a;b=c.pdf"; x=1', { value: 'attachment', filename: 'a;b=c.pdf', x: '1' }],
	['attachment; filename="say \\"hi\\".txt"', { value: 'attachment', filename: 'say "hi".txt' }],
	[
		'attachment; filename="C:\\Users\\me\\doc.pdf"',
		{ value: 'attachment', filename: 'C:\\Users\\me\\doc.pdf' },
	],
	['attachment; filename=a=b.pdf', { value: 'attachment', filename: 'a=b.pdf' }],
])('%s', (header, expected) => {
	expect(read(header)).toEqual(expected);
});

describe('what is a comment, and what only looks like one (RFC 5322, 3.2.2)', () => {
	test.each([
		['text/plain (a note); charset=x', { value: 'text/plain', charset: 'x' }],
		['text/plain (a (nested) note); charset=x', { value: 'text/plain', charset: 'x' }],
		['text/plain (not the \\) end); charset=x', { value: 'text/plain', charset: 'x' }],
		['text/plain (it"s not quoted); charset=x', { value: 'text/plain', charset: 'x' }],
		['text/plain (no; parameter=here); charset=x', { value: 'text/plain', charset: 'x' }],
		[
			'text/plain; charset=x; (a note) format=flowed',
			{ value: 'text/plain', charset: 'x', format: 'flowed' },
		],
		[
			'text/plain; charset=x (a note); format=flowed',
			{ value: 'text/plain', charset: 'x', format: 'flowed' },
		],
		['attachment; filename=Invoice(1).pdf', { value: 'attachment', filename: 'Invoice(1).pdf' }],
		['attachment; filename=(1).pdf', { value: 'attachment', filename: '(1).pdf' }],
		['attachment; filename="a (1).pdf"', { value: 'attachment', filename: 'a (1).pdf' }],
		[
			'attachment; filename="a=b (1).pdf"; x=1',
			{ value: 'attachment', filename: 'a=b (1).pdf', x: '1' },
		],
		[
			'attachment; filename="\\"(1).pdf"; x=(2)',
			{ value: 'attachment', filename: '"(1).pdf', x: '(2)' },
		],
		['attachment; filename=Invoice (1).pdf', { value: 'attachment', filename: 'Invoice (1).pdf' }],
		['attachment; filename="a.pdf" (note)', { value: 'attachment', filename: 'a.pdf' }],
		[
			'attachment; filename=a.pdf (never closed; x=1',
			{ value: 'attachment', filename: 'a.pdf (never closed', x: '1' },
		],
	])('%s', (header, expected) => {
		expect(read(header)).toEqual(expected);
	});
});
