import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';

import { writeMarkdown } from '../../../../../../lib/email/text/write/markdown';
import '../../../../../support/propertySeed';
import { newPace, readEmail } from '../../../../../support/reading';
import { corpusFiles, readCorpus } from '../../../../guarantees/support/corpus';
import { readHtml, readMarkdown as toMarkdown } from '../support/reading';

const renderer = new MarkdownIt();

/** Words in their order, without numbers, because renderers number lists anew; where links lead to is no text. */
const wordsOf = (text: string) =>
	text
		.replace(/\(?(?:https?:\/\/|mailto:)[^\s)>]*\)?/g, ' ')
		.match(/\p{L}+/gu)
		?.join(' ') ?? '';

const marksOf = (text: string) => text.replace(/[^*`]/g, '');

/** As a renderer shows it, and as our own reader reads that. */
const rendered = async (markdown: string) =>
	wordsOf((await readHtml(renderer.render(markdown))).text);

test.each([
	['<h1>Title <b>b</b></h1><p>x</p><h3>Sub</h3>', '# Title b\n\nx\n\n### Sub'],
	['<p>a <b>bold <i>it</i></b>, <em>x</em>.<br>b</p>', 'a **bold *it***, *x*.  \nb'],
	['<b><p>one</p><p>two</p></b>', '**one**\n\n**two**'],
	[
		'<p>Price <s>100</s> <b>80</b> EUR, <del>now</del>then</p>',
		'Price ~~100~~ **80** EUR, ~~now~~then',
	],
	['<ul><li>one</li><li>two<ol><li>in</li></ol></li></ul>', '- one\n- two\n  1. in'],
	['<ol start=3><li><p>a</p><p>b</p></li><li>c</ol>', '3. a\n\n   b\n4. c'],
	['<p>Yes.</p><blockquote>q<br>r</blockquote>t', 'Yes.\n\n> q  \n> r\n\nt'],
	['<div class="yahoo_quoted">q</div>after', '> q\n\nafter'],
	[
		'<blockquote><p>a</p><p>b</p><pre>c\n\nd</pre></blockquote>',
		'> a\n>\n> b\n>\n> ```\n> c\n>\n> d\n> ```',
	],
	[
		'<img alt=icon><a href="https://x.example"><img alt=icon></a><p>x</p><img alt=icon>',
		'icon\n\nx\n\nicon',
	],
	['x<pre>a\n  b ``` *\n\nd</pre>y', 'x\n\n````\na\n  b ``` *\n\nd\n````\n\ny'],
	['<ul><li><pre>x\ny</pre></ul>', '- ```\n  x\n  y\n  ```'],
	['a<hr>b', 'a\n\n***\n\nb'],
	['<img alt="A [picture]" src=x> of it', 'A \\[picture\\] of it'],
])('HTML in Markdown: %s', async (html, markdown) => {
	expect((await toMarkdown(html)).markdown).toBe(markdown);
});

const data = '<table><tr><th>Item</th><th>Price</th></tr><tr><td>A</td><td>1|2</td></tr></table>';

test.each([
	'# x',
	'- x',
	'+ x',
	'12. x',
	'1) x',
	'> x',
	'---',
	'===',
	':--',
	'*x* **y** _z_ __a__',
	'`x` ```',
	'~~~',
	'[x](https://evil.example) ![y](z) [r]',
	'[r]: https://evil.example',
	'<b>x</b> <https://evil.example> <!-- x -->',
	'&amp; &#33;',
	'a | b',
	'x\\',
])('text that looks like Markdown stays text: %s', async (line) => {
	const escaped = line.replace(/&/g, '&amp;').replace(/</g, '&lt;');
	const { markdown } = await toMarkdown(`<div>a</div><div>${escaped}</div><div>b</div>`);
	const html = renderer.render(markdown);
	expect(html.replace(/<br>|<\/?p>/g, '')).not.toMatch(/<\w/);
	const { text } = await readHtml(html);
	expect(text).toBe(`a\n${line}\nb`);
});

const WORDS = 'word a*b _x_ [y] 1. - # | ` < &amp; ! > \\ &nbsp; ( :'.split(' ').concat('  ');
const INLINE = ['b', 'i', 'code', 'span', 'a href="https://x.example/p"'];
const BLOCKS = ['p', 'div', 'h2', 'blockquote', 'ul', 'ol', 'li', 'pre', 'table', 'tr', 'td', 'th'];

const text = fc
	.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
	.map((all) => all.join(' '));
const { node: anyHtml } = fc.letrec<{ node: string }>((tie) => ({
	node: fc.oneof(
		{ maxDepth: 5, withCrossShrink: true },
		text,
		fc.constantFrom('<br>', '<hr>', '<td>cell', '<li>entry'),
		fc
			.tuple(fc.constantFrom(...INLINE, ...BLOCKS), fc.array(tie('node'), { maxLength: 4 }))
			.map(([tag, inner]) => `<${tag}>${inner.join('')}</${tag.split(' ', 1).join()}>`),
	),
}));

test('rendered again, Markdown has the words of the plain text in the same order', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(anyHtml, { maxLength: 6 }), async (nodes) => {
			const plain = await toMarkdown(nodes.join(''));
			expect(await rendered(plain.markdown)).toBe(wordsOf(plain.text));
			const html = renderer.render(plain.markdown);
			expect(marksOf((await readHtml(html)).text)).toBe(marksOf(plain.text));
		}),
		{ numRuns: 500 },
	);
});

test.each([
	['<br>x', '<b><i>'],
	['<td>x', '<table>'],
	['<tr><td>x<td>y', '<table>'],
	['<li>x', '<blockquote>'.repeat(5)],
	['<p>x', `${'<blockquote>'.repeat(9)}${'<ul><li>'.repeat(9)}`],
	['*', ''],
	['<b>*</b>', ''],
	['<pre>x</pre>', '<ol><li>'],
	['<a href=https://x>x</a>', '<h6>'],
])('three times as much Markdown as HTML is never made: %s', async (piece, outside) => {
	const html = outside + piece.repeat(5000);
	expect((await toMarkdown(html)).markdown.length).toBeLessThanOrEqual(3 * html.length);
});

test.each([
	['a table begins with a head', `${data}<p>x`, 1, 3, '| A | 1\\|2 |\n| --- | --- |\n\nx'],
	['code ends with its fence', '<pre>a\nb\nc</pre>', 0, 2, '```\na\nb\n```'],
	['an entry has no marker without its first line', '<ul><li>a<br>b</ul>', 1, 2, '  b'],
])('if a text is cut, %s', async (_, html, start, end, markdown) => {
	const { blocks = [] } = await readHtml(html, 'markdown');
	expect(await writeMarkdown(blocks.slice(start, end), newPace())).toBe(markdown);
});

const OPTIONS = { attachments: false, headers: false, binaryPrefix: '' };

test.each(corpusFiles)('%s: the same words in Markdown', async (name) => {
	const read = async (textFormat: 'plain' | 'markdown') =>
		(await readEmail(readCorpus(name), undefined, { ...OPTIONS, textFormat })).email;
	const { text, html } = await read('plain');
	const shown = html === null ? text : (await readHtml(html)).text;
	expect(await rendered((await read('markdown')).text ?? '')).toBe(wordsOf(shown ?? ''));
});

test('a newsletter of 119 KB becomes a tenth of it', async () => {
	const article = `<tr><td style="font-size:0px;padding:10px 25px;word-break:break-word;"><table border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:collapse;border-spacing:0px;"><tbody><tr><td style="width:550px;"><a href="https://click.news.example/ls/click?upn=${'x'.repeat(260)}" style="color:#1a1a1a;text-decoration:none;"><img alt="" height="auto" src="https://img.news.example/1.jpg" style="border:0;display:block;outline:none;width:100%;font-size:13px;" width="550"></a></td></tr></tbody></table></td></tr><tr><td style="font-size:0px;padding:10px 25px;"><div style="font-family:Ubuntu,Helvetica,Arial,sans-serif;font-size:20px;line-height:24px;text-align:left;color:#000000;"><h2>The news of the day</h2><p>It is said in a few words, as news are.</p><a href="https://click.news.example/ls/click?upn=${'y'.repeat(260)}">Read more</a></div></td></tr>`;
	const html = `<html><head><style>${'.a{color:red}'.repeat(500)}</style></head><body><table>${article.repeat(85)}</table>`;
	expect(html.length).toBeGreaterThan(119_000);
	expect((await toMarkdown(html)).markdown.length).toBeLessThan(html.length / 10);
});

const ATTRIBUTED = 'On Mon, Nov 2, 2026 at 5:00 PM Bob <b@c.d> wrote:';

test.each([
	[
		'a plain one stays as it is, but for quotations and links',
		'plain',
		'Hi *Bob*,\n- see https://x.example/a_b.\n>> old\n> new\nBye <https://x.example>',
		'Hi *Bob*,\n- see <https://x.example/a_b>.\n> > old\n> new\n\nBye <https://x.example>',
	],
	[
		'one of HTML, without quoted text',
		'html',
		`<p><b>Yes</b>, on <i>Monday</i>.</p><div>${ATTRIBUTED.replace('<', '&lt;')}</div><blockquote>When?</blockquote>`,
		'**Yes**, on *Monday*.',
	],
	[
		'a plain one, without quoted text',
		'plain',
		`See https://x.example\n\n${ATTRIBUTED}\n> When?`,
		'See <https://x.example>',
	],
])('emails in Markdown: %s', async (name, type, body, markdown) => {
	const raw = `Subject: Re: x\r\nIn-Reply-To: <a@b.c>\r\nContent-Type: text/${type}\r\n\r\n${body}`;
	const removeQuotedText = name.endsWith('without quoted text');
	const options = { ...OPTIONS, removeQuotedText, textFormat: 'markdown' as const };
	expect((await readEmail(raw, undefined, options)).email.text).toBe(markdown);
});
