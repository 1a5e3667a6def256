import type { Limits } from '../../../../../../lib/email/text/htmlLimits';
import { readHtml } from '../support/reading';

/** The list in docs/trigger.md: each style hides the words in the place of `…`, and the one beside it does not. */
const LIST: Array<[hides: string, shows: string]> = [
	['<p hidden>…</p>', '<p hidden style="display:block">…</p>'],
	['<p style="display: none">…</p>', '<p style="display:contents">…</p>'],
	['<p style="visibility:hidden">…</p>', '<p style="visibility:inherit">…</p>'],
	[
		'<p style="visibility:collapse"><b>…</b></p>',
		'<p style="visibility:collapse"><b style="visibility:visible">…</b></p>',
	],
	['<p style="opacity:.05">…</p>', '<p style="opacity:.06">…</p>'],
	['<p style="opacity:5%">…</p>', '<p style="opacity:6%">…</p>'],
	['<p style="font-size:2px">…</p>', '<p style="font-size:2.1px">…</p>'],
	['<p style="font-size:1.5pt">…</p>', '<p style="font-size:1.6pt">…</p>'],
	[
		'<p style="font-size:10px"><b style="font-size:.2em">…</b></p>',
		'<b style="font-size:.2em">…</b>',
	],
	['<p style="font-size:12%">…</p>', '<p style="font-size:13%">…</p>'],
	['<p style="font:bold 1px/20px Arial">…</p>', '<p style="font:bold 20px/1px Arial">…</p>'],
	[
		'<p style="font-size:0"><b style="font-size:100%">…</b></p>',
		'<p style="font-size:0"><b style="font-size:9px">…</b></p>',
	],
	['<p style="max-height:2px;overflow:hidden">…</p>', '<p style="max-height:2px">…</p>'],
	['<p style="max-height:0">…</p>', '<td style="max-height:0">…</td>'],
	['<p style="height:2px;overflow:hidden">…</p>', '<p style="height:3px;overflow:hidden">…</p>'],
	['<div style="overflow:hidden;height:0">…</div>', '<td style="overflow:hidden;height:0">…</td>'],
	...['left', 'top', 'margin-left', 'margin-top', 'text-indent'].map(
		(property): [string, string] => [
			`<p style="${property}:-500px">…</p>`,
			`<p style="${property}:-499px">…</p>`,
		],
	),
	['<p style="text-indent:-999em">…</p>', '<p style="text-indent:-999%">…</p>'],
	['<p style="color:#FFF">…</p>', '<p style="color:#fffffe">…</p>'],
	['<p style="color:rgb(255, 255, 255)">…</p>', '<p style="color:rgb(255,255,254)">…</p>'],
	['<p style="color:transparent">…</p>', '<p style="color:rgba(0,0,0,.1)">…</p>'],
	['<p style="color:rgba(9,9,9,0)">…</p>', '<p style="color:#00000011">…</p>'],
	['<font color=FFFFFF>…</font>', '<font color=FFFFF0>…</font>'],
	['<body text=white>…</body>', '<body text=white bgcolor=black>…</body>'],
	[
		'<div style="background:#112233"><p style="color:#123">…</p></div>',
		'<div style="background:#112233"><p style="color:#fff">…</p></div>',
	],
	[
		'<table bgcolor=#ffffff><tr><td style="background-color:transparent;color:white">…</table>',
		'<table bgcolor=#ffffff><tr><td style="background-color:navy;color:white">…</table>',
	],
	['<p style="color:white"><a>…</a></p>', '<p style="color:white"><a href="x">…</a></p>'],
];

const rest = (html: string) => `<div>Hello</div>${html.replace('…', 'Words')}`;

test.each(LIST)('%s hides words, %s does not', async (hides, shows) => {
	expect((await readHtml(rest(hides))).text).toBe('Hello');
	expect((await readHtml(rest(shows))).text).toMatch(/^Hello\s+Words/);
});

/** Any of them could put another ground below white words. */
test.each([
	'<td background="x.png"></td>',
	'<p style="background:#fff url(x.png)"></p>',
	'<p style="position:relative"></p>',
	'<p style="margin:0 0 -40px"></p>',
	'<style>.z{background-image:linear-gradient(red,blue)}</style>',
	'<style>.z{background:#fff}</style>',
	'<style>.z{margin-top:-40px}</style>',
	'<style>@supports (x:y){.z{background-color:#000}}</style>',
])('with %s, colors hide nothing', async (html) => {
	const white = rest('<p style="color:#fff">…</p>');
	expect((await readHtml(white)).text).toBe('Hello');
	expect((await readHtml(white + html)).text).toMatch(/^Hello\s+Words/);
});

/** Not on the list. */
test.each([
	'<p style="mso-hide:all">…</p>',
	'<p style="width:0;overflow:hidden">…</p>',
	'<p style="max-width:0;overflow:hidden">…</p>',
	'<p style="transform:scale(0);clip-path:inset(100%);filter:opacity(0)">…</p>',
	'<p style="display:var(--x);color:var(--x);font-size:calc(0px)">…</p>',
	'<p style="color:#fff\\9">…</p>',
	'<p style="--x:{}display:none">…</p>',
	'<style>p{--x:{}display:none}</style><p>…</p>',
	'<dialog popover>…</dialog>',
	'<!--[if mso]><style>p{display:none}</style><![endif]--><p>…</p>',
])('hides nothing: %s', async (html) => {
	expect((await readHtml(rest(html))).text).toMatch(/^Hello\s+Words/);
});

/** As browsers read them (CSS Syntax 3, HTML 13.2.6). */
test.each([
	'<style><!-- .x{display:none} --></style><p class=x>…</p>',
	'<style>/* } */ .x{/* a */display:none/* b */;}</style><p class=x>…</p>',
	'<style>@charset "x"; @import "y"; @font-face{src:url(x)} .x{display:none</style><p class=x>…</p>',
	'<style>.z{content:"{"}.x{foo{bar}color:red;;display:none}</style><p class=x>…</p>',
	'<style>.z{--y:{a:b}} .z{color:red;}} .y{x:y} .x{display:none}</style><p class=x>…</p>',
	'<style>--y:hover{} .x{display:none}</style><p class=x>…</p>',
	'<style>.z{color:rgb(} .y{display:block}) ;} .x{DISPLAY:None !IMPORTANT}</style><p class=x>…</p>',
	'<p style="}display:block;display&colon;none;">…</p>',
	'<table><td style="display:none"><table><tr></td>…</table></table>',
])('hides words: %s', async (html) => {
	expect((await readHtml(rest(html))).text).toBe('Hello');
});

test.each<[keyof Limits, number, string]>([
	['attribute', 20, `<p style="${' '.repeat(20)}display:none">…</p>`],
	['attribute', 40, `<p style="display:none${';&#32;'.repeat(10)};">…</p>`],
	['styleAttributes', 30, `<p style="top:${'1'.repeat(20)}"></p><p style="display:none">…</p>`],
	['styleSheets', 40, `<style>${' '.repeat(30)}p{display:none}</style><p>…</p>`],
	['tokens', 5, `<p>…</p>${'<b></b>'.repeat(20_000)}<style>p{display:none}</style>`],
])('beyond the limit of %s (%i), styles hide nothing', async (name, limit, html) => {
	expect((await readHtml(html.replace('…', 'Words'))).text).toBe('');
	expect((await readHtml(html.replace('…', 'Words'), 'plain', { [name]: limit })).text).toBe(
		'Words',
	);
});
