import { readHtml } from '../support/reading';

const textOf = async (html: string) => (await readHtml(html)).text;

test('entities become characters, in text and addresses', async () => {
	expect(
		await textOf('&lt;b&gt; &amp;amp; caf&eacute; &#x20AC;5 &rarr; 50&nbsp;% &bogus; &copy2'),
	).toBe('<b> &amp; café €5 → 50\u00a0% &bogus; ©2');
});

test('entities stay where HTML has nothing but text up to an end tag', async () => {
	expect(await textOf('<xmp>a &amp; b</xmp>&amp;<p>&lt;</p>')).toBe('a &amp; b\n\n&\n\n<');
});

test('what follows a drawing that ends with a slash is shown, as in browsers', async () => {
	expect(await textOf('a<svg width="1"/>b<div/>c<svg><path/>d</svg>e')).toBe('ab\nce');
});

const unit =
	'<p>One &amp; <a href="https://x.example/&eacute;">two</a></p><!-- three --><b title="x>y">4</b>';
const text = 'One & two (https://x.example/é)\n\n4';

test.each(Array.from({ length: 12 }, (_, shift) => shift * 9))(
	'tags are read the same where a piece of the HTML ends in them: shifted by %i',
	async (shift) => {
		const html = `${' '.repeat(50_000 - shift)}${unit}`;
		expect(await textOf(html)).toBe(text);
	},
);
