import { readMarkdown as toMarkdown } from '../support/reading';

test.each([
	['<b>&nbsp;a </b>b<i>&nbsp;</i>c', '**a** b c'],
	['a<b>b</b> <b>c:</b>d <b>e</b><i>f</i> or <i>(g)</i>.', 'ab c:d ef or *(g)*.'],
	[
		'<b>Total</b> <b>due</b>: <b>1</b><b>2</b> <a href=https://x.at><b>x</b></a>',
		'**Total due**: **12** [**x**](https://x.at)',
	],
	['<b>a <i>b</i></b><br><b><i>c</i> d</b>', '**a *b***  \n***c* d**'],
	['<a href="https://x.example">a<b>b</b> c <b>d</b></a>', '[ab c **d**](https://x.example)'],
	['Run <code>a*b</code> and <code>c`d</code>', 'Run `a*b` and c\\`d'],
])('emphasis, links and code within a line: %s', async (html, markdown) => {
	expect((await toMarkdown(html)).markdown).toBe(markdown);
});
