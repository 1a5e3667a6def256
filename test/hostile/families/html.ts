import {
	emailOf,
	familiesOf,
	fill,
	made,
	nest,
	record,
	type Hostile,
	type Piece,
	type Rows,
} from '../support/family';

/** HTML wherever an email or the service's record of one can hold it. */
function hidden(html: string): Hostile[] {
	const parts = [
		'--part',
		'Content-Type: text/plain',
		'',
		'Hello',
		'--part',
		'Content-Type: text/html; charset=utf-8',
		'',
		html,
		'--part--',
		'',
	].join('\r\n');
	return [
		{ rawEmail: emailOf('text/html; charset=utf-8', html) },
		{ rawEmail: emailOf('multipart/mixed; boundary=part', parts) },
		record({ subject: 'Hello', from: 'ada@example.com', html }),
	];
}

const nested = (tag: string) => (size: number) =>
	nest(size, `<${tag}>`, `</${tag.split(' ', 1).join()}>`, 'x');

/** Each piece is repeated, or made to be of a size. */
const PIECES: Rows = [
	['links without quotes in one tag', (size) => `<a ${fill(size, 'href=')}`],
	['links with quotes that never close', '<a href="'],
	['tags that never end', '<b '],
	['angle brackets', '<'],
	['end tags without beginnings', '</div>'],
	['end tags that never end', '</'],
	['divisions within each other', nested('div')],
	['links within each other', nested('a')],
	['tables within each other', nested('table><tr><td')],
	['lists within each other', nested('ul><li')],
	['quotations within each other', nested('blockquote')],
	['quotations by class within each other', nested('div class="yahoo_quoted"')],
	['prefixes of a class', (size) => `<div class="${fill(size, 'x_')}">x</div>`],
	['classes of one element', (size) => `<div class="${fill(size, 'x_zmail_extra ')}">x</div>`],
	['paragraphs that are never closed', '<p>'],
	['cells that are never closed', '<td>x'],
	['rows of cells', '<tr><td>a</td><td>b</td></tr>'],
	['comments that never end', '<!--'],
	['styles that never end', '<style>a{}'],
	['scripts that never end', '<script>x()'],
	['entities', '&amp;'],
	['one numeric entity', (size) => `&#${fill(size, '9')};`],
	['attributes in one tag', (size) => `<p ${fill(size, (index) => `a${index}="b" `)}>x</p>`],
	['one attribute', (size) => `<p style="${fill(size, 'display:none;')}">x</p>`],
	['a name of a tag', (size) => `<${fill(size, 'x')}>`],
	['blanks', ' '],
	['blanks between letters', (size) => fill(size, `${' '.repeat(1000)}x`)],
	['one run of blanks before a letter', (size) => `${fill(size, ' ')}x`],
	['invisible padding', '&#847;&zwnj;&nbsp;'],
	['joiners before a letter', (size) => `${fill(size, '\u200c\u200d')}x`],
	['joiners and letters', (size) => fill(size, `${'\u200d'.repeat(500)}x`)],
	['addresses that are long', (size) => `<a href="https://x.example/${fill(size, '%20 ')}">x</a>`],
	[
		'addresses and labels that are the same',
		(size) => `<a href="https://${fill(size / 2, 'x')}">${fill(size / 2, 'x')}</a>`,
	],
	['preformatted lines', (size) => `<pre>${fill(size, ' \n')}</pre>`],
	['blocks before a word', (size) => `${fill(size, '<p></p>')}x`],
	['hidden divisions within each other', nested('div style="display:none"')],
	[
		'opaque divisions within each other',
		nested('div style="opacity:.99;color:#fff;font-size:99%"'),
	],
	['tag characters', '\u{e0041}'],
	['variation selectors', '👍\ufe0f\ufe01'],
	['joiners between letters that need them', 'م\u200c'],
	['joiners in a row after a letter', (size) => `م${fill(size, '\u200c')}`],
	['styles with comments', (size) => `<p style="${fill(size, '/**/')}color:red">x</p>`],
	['styles with comments that never end', (size) => `<p style="${fill(size, '/*')}">x</p>`],
	['styles with escapes', (size) => `<p style="${fill(size, '\\61 \\')}">x</p>`],
	['a color of digits', (size) => `<p style="color:rgb(${fill(size, '9,')})">x</p>`],
	['a color of parentheses', (size) => `<p style="background:${fill(size, 'rgb(')}">x</p>`],
	['a font', (size) => `<p style="font:${fill(size, '9 ')}">x</p>`],
	['a length', (size) => `<p style="width:${fill(size, '9')}px;left:-${fill(size, '.9')}">x</p>`],
	['different styles', (size) => fill(size, (index) => `<p style="color:#${index};top:1px">x`)],
	[
		'different custom properties',
		(size) => fill(size, (index) => `<p style="--a:${index};top:var(--a)">x`),
	],
	['a description', (size) => `<img alt="${fill(size, 'a b &amp;')}">`],
	['formatting that is not closed', '<p><b hidden></p></i>'],
	[
		'blocks twice, once hidden',
		(size) => fill(size, (index) => `<p>a${index} b<p hidden>a${index} b`),
	],
	[
		'a class of classes',
		(size) => `<style>.a{color:red}</style><p class="${fill(size, 'a b ')}">x</p>`,
	],
];

/** Before ordinary words, in one style element. */
const SHEETS: Array<[name: string, css: Piece]> = [
	['braces', '{'],
	['closing braces', '}'],
	['media that never end', '@media screen{'],
	['media and their ends', (size) => nest(size, '@media screen{', '}')],
	['other rules within each other', (size) => nest(size, '@supports x{', '}')],
	['comments that never end', '/*'],
	['comments', '/**/'],
	['escapes', '\\{\\'],
	['selectors of one rule', (size) => `${fill(size, 'p,')}p{color:red}`],
	['different selectors', (size) => fill(size, (index) => `.a${index}{color:red}`)],
	['ancestors', (size) => `${fill(size, 'p ')}{color:red}`],
	['rules for one element', 'p i{color:red}'],
	['rules within others', (size) => fill(size, (index) => `.a${index} p{color:red}`)],
	[
		'many declarations for many selectors',
		(size) => `${fill(size / 2, 'p,')}p{${fill(size / 2, 'color:red;top:0;')}}`,
	],
	['blanks between selectors', (size) => `p${fill(size, ' ')}>${fill(size, ' ')}{}`],
	['one selector', (size) => `${fill(size, 'p')}{color:red}`],
	['conditions', (size) => `@media ${fill(size, 'screen and ')}(min-width:1px){p{color:red}}`],
	['lists of media', (size) => `@media ${fill(size, 'x,')}{p{color:red}}`],
	['mistakes', 'a{]}\n'],
	['rules within each other', 'a{a{'],
	['rules without an end within a rule', (size) => `a{${fill(size, 'b:c{}')}`],
	['parentheses', (size) => `p{color:${fill(size, '(')}`],
	['selectors within each other', (size) => `${fill(Math.min(size, 1900), ':not(')}p{color:red}`],
	['selectors in a list', (size) => fill(size, `:is(${fill(1900, 'p,')}p){color:red}`)],
	['siblings', 'p~i~p{color:red}'],
	['attributes', (size) => fill(size, (index) => `[class*="${index}"]:not(.a${index}){color:red}`)],
	['rules of one selector', (size) => `p{${fill(size, '@media all{color:red}')}}`],
	['keyframes', (size) => `p{animation:a}@keyframes a{${fill(size, 'to{top:0}')}}`],
	[
		'custom properties',
		(size) => fill(size, (index) => `p{--a${index}:var(--a${index + 1}) x;color:var(--a${index})}`),
	],
	[
		'values of a custom property',
		(size) => `${fill(size, (index) => `:root{--a:#${index}}`)}p{color:var(--a)}`,
	],
];

const ELEMENTS = '<p class="a1 a2"><i id=x>x</i>';

/** A text part and HTML that are compared. */
const PAIRS: Array<[name: string, text: Piece, html: Piece]> = [
	['the same words', 'a b ', 'a b '],
	[
		'different words',
		(size) => fill(size, (index) => `a${index} `),
		(size) => fill(size, (index) => `b${index} `),
	],
	['one word', (size) => fill(size, 'x'), 'x'],
	['paragraphs', 'a\n\n', '<p>b'],
	['blank lines', '\n> ', 'x'],
	['addresses', 'https://a@b.c/ ', '<a href="https://a.b/">x</a>'],
	['at signs and dots', 'a.a@', 'x'],
	['pictures that never end', '[cid:', 'x'],
	['markup', '&\n', 'x'],
	['letters that are words', '\u6f22', '\u5b57'],
	['marks', 'a\u0301\u0302', 'x'],
];

const alternatives = (text: string, html: string): Hostile => ({
	rawEmail: emailOf(
		'multipart/alternative; boundary=b',
		['--b', '', text, '--b', 'Content-Type: text/html', '', html, '--b--', ''].join('\r\n'),
	),
});

export const HTML_FAMILIES = [
	...familiesOf('HTML', PIECES, hidden),
	...familiesOf(
		'style sheets',
		SHEETS.map(([name, css]) => [
			name,
			(size) => `<style>${made(css, size / 2)}</style>${fill(size / 2, ELEMENTS)}`,
		]),
		hidden,
	),
	...familiesOf(
		'style elements',
		[
			'<style>',
			'<style></style>',
			'<style </style',
			'<!--<style>-->',
			'<title></title',
			'<!-->',
		].map((piece) => [piece, piece]),
		hidden,
	),
	...PAIRS.map(([name, text, html]) => ({
		name: `text parts and HTML: ${name}`,
		make: (size: number) => [alternatives(made(text, size / 2), made(html, size / 2))],
	})),
];
