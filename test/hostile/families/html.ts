import {
	around,
	emailOf,
	emailOfParts,
	familiesOf,
	fill,
	made,
	nest,
	numbered,
	record,
} from '../support/family';
import type { Hostile, Piece, Rows } from '../support/family';

/** HTML in each place of an email, or of the service's record of one, that can contain it. */
function hidden(html: string): Hostile[] {
	const type = 'text/html; charset=utf-8';
	const text = ['Content-Type: text/plain', '', 'Hello'];
	return [
		{ rawEmail: emailOf(type, html) },
		{ rawEmail: emailOfParts('multipart/mixed', text, [`Content-Type: ${type}`, '', html]) },
		record({ subject: 'Hello', from: 'ada@example.com', html }),
	];
}

const nested = (tag: string) => (size: number) =>
	nest(size, `<${tag}>`, `</${tag.split(' ', 1).join()}>`, 'x');

const PIECES: Rows = [
	['links without quotes in one tag', around('<a ', 'href=')],
	['links with quotes that never close', '<a href="'],
	['tags that never end', '<b '],
	['angle brackets', '<'],
	['end tags without beginnings', '</div>'],
	['end tags that never end', '</'],
	['tables within each other', nested('table><tr><td')],
	['lists within each other', nested('ul><li')],
	['quotations by class within each other', nested('div class="yahoo_quoted"')],
	['prefixes of a class', around('<div class="', 'x_', '">x</div>')],
	['classes of one element', around('<div class="', 'x_zmail_extra ', '">x</div>')],
	['cells that are never closed', '<td>x'],
	['rows of cells', '<tr><td>a</td><td>b</td></tr>'],
	['comments that never end', '<!--'],
	['styles that never end', '<style>a{}'],
	['scripts that never end', '<script>x()'],
	['entities', '&amp;'],
	['one numeric entity', around('&#', '9', ';')],
	[
		'attributes in one tag',
		around(
			'<p ',
			numbered((index) => `a${index}="b" `),
			'>x</p>',
		),
	],
	['one attribute', around('<p style="', 'display:none;', '">x</p>')],
	['a name of a tag', around('<', 'x', '>')],
	['blanks', ' '],
	['blanks between letters', (size) => fill(size, `${' '.repeat(1000)}x`)],
	['one run of blanks before a letter', around('', ' ', 'x')],
	['invisible padding', '&#847;&zwnj;&nbsp;'],
	['joiners before a letter', around('', '\u200c\u200d', 'x')],
	['joiners and letters', (size) => fill(size, `${'\u200d'.repeat(500)}x`)],
	['addresses that are long', around('<a href="https://x.example/', '%20 ', '">x</a>')],
	[
		'addresses and labels that are the same',
		(size) => `<a href="https://${fill(size / 2, 'x')}">${fill(size / 2, 'x')}</a>`,
	],
	['preformatted lines', around('<pre>', ' \n', '</pre>')],
	['blocks before a word', around('', '<p></p>', 'x')],
	['hidden divisions within each other', nested('div style="display:none"')],
	[
		'opaque divisions within each other',
		nested('div style="opacity:.99;color:#fff;font-size:99%"'),
	],
	['tag characters', '\u{e0041}'],
	['variation selectors', '👍\ufe0f\ufe01'],
	['joiners between letters that need them', 'م\u200c'],
	['joiners in a row after a letter', around('م', '\u200c')],
	['styles with comments', around('<p style="', '/**/', 'color:red">x</p>')],
	['styles with comments that never end', around('<p style="', '/*', '">x</p>')],
	['styles with escapes', around('<p style="', '\\61 \\', '">x</p>')],
	['a color of digits', around('<p style="color:rgb(', '9,', ')">x</p>')],
	['a color of parentheses', around('<p style="background:', 'rgb(', '">x</p>')],
	['a font', around('<p style="font:', '9 ', '">x</p>')],
	['a length', (size) => `<p style="width:${fill(size, '9')}px;left:-${fill(size, '.9')}">x</p>`],
	['a style sheet behind everything', around('', '<p class=a>x', '<style>.a{color:red}</style>')],
	[
		'different elements',
		around(
			'<style>p .a{top:0}</style>',
			numbered((index) => `<p class=a${index}>x`),
		),
	],
	['different styles', numbered((index) => `<p style="color:#${index};top:1px">x`)],
	[
		'different names in a different order',
		around(
			'<style>.a p{color:red}</style>',
			numbered((index) => `<p class="a${index % 999} b${index % 998} c">x`),
		),
	],
	[
		'different names of attributes',
		around(
			'<style>[b] p{color:red}</style>',
			numbered((index) => `<p a${index}>x`),
		),
	],
	[
		'different styles within each other',
		numbered((index) => `<p style="top:${index % 999}px"><b style="left:${index % 998}px">x`),
	],
	['formatting that is not closed', '<p><b hidden></p></i>'],
	['a class of classes', around('<style>.a{color:red}</style><p class="', 'a b ', '">x</p>')],
];

/** One style element before ordinary words. */
const SHEETS: Array<[name: string, css: Piece]> = [
	['braces', '{'],
	['closing braces', '}'],
	['media that never end', '@media screen{'],
	['media of other screens that never end', '@media print{'],
	['media with rules that never end', '@media screen{.a1{color:red}'],
	['media and their ends', (size) => nest(size, '@media screen{', '}')],
	['other rules within each other', (size) => nest(size, '@supports x{', '}')],
	['comments that never end', '/*'],
	['comments', '/**/'],
	['escapes', '\\{\\'],
	['selectors of one rule', around('', 'p,', 'p{color:red}')],
	['different selectors', numbered((index) => `.a${index}{color:red}`)],
	['ancestors', around('', 'p ', '{color:red}')],
	['rules for one element', 'p i{color:red}'],
	['rules for elements within each other', numbered((index) => `p p p .a${index % 3}{top:0}`)],
	['imports', '@import "x";'],
	['rules within others', numbered((index) => `.a${index} p{color:red}`)],
	[
		'many declarations for many selectors',
		(size) => `${fill(size / 2, 'p,')}p{${fill(size / 2, 'color:red;top:0;')}}`,
	],
	['blanks between selectors', (size) => `p${fill(size, ' ')}>${fill(size, ' ')}{}`],
	['one selector', around('', 'p', '{color:red}')],
	['conditions', around('@media ', 'screen and ', '(min-width:1px){p{color:red}}')],
	['lists of media', around('@media ', 'x,', '{p{color:red}}')],
	['mistakes', 'a{]}\n'],
	['rules within each other', 'a{a{'],
	['rules without an end within a rule', around('a{', 'b:c{}')],
	['parentheses', around('p{color:', '(')],
	['selectors within each other', (size) => `${fill(Math.min(size, 1900), ':not(')}p{color:red}`],
	['selectors in a list', (size) => fill(size, `:is(${fill(1900, 'p,')}p){color:red}`)],
	['attributes', numbered((index) => `[class*="${index}"]:not(.a${index}){color:red}`)],
	['a condition on an attribute that never ends', around('p[', 'x', '{color:red}')],
	['combinators', around('p', ' > ', 'p{color:red}')],
	['blocks of a custom property', around('p{--x:', '/**/{}', '}')],
	['rules that need other names', numbered((index) => `.b${index} .a1{display:block!important}`)],
	['rules of one selector', around('p{', '@media all{color:red}', '}')],
	['keyframes', around('p{animation:a}@keyframes a{', 'to{top:0}', '}')],
];

const ELEMENTS = '<p class="a1 a2"><i id=x>x</i>';

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
];
