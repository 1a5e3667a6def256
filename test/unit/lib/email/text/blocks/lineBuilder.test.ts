import { readHtml } from '../support/reading';

const textOf = async (html: string) => (await readHtml(html)).text;

test.each([
	['<h1>T</h1><p>a<br>b</p><p>c</p>', 'T\n\na\nb\n\nc'],
	['<div>a</div><div>b</div>\n<div><br></div><div>c</div>', 'a\nb\n\nc'],
	['a<br><br><br><br>b', 'a\n\nb'],
	['<b>a</b> <i>b</i>\n  c<span> d</span>e', 'a b c de'],
	['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
	['<ol><li>one<li>two</ol>after', '1. one\n2. two\n\nafter'],
	['<ol start=3><li>x</li><li value=7>y</li><li>z</li></ol>', '3. x\n7. y\n8. z'],
	['<ul><li><p>one</p></li><li>two<ol><li>in</li></ol></li></ul>', '- one\n- two\n  1. in'],
	[
		'<p class="MsoNormal">1</p><p class=MsoNormal>2</p><p class=MsoNormal>&nbsp;</p><p class=MsoNormal>3',
		'1\n2\n\n3',
	],
	['<blockquote>q<br>r</blockquote>t', '> q\n> r\n\nt'],
	['a<hr>b', 'a\n\n--------------------\n\nb'],
	['a<hr><hr> <hr>b<hr>c', 'a\n\n--------------------\n\nb\n\n--------------------\n\nc'],
	['<pre>\na\n  b\tc\n\nd</pre>x', 'a\n  b\tc\n\nd\n\nx'],
	['<pre>a\n \n  \nb</pre>', 'a\n\nb'],
	['<ul><li><ul><li></li></ul>one</li></ul>', '- one'],
	['<div style="white-space: pre-wrap">a\n  b</div>', 'a\n  b'],
])('paragraphs, lines and lists: %s', async (html, text) => {
	expect(await textOf(html)).toBe(text);
});

const QUOTATIONS = '<blockquote>'.repeat(5);
const AROUND = ['', `${QUOTATIONS}<pre>`, `${QUOTATIONS}${'<ol start=999999990>'.repeat(6)}`];
const PIECES = ['<hr>x', '<li>x', '<p>x<br>', '<tr><td>x', '<pre> \n</pre>', 'x\n', '<ul><li>x'];

test.each(AROUND.flatMap((outside) => PIECES.map((piece) => [outside, piece])))(
	'twice as much text as HTML is never made: %j %j',
	async (outside, piece) => {
		const html = outside + piece.repeat(5000);
		expect((await textOf(html)).length).toBeLessThanOrEqual(2 * html.length);
	},
);
