import { readHtml as readWith } from '../../../../../lib/email/text/htmlBlocks';
import { HTML_LIMITS } from '../../../../../lib/email/text/limits';
import { walkHtml } from '../../../../../lib/email/text/walker';
import { Pace } from '../../../../../lib/basics';
import { readHtml } from './support/reading';

const textOf = async (html: string) => (await readHtml(html)).text;

test.each([
	['<a href="https://x.example/p">Click</a>', 'Click (https://x.example/p)'],
	['<a href=https://x.com/p>Click</a> Bye', 'Click (https://x.com/p) Bye'],
	["<a class=b href='https://x.com/?a=1&amp;b=2'>Click</a>", 'Click (https://x.com/?a=1&b=2)'],
	['<p>Hello <a href="https://x.example">link</a></p>', 'Hello link (https://x.example)'],
	['<a href="https://x.example">https://x.example</a>', 'https://x.example'],
	['<a href="https://www.x.example/">x.example</a>', 'x.example'],
	['<a href="mailto:a@b.c?subject=x">a@b.c</a>', 'a@b.c'],
	['<a href="mailto:a@b.c">Write to us</a>', 'Write to us (a@b.c)'],
	['<a href="tel:+43 12345">Call</a>', 'Call (+43 12345)'],
	['Tel. <a href="tel:+44 20 123456">+44 (0)20 123456</a>', 'Tel. +44 (0)20 123456'],
	['<a href="tel:+4420123456">+44 20 123456</a>', '+44 20 123456'],
	[
		'<a href="https://a.example"><img alt=A></a><a href="https://b.example"><img alt=B></a>.',
		'A (https://a.example) B (https://b.example).',
	],
	['Logo<img alt=Acme>Welcome<img alt="Me">!', 'Logo Acme Welcome Me!'],
	['<a href="#top">Top</a> <a name=x>Here</a>', 'Top Here'],
	['<a href="javascript:alert(1)">Run</a>', 'Run'],
	['<a href="https://x.example"><img src=a.png></a>', ''],
	['<a href="https://x.example"><img alt="Shop now"></a>', 'Shop now (https://x.example)'],
	['<a href="https://x.example"><div>Card</div></a>after', 'Card (https://x.example)\nafter'],
	[
		'<a href="https://1.example">one<a href="https://2.example">two</a>',
		'one (https://1.example) two (https://2.example)',
	],
	[
		'<a href="https://x.example">above<hr></a>below',
		'above (https://x.example)\n\n--------------------\n\nbelow',
	],
	['<a href="https://x.example">never closed', 'never closed (https://x.example)'],
	['<a href="https://x.ex\n ample">broken</a>', 'broken (https://x.ex%20ample)'],
])('links: %s', async (html, text) => {
	expect(await textOf(html)).toBe(text);
});

test('an address that is longer than any program accepts is left out, not cut', async () => {
	const link = (length: number) => `<a href="https://x.example/${'x'.repeat(length)}">Click</a>`;
	expect(await textOf(link(9000))).toBe(`Click (https://x.example/${'x'.repeat(9000)})`);
	expect(await textOf(link(10_000))).toBe('Click');
});

test.each([
	['<h1>T</h1><p>a<br>b</p><p>c</p>', 'T\n\na\nb\n\nc'],
	['<div>a</div><div>b</div>\n<div><br></div><div>c</div>', 'a\nb\n\nc'],
	['a<br><br><br><br>b', 'a\n\nb'],
	['<p>one<p>two</p>', 'one\n\ntwo'],
	['one</p>two', 'one\n\ntwo'],
	['a</br>b', 'a\nb'],
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
	[
		'Yes.<div id="yahoo_quoted_081" class="x">On Saturday<p>q</p></div>',
		'Yes.\n> On Saturday\n\n> q',
	],
	['Yes.<div class="x_x_zmail_extra"><div>q</div></div>', 'Yes.\n> q'],
	['Yes.<div name="quote"><div>q</div></div>', 'Yes.\n> q'],
	['<constructor>a</constructor><div class="constructor">b</div>', 'a\nb'],
])('paragraphs, lines and lists: %s', async (html, text) => {
	expect(await textOf(html)).toBe(text);
});

test.each([
	[
		'<table><tr><th>Item</th><th>Price</th></tr><tr><td>A</td><td>1</td></tr></table>',
		'Item\tPrice\nA\t1',
	],
	['<table><tr><td><p>A</p></td><td><p>1</p></td></tr></table>', 'A\t1'],
	['<table><tr><td>Left<br>two</td><td>Right</td></tr></table>', 'Left\ntwo\nRight'],
	['<table><tr><td>A<td><td>B<tr><td>C</table>d', 'A\tB\nC\nd'],
	['<table><tr><td>A</td><td><table><tr><td>in</td></tr></table></td></tr></table>', 'A\nin'],
])('tables: cells stand apart: %s', async (html, text) => {
	expect(await textOf(html)).toBe(text);
});

describe('what is not shown is not in the text', () => {
	test.each([
		'<script>x</script>',
		'<style>x</style>',
		'<head><title>x</title></head>',
		'<!-- x -->',
		'<!--[if mso]>x<![endif]-->',
		'<template>x</template>',
		'<noframes>x</noframes>',
		'<xml><o:PixelsPerInch>96</o:PixelsPerInch></xml>',
		'<img alt=x width=1 height=1>',
		'<img alt="image001.png">',
		'<div style="display:none"><img alt=x><a href="https://x.example">x</a><ul><li>x</ul></div>',
		'&zwnj;&nbsp;&zwnj;&nbsp;&#847;&shy;&#8199;&#65279;',
		'\u200b\u00ad\u034f\u2060',
	])('%s', async (html) => {
		expect(await textOf(`<p>Before</p>${html}<p>After</p>`)).toBe('Before\n\nAfter');
	});

	test.each([
		['<div style="visibility:hidden"><b style="visibility:visible">Shown</b></div>', 'Shown'],
		['<a style="mso-hide:all" href="https://x.example">Button</a>', 'Button (https://x.example)'],
		['<![if !mso]>Shown<![endif]>', 'Shown'],
		['<p hidden>x<p>Shown', 'Shown'],
		['Preview &#847;&zwnj;&nbsp;&#8199;&shy;&#847;&zwnj;&nbsp;<p>Body</p>', 'Preview\n\nBody'],
		['می\u200cخواهم 👩\u200d💻', 'می\u200cخواهم 👩\u200d💻'],
		['ex&shy;am&#8203;ple', 'example'],
	])('but this is: %s', async (html, text) => {
		expect(await textOf(html)).toBe(text);
	});
});

test('entities become characters, in text and addresses', async () => {
	expect(
		await textOf('&lt;b&gt; &amp;amp; caf&eacute; &#x20AC;5 &rarr; 50&nbsp;% &bogus; &copy2'),
	).toBe('<b> &amp; café €5 → 50\u00a0% &bogus; ©2');
});

const unit =
	'<p>One &amp; <a href="https://x.example/&eacute;">two</a></p><!-- three --><b title="x>y">4</b>';
const text = 'One & two (https://x.example/é)\n\n4';

test.each(Array.from({ length: 12 }, (_, shift) => shift * 9))('shifted by %i', async (shift) => {
	const html = `${' '.repeat(50_000 - shift)}${unit}`;
	expect(await textOf(html)).toBe(text);
});

test('a text with too many lines to be kept as blocks is the same plain text', async () => {
	const entry = '<li>One <a href="https://x.example">two</a><p>three</p></li>';
	const html = `<p>a</p><ol>${entry.repeat(3000)}</ol><pre>b\n  c</pre>`;
	const { text: whole } = await readHtml(html);
	expect(await readHtml(html, 'plain', { pieces: 500 })).toEqual({
		text: whole,
		blocks: undefined,
	});
});

test('HTML that is nested deeper than any browser follows still gives its text', async () => {
	expect(await textOf(`${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}<p>after`)).toBe(
		'deep\n\nafter',
	);
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

test('twice the HTML takes twice as many turns', async () => {
	const turnsFor = async (html: string) => {
		const turn = jest.fn(async () => {});
		await readWith(html, { pace: new Pace(turn), limits: HTML_LIMITS });
		return turn.mock.calls.length;
	};
	const paragraph = '<p>Hello</p>';
	const turns = await turnsFor(paragraph.repeat(50_000));
	expect(turns).toBeGreaterThan(10);
	expect(await turnsFor(paragraph.repeat(100_000))).toBeLessThanOrEqual(2.5 * turns);
});

test('many invisible characters are read with pauses', async () => {
	let [read, most] = [0, 0];
	const pace = new Pace(async () => void (read = 0));
	const addText = (text: string) => void (most = Math.max(most, (read += text.length)));
	const visitor = { startElement() {}, endElement() {}, addText };
	await walkHtml('x\u200c'.repeat(500_000), visitor, { pace, limits: HTML_LIMITS });
	expect(most).toBeLessThanOrEqual(100_000);
});
