import type { Limits } from '../../../../../../lib/email/text/htmlLimits';
import { readHtml } from '../support/reading';

const textOf = async (html: string) => (await readHtml(html.replace('…', 'Words'))).text;

/** Each sheet with an email whose words it hides. */
test.each([
	['p{display:none}', '<p>…</p>'],
	['P{DISPLAY:none}', '<p>…</p>'],
	['.x{display:none}', '<p class="y x">…</p>'],
	['#x{display:none}', '<p id=x>…</p>'],
	['p.x{display:none}', '<p class=x>…</p>'],
	['.z, .x, p.y{display:none}', '<p class=x>…</p>'],
	['.x{visibility:hidden}.x{font-size:0}', '<p class=x>…</p>'],
	['.x{display:none!important}', '<p class=x>…</p>'],
	['.x{color:#fff}', '<p class=x>…</p>'],
	['@media screen{.x{display:none}}', '<p class=x>…</p>'],
	['@media screen{@media all{.x{display:none}}}', '<p class=x>…</p>'],
	[`${'@media screen{'.repeat(500)}.x{display:none}`, '<p class=x>…</p>'],
	[
		'@media only screen and (max-width:600px){.x{display:block!important}}.x{display:none}',
		'<p class=x>…</p>',
	],
	['@media (max-width:37.5em){p{display:block!important}}', '<p style="display:none">…</p>'],
	['@media print{p{display:block!important}}', '<p style="display:none">…</p>'],
	['.x p:hover{display:none!important}', '<p style="display:none">…</p>'],
	['.x p{display:block!important}', '<p style="display:none!important">…</p>'],
	['.x p{display:block}', '<p style="display:none" class=x>…</p>'],
	['p[lang]{display:block!important}', '<p style="display:none">…</p>'],
	['#app .x{display:block!important}', '<p style="display:none" class=x>…</p>'],
])('the sheet %s hides the words of %s', async (css, html) => {
	expect(await textOf(`<style>${css}</style>${html}`)).toBe('');
	expect(await textOf(`${html}<style>${css}</style>`)).toBe('');
});

/** Nobody can say for sure that people do not see them. */
test.each([
	['an element without the class', '.x{display:none}', '<p class=X>…</p>'],
	['a type within another one', 'div p{display:none}', '<div><p>…</p></div>'],
	['two classes', '.x.y{display:none}', '<p class="x y">…</p>'],
	['an attribute', '[class=x],p[lang]{display:none}', '<p class=x lang=en>…</p>'],
	['a pseudo-class', 'p:first-child{display:none}', '<p>…</p>'],
	['a list with a selector that is not read', '.x, .y::-x-z{display:none}', '<p class=x>…</p>'],
	['a condition', '@media (min-width:1px){.x{display:none}}', '<p class=x>…</p>'],
	[
		'a condition around one that all meet',
		'@media (min-width:1px){@media screen{.x{display:none}}}',
		'<p class=x>…</p>',
	],
	[
		'a condition of paper around one that all meet',
		'@media print{@media screen{.x{display:none}}}',
		'<p class=x>…</p>',
	],
	[
		'blocks that are nested too deeply',
		`${'@media screen{'.repeat(600)}.x{display:none}`,
		'<p class=x>…</p>',
	],
	[
		'blocks beside those that are nested too deeply, and could show it',
		`.x{display:none}${'@media screen{'.repeat(600)}`,
		'<p class=x>…</p>',
	],
	['another rule within it', '.y{.x{display:none} &.x{display:none}}', '<p class="x y">…</p>'],
	['keyframes', '@keyframes x{from{display:none}}', '<from>…</from>'],
	['two rules that do not agree', 'p.x{display:block}.x{display:none}', '<p class=x>…</p>'],
	[
		'an attribute that says otherwise',
		'.x{display:none!important}',
		'<p class=x style="display:block">…</p>',
	],
])('a sheet hides nothing by %s', async (_, css, html) => {
	expect(await textOf(`<style>${css}</style>${html}`)).toBe('Words');
});

/** Emails really do this. */
test.each([
	[
		'a cell without a size, and its text',
		'.x p{font-size:14px}',
		'<td style="font-size:0"><p>…</p></td>',
	],
	[
		'a cell without a size',
		'.x{font-size:14px!important}',
		'<td class=x style="font-size:0px">…</td>',
	],
	['a size by `font`', 'td p{font:14px Arial}', '<td style="font-size:0"><p>…</p></td>'],
	['a hidden block', '.x{display:block!important}', '<p class=x style="display:none">…</p>'],
	[
		'a block of an outer class',
		'.y .x{display:block!important}',
		'<p class=x style="display:none">…</p>',
	],
	['all blocks', '* {display:block!important}', '<p style="display:none">…</p>'],
	['all', '.x{all:revert!important}', '<p class=x style="display:none">…</p>'],
	[
		'a class as an attribute',
		'td[class="x"]{display:block!important}',
		'<td class=x style="display:none">…</td>',
	],
	[
		'an attribute',
		'td[height]{font-size:9px!important}',
		'<td height=9 style="font-size:0">…</td>',
	],
	[
		'an invisible block',
		'.x{visibility:visible!important}',
		'<p class=x style="visibility:hidden">…</p>',
	],
	[
		'a closed block',
		'.x{max-height:none!important}',
		'<p class=x style="max-height:0;overflow:hidden">…</p>',
	],
	[
		'a block that cuts',
		'.x{overflow:visible!important}',
		'<p class=x style="height:0;overflow:hidden">…</p>',
	],
	['a moved block', '.x{text-indent:0!important}', '<p class=x style="text-indent:-999px">…</p>'],
	[
		'a block that fades in',
		'@keyframes x{to{opacity:1}}',
		'<p style="opacity:0;animation:x 1s forwards">…</p>',
	],
	['a menu', 'i:hover + .x{display:block}.x{display:none}', '<i></i><p class=x>…</p>'],
	[
		'a block for wide screens',
		'@media (min-width:600px){.x{display:block!important}}',
		'<p class=x style="display:none">…</p>',
	],
	[
		'a block for screens up to 1024 pixels',
		'@media (max-width:1024px){.x{display:block!important}}',
		'<p class=x style="display:none">…</p>',
	],
	[
		'a block for all but paper',
		'@media not print{.x{display:block!important}}',
		'<p class=x style="display:none">…</p>',
	],
	['white words', '.x{color:#000!important}', '<p class=x style="color:#fff">…</p>'],
	['words in white ones', '.x b{color:#000}', '<p style="color:#fff"><b>…</b></p>'],
	[
		'white words over a picture',
		'.x{background:url(x.png)}',
		'<div class=x><p style="color:#fff">…</p></div>',
	],
	['white words over a color', 'td{background-color:navy}', '<td style="color:#fff">…</td>'],
	[
		'hidden by a sheet, shown by another rule',
		'.x{display:none}.y .x{display:block}',
		'<p class=x>…</p>',
	],
])('a sheet shows %s again', async (_, css, html) => {
	const around = `<table class=y><tr class=x>${html}</table>`;
	expect(await textOf(`<style>${css}</style>${around}`)).toBe('Words');
	expect(await textOf(`${around}<style>${css}</style>`)).toBe('Words');
});

test('an element with an attribute that is not read hides nothing', async () => {
	const html = '<style>.x{display:none}</style><p class=x style="top:11111111111">…</p>';
	expect(await textOf(html)).toBe('');
	const limits: Partial<Limits> = { attribute: 10 };
	expect((await readHtml(html.replace('…', 'Words'), 'plain', limits)).text).toBe('Words');
});

/** More tags than are kept until the sheets are known. */
const MANY = '<b></b>'.repeat(30_000);

test.each([
	[
		'hides nothing before a sheet that is not read',
		`<p style="display:none">…</p>${MANY}<style>p{top:0}</style>`,
		'Words',
	],
	['hides words without any sheet', `<p style="display:none">…</p>${MANY}`, ''],
	[
		'hides nothing that a rule for a later element shows',
		`<style>.x p{display:block!important}</style><p style="display:none">…</p>${MANY}<i class=x></i>`,
		'Words',
	],
])('a style attribute in a very long email %s', async (_, html, text) => {
	expect(await textOf(html)).toBe(text);
});

test('a declaration within the value of another one hides nothing', async () => {
	const hidden = '<p style="opacity:1;display:none">x</p>';
	const shown = '<p style="opacity:1,display,none">Words</p>';
	expect(await textOf(`${hidden}${shown}`)).toBe('Words');
	expect(await textOf(`${shown}${hidden}`)).toBe('Words');
});
