import { readHtml, readMarkdown as toMarkdown } from '../support/reading';

const textOf = async (html: string) => (await readHtml(html)).text;

test.each([
	['<a href="https://x.example/p">Click</a>', 'Click (https://x.example/p)'],
	['<a href=https://x.com/p>Click</a> Bye', 'Click (https://x.com/p) Bye'],
	["<a class=b href='https://x.com/?a=1&amp;b=2'>Click</a>", 'Click (https://x.com/?a=1&b=2)'],
	['<p>Hello <a href="https://x.example">link</a></p>', 'Hello link (https://x.example)'],
	['<a href="https://x.example">https://x.example</a>', 'https://x.example'],
	['<a href="https://www.x.example/">x.example</a>', 'x.example'],
	['<a href="mailto:a@b.c?subject=x">a@b.c</a>', 'a@b.c'],
	[
		'&lt;<a href="mailto:a@b.c">a@b.c</a>&gt; <a href="mailto:a@b.c">&lt;a@b.c&gt;</a>',
		'<a@b.c> <a@b.c>',
	],
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
])('links in plain text: %s', async (html, text) => {
	expect(await textOf(html)).toBe(text);
});

test('an address that is longer than any program accepts is left out, not cut', async () => {
	const link = (length: number) => `<a href="https://x.example/${'x'.repeat(length)}">Click</a>`;
	expect(await textOf(link(9000))).toBe(`Click (https://x.example/${'x'.repeat(9000)})`);
	expect(await textOf(link(10_000))).toBe('Click');
});

const long = `https://x.example/${'a'.repeat(300)}`;

test.each([
	['<a href="https://x.example/p">Buy</a> now', '[Buy](https://x.example/p) now'],
	['<a href="https://x.example/(a)b|c">x]</a>', '[x\\]](https://x.example/%28a%29b%7Cc)'],
	['Hi!<a href="https://x.example">b</a>', 'Hi\\![b](https://x.example)'],
	['<a href="https://x.example/">x.example</a>', '<https://x.example/>'],
	['<a href="mailto:a@b.c">a@b.c</a> <a href="tel:+43 1">Call</a>', 'a@b.c [Call](tel:+43%201)'],
	['<a href="https://x.example"><b>A</b><p>B</p></a>', '[**A**](https://x.example)\n\nB'],
	['<a href="javascript:x">x</a> <a href="https://x.example"><img></a>y', 'x y'],
	[
		'<a href="https://t.example/?a=b&url=https%3A%2F%2Fx.example%2Fp%3Fc%3Dd&e=f">x</a>',
		'[x](https://x.example/p?c=d)',
	],
	[
		'<a href="https://t.example/L0/https:%2F%2Fx.example%2Fp/1/2">x</a>',
		'[x](https://x.example/p)',
	],
	[
		'<a href="https://urldefense.example/v3/__https://x.example/p__;!!abc">x</a>',
		'[x](https://x.example/p)',
	],
	[
		'<a href="https://x.example/login?continue=https%3A%2F%2Fx.example%2F">x</a>',
		'[x](https://x.example/login?continue=https%3A%2F%2Fx.example%2F)',
	],
	[`<a href="https://x.example/p?id=${'a'.repeat(300)}">x</a>`, '[x](https://x.example/p…)'],
	[`<a href="${long}">x</a>`, '[x](https://x.example/…)'],
	[
		'<a href="https://t.example/?u=https%3A%2F%2F%ff">x</a>',
		'[x](https://t.example/?u=https%3A%2F%2F%ff)',
	],
])('links in Markdown: %s', async (html, markdown) => {
	expect((await toMarkdown(html)).markdown).toBe(markdown);
});
